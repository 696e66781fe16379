import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A free port for a server of a test. Not one that the system chooses (on Linux from 32768, elsewhere from 49152): as soon as that
 * server closes, the system may give it to another test's server, which would answer in its place.
 */
export async function ownPort(): Promise<number> {
  for (;;) {
    const server = createServer().listen(randomInt(15_000, 30_000), '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch (cause) {
      if (cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE') continue;
      throw cause;
    }
    const address = server.address();
    server.close();
    await once(server, 'close');
    if (typeof address === 'object' && address !== null) return address.port;
  }
}
