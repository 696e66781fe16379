import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { writeProgram, type World } from './command-world.ts';
import { startInMemory } from './in-process.ts';

/**
 * Puts another `coffer` on the world's PATH, in bash: it sends its words here, each ended by NUL and preceded by their number, and
 * prints the output. For shells that call it again and again, where a process per call would take most of the time.
 */
export async function serveShells(world: World): Promise<void> {
  const { files: cwd, env, keychain } = world;
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    // A shell that is killed does not wait for its answer.
    socket.on('error', () => undefined);
    let read = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      read += text;
      const [count, ...words] = read.split('\0');
      if (words.length <= Number(count)) return;
      const running = startInMemory(words.slice(0, -1), { cwd, env, keychain });
      running.end();
      void running.ended.then(() => socket.end(running.stdout()));
    });
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  writeProgram(
    world,
    'coffer',
    `exec bash -c 'exec 3<>/dev/tcp/127.0.0.1/${port}; printf "%s\\0" $# "$@" >&3; cat <&3' coffer "$@"`,
  );
}
