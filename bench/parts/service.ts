import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { BenchObjects, kindOf, type ServiceOptions } from './objects.ts';

export { benchToken } from './objects.ts';

/** The service of a benchmark, in a process of its own, so that memory and blocking are the client's alone. */
export interface BenchService {
  readonly baseAddress: string;
  /** Maximum number of open connections since the last call. */
  maxConnections(): Promise<number>;
  /** Requests answered since the last call: count, and time from the first to the last in ms. */
  answered(): Promise<Answered>;
  /** Resolves when this many requests have been answered since the last `answered`. */
  requested(number: number): Promise<void>;
  /** How many objects there are. */
  stored(): Promise<number>;
  /** Deletes all objects. */
  forget(): void;
  stop(): void;
}

export interface Answered {
  readonly requests: number;
  /** Of these by method, or by step of a deferred request. */
  readonly kinds: Readonly<Record<string, number>>;
  /** Of these with 429. */
  readonly refused: number;
  /** Median time from the first request to the answer to an upload of less than 1 MB; null: there was none. */
  readonly smallMs: number | null;
  readonly ms: number;
  /** Wall clock. */
  readonly firstAtMs: number;
  readonly lastAtMs: number;
}

export interface BenchServiceOptions extends ServiceOptions {
  readonly isTls?: boolean;
}

const certificates = join(import.meta.dirname, '..', '..', 'src', 'main', 'service', 'fixtures');
/** Of the authority that a client of a service with `isTls` has to trust. */
export const benchAuthority = join(certificates, 'ca.pem');

export async function startService(options: BenchServiceOptions = {}): Promise<BenchService> {
  const service = fork(import.meta.filename, ['serve', JSON.stringify(options)]);
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
    stored: async () => Number(await ask('stored')),
    forget: () => void service.send('forget'),
    stop: () => void service.kill(),
  };
}

function serve({ isTls = false, ...options }: BenchServiceOptions): void {
  const objects = new BenchObjects(options);
  let open = 0;
  let most = 0;
  let answered = 0;
  let refused = 0;
  let kinds: Record<string, number> = {};
  let smallAtMs: number[] = [];
  let firstMs = 0;
  let lastMs = 0;
  let awaited: number | null = null;
  const tellAwaited = () => {
    if (awaited === null || answered < awaited) return;
    awaited = null;
    process.send?.('answered');
  };
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    if (answered === 0) firstMs = performance.now();
    response.on('finish', () => {
      answered += 1;
      lastMs = performance.now();
      const kind = kindOf(request);
      kinds[kind] = (kinds[kind] ?? 0) + 1;
      if (response.statusCode === 429) refused += 1;
      const isSmall = Number(request.headers['content-length']) < 1_000_000;
      if (isSmall && response.statusCode === 200) smallAtMs.push(lastMs);
      tellAwaited();
    });
    // A client that goes away in the middle is its own affair.
    objects.answer(request, response).catch(() => response.destroy());
  };
  const pem = isTls ? readFileSync(join(certificates, 'trusted.pem')) : null;
  const server = pem ? createTlsServer({ key: pem, cert: pem }, listener) : createServer(listener);
  server.on('connection', (socket) => {
    most = Math.max(most, (open += 1));
    socket.on('error', () => undefined).on('close', () => (open -= 1));
  });
  process.on('message', (message) => {
    if (message === 'forget') objects.forget();
    else if (message === 'stored') process.send?.(objects.count);
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
      const median = smallAtMs[smallAtMs.length >> 1];
      const smallMs = median === undefined ? null : median - firstMs;
      const said: Answered = { requests: answered, kinds, refused, smallMs, ms, firstAtMs, lastAtMs };
      process.send?.(said);
      [answered, refused, kinds, smallAtMs] = [0, 0, {}, []];
    }
  });
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo;
    process.send?.(`${isTls ? 'https' : 'http'}://127.0.0.1:${String(port)}`);
  });
}

if (process.argv[2] === 'serve') serve(JSON.parse(process.argv[3] ?? '{}') as BenchServiceOptions);
