import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { ownPort } from '../../../e2e/faults/own-port.ts';

export type TcpProxy = {
  readonly port: number;
  /** Connections so far. */
  readonly count: () => number;
  /** Bytes to the server (up) and from it (down), of all connections. */
  readonly passed: Record<Direction, number>;
  /** Passes this many more bytes, then closes or resets the connection. */
  cutAfter: (direction: Direction, bytes: number, how?: 'close' | 'reset') => void;
  /** From now on passes nothing, and closes nothing. */
  silence: () => void;
  /** Like the server's end: ends all connections. */
  dropAll: () => void;
  close: () => void;
};
export type Direction = 'up' | 'down';

/** A proxy for a server of this computer, whose connections can be cut. Ends with the test. @param change alters what the server sends */
export async function startTcpProxy(
  targetPort: () => number,
  change?: (chunk: Buffer) => Buffer,
): Promise<TcpProxy> {
  const proxy = await openTcpProxy(targetPort, change);
  onTestFinished(() => proxy.close());
  return proxy;
}

/** Like `startTcpProxy`, also outside of tests. */
export async function openTcpProxy(
  targetPort: () => number,
  change: (chunk: Buffer) => Buffer = (chunk) => chunk,
): Promise<TcpProxy> {
  const passed = { up: 0, down: 0 };
  const sockets = new Set<Socket>();
  let connections = 0;
  let cut: { direction: Direction; left: number; how: 'close' | 'reset' } | null = null;
  let isSilent = false;

  function pass(chunk: Buffer, direction: Direction, from: Socket, to: Socket): void {
    if (isSilent) return;
    if (cut?.direction !== direction || chunk.length < cut.left) {
      if (cut?.direction === direction) cut.left -= chunk.length;
      passed[direction] += chunk.length;
      to.write(chunk);
      return;
    }
    const { left, how } = cut;
    cut = null;
    // With `close`, what was sent arrives before the end; a reset may overtake it.
    to.write(chunk.subarray(0, left), () => {
      for (const socket of [from, to]) {
        if (how === 'close') socket.destroySoon();
        else socket.resetAndDestroy();
      }
    });
  }

  const server = createServer((client) => {
    connections += 1;
    const target = connect(targetPort(), '127.0.0.1');
    for (const [from, to, direction] of [
      [client, target, 'up'],
      [target, client, 'down'],
    ] as const) {
      sockets.add(from);
      from.setNoDelay(true);
      from.on('data', (chunk: Buffer) =>
        pass(direction === 'down' ? change(chunk) : chunk, direction, from, to),
      );
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        to.destroySoon();
      });
    }
  });
  const port = await ownPort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const dropAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port,
    count: () => connections,
    passed,
    cutAfter: (direction, bytes, how = 'close') => {
      cut = { direction, left: bytes, how };
    },
    silence: () => {
      isSilent = true;
    },
    dropAll,
    close: () => {
      dropAll();
      server.close();
    },
  };
}
