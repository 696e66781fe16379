import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** A line between a client and a service. Its packets are not lost, and its connections don't start slowly. */
export interface Line {
  readonly rttMs: number;
  /** Of each direction, for all connections together; null: no limit. */
  readonly mbits: number | null;
}

export interface Link {
  /** The service's, through the line. */
  readonly baseAddress: string;
  close(): void;
}

/** Pieces of up to 64 KB that a connection may have under way in one direction: with Linux's window it is some MB. */
const windowPieces = 128;
/** How far senders may be ahead of a limited line: what the buffer before it holds. */
const aheadMs = 20;

/** Opens a line to a service, in a process of its own. */
export async function openLink(line: Line, service: string): Promise<Link> {
  const { protocol, port } = new URL(service);
  const proxy = fork(import.meta.filename, ['proxy', JSON.stringify(line), port]);
  const [own] = (await once(proxy, 'message')) as [number];
  return { baseAddress: `${protocol}//127.0.0.1:${String(own)}`, close: () => void proxy.kill() };
}

function serve({ rttMs, mbits }: Line, port: number): void {
  // Timers count whole milliseconds: below two, the way to the service takes all of it.
  const upMs = rttMs < 2 ? rttMs : rttMs / 2;
  const [up, down] = [createDirection(mbits), createDirection(mbits)];
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    // The handshake takes a round trip, and here it is over at once: nothing leaves before.
    const openAtMs = performance.now() + rttMs;
    const service = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    const ways = [
      carry(client, service, (bytes) => Math.max(up(bytes), openAtMs), upMs),
      carry(service, client, down, rttMs - upMs),
    ];
    for (const way of ways) {
      way.catch(() => {
        client.destroy();
        service.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
  process.on('disconnect', () => process.exit());
}

/** @returns a function that sends so many bytes after all before, and returns when the last of them leaves */
function createDirection(mbits: number | null): (bytes: number) => number {
  let freeAtMs = 0;
  return (bytes) => {
    const takesMs = mbits === null ? 0 : (bytes * 8) / (mbits * 1000);
    freeAtMs = Math.max(freeAtMs, performance.now()) + takesMs;
    return freeAtMs;
  };
}

interface Piece {
  readonly bytes: Buffer;
  readonly arrivesAtMs: number;
}

/** One direction of a connection. Connections take turns on a limited line, because none sends before its last piece is about to leave. */
async function carry(
  from: Socket,
  to: Socket,
  send: (bytes: number) => number,
  delayMs: number,
): Promise<void> {
  await pipeline(
    from,
    async function* leave(pieces: AsyncIterable<Buffer>): AsyncGenerator<Piece> {
      for await (const bytes of pieces) {
        const leavesAtMs = send(bytes.length);
        yield { bytes, arrivesAtMs: leavesAtMs + delayMs };
        await until(leavesAtMs - aheadMs);
      }
    },
    new PassThrough({ objectMode: true, highWaterMark: windowPieces }),
    async function* arrive(pieces: AsyncIterable<Piece>): AsyncGenerator<Buffer> {
      for await (const { bytes, arrivesAtMs } of pieces) {
        await until(arrivesAtMs);
        yield bytes;
      }
    },
    to,
  );
}

/** Half a millisecond early is nearer than what the next tick of a timer would be. */
async function until(atMs: number): Promise<void> {
  for (let leftMs = atMs - performance.now(); leftMs > 0.5; leftMs = atMs - performance.now())
    await delay(Math.round(leftMs));
}

if (process.argv[2] === 'proxy') serve(JSON.parse(process.argv[3] ?? '') as Line, Number(process.argv[4]));
