import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';

/** The service of a benchmark, in a process of its own, so that memory and blocking are the client's alone. */
export interface BenchService {
  readonly baseAddress: string;
  /** Maximum number of open connections since the last call. */
  maxConnections(): Promise<number>;
  /** Requests answered since the last call: count, and time from the first to the last in ms. */
  answered(): Promise<Answered>;
  /** Resolves when this many requests have been answered since the last `answered`. */
  requested(number: number): Promise<void>;
  /** Deletes all objects. */
  forget(): void;
  stop(): void;
}

export interface Answered {
  readonly requests: number;
  readonly ms: number;
  /** Wall clock. */
  readonly firstAtMs: number;
  readonly lastAtMs: number;
}

export const benchToken = 'bench-token';

export async function startService(): Promise<BenchService> {
  const service = fork(import.meta.filename, ['serve']);
  const [baseAddress] = (await once(service, 'message')) as [string];
  async function ask(question: string): Promise<unknown> {
    const answer = once(service, 'message');
    service.send(question);
    return (await answer)[0];
  }
  return {
    baseAddress,
    maxConnections: async () => Number(await ask('connections')),
    answered: async () => (await ask('answered')) as Answered,
    requested: async (number) => void (await ask(`requested ${String(number)}`)),
    forget: () => void service.send('forget'),
    stop: () => void service.kill(),
  };
}

/**
 * A plain implementation of section 4.1: keeps bytes in memory, except for names that begin with `memory-`, for which
 * it stores the length only.
 */
function serve(): void {
  const objects = new Map<string, { lengthBytes: number; pieces: Buffer[] }>();
  let open = 0;
  let most = 0;
  let answered = 0;
  let firstMs = 0;
  let lastMs = 0;
  let awaited: number | null = null;
  const tellAwaited = () => {
    if (awaited === null || answered < awaited) return;
    awaited = null;
    process.send?.('answered');
  };
  const server = createServer((request, response) => {
    if (answered === 0) firstMs = performance.now();
    response.on('finish', () => {
      answered += 1;
      lastMs = performance.now();
      tellAwaited();
    });
    if (request.headers.authorization !== `Bearer ${benchToken}`) {
      response.writeHead(401, { 'content-length': 0 }).end();
      return;
    }
    const name = decodeURIComponent((request.url ?? '').replace(/^\/api\/data\/([^?]*).*$/, '$1'));
    const known = objects.get(name);
    if (request.method === 'POST') {
      const taken = { lengthBytes: 0, pieces: [] as Buffer[] };
      request.on('data', (piece: Buffer) => {
        taken.lengthBytes += piece.length;
        if (!name.startsWith('memory-')) taken.pieces.push(piece);
      });
      request.on('end', () => {
        if (!known) objects.set(name, taken);
        const status = known ? 409 : 200;
        const body = JSON.stringify({ success: !known, status, message: '', activityToken: 'a' });
        const type = { 'content-type': 'application/json' };
        response.writeHead(status, { ...type, 'content-length': body.length }).end(body);
      });
    } else if (!known) {
      response.writeHead(404, { 'content-length': 0 }).end();
    } else if (request.method === 'HEAD') {
      response.writeHead(200, { 'x-orginal-length': String(known.lengthBytes) }).end();
    } else {
      response.writeHead(200, { 'content-length': known.lengthBytes });
      Readable.from(known.pieces).pipe(response);
    }
  });
  server.on('connection', (socket) => {
    most = Math.max(most, (open += 1));
    socket.on('error', () => undefined).on('close', () => (open -= 1));
  });
  process.on('message', (message) => {
    if (message === 'forget') objects.clear();
    else if (message === 'connections') {
      process.send?.(most);
      most = open;
    } else if (typeof message === 'string' && message.startsWith('requested ')) {
      awaited = Number(message.slice('requested '.length));
      tellAwaited();
    } else {
      const firstAtMs = performance.timeOrigin + firstMs;
      const lastAtMs = performance.timeOrigin + lastMs;
      const ms = answered === 0 ? 0 : lastMs - firstMs;
      process.send?.({ requests: answered, ms, firstAtMs, lastAtMs } satisfies Answered);
      answered = 0;
    }
  });
  server.listen(0, '127.0.0.1', () => {
    process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
}

if (process.argv[2] === 'serve') serve();
