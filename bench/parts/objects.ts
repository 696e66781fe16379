import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { createRateLimit } from '../../src/local-service/server.ts';

export interface ServiceOptions {
  /** Of each deferred request; all are processed at once. */
  readonly processingMs?: number;
  /** What every other request takes: without it none is ever beside another. */
  readonly workMs?: number;
  /** More requests than these are answered 429: at the same time without Retry-After, in a second with it. */
  readonly atOnce?: number;
  readonly ratePerSecond?: number;
}

interface Bytes {
  readonly lengthBytes: number;
  readonly pieces: readonly Buffer[];
}

interface Deferred {
  /** The operation result of section 2; null: still processing. */
  result: string | null;
  fetched: Bytes | undefined;
}

export const benchToken = 'bench-token';
const place = /^\/api\/data\/(?:deferred\/(start|check|fetch)\/)?([^?]*)/;

/** The method, or the step of a deferred request. */
export function kindOf({ method = '', url = '' }: IncomingMessage): string {
  return place.exec(url)?.[1] ?? method;
}

/**
 * A plain implementation of sections 4.1 and 4.2: keeps bytes in memory, except for names that begin with `memory-`, for
 * which it stores the length only.
 */
export class BenchObjects {
  readonly #objects = new Map<string, Bytes>();
  readonly #deferred = new Map<string, Deferred>();
  readonly #options: ServiceOptions;
  readonly #takeTurn: () => number;
  #atWork = 0;

  constructor(options: ServiceOptions) {
    this.#options = options;
    const { ratePerSecond } = options;
    this.#takeTurn = ratePerSecond === undefined ? () => 0 : createRateLimit(ratePerSecond, Date.now);
  }

  get count(): number {
    return this.#objects.size;
  }

  forget(): void {
    this.#objects.clear();
    this.#deferred.clear();
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.headers.authorization !== `Bearer ${benchToken}`) {
      request.resume();
      response.writeHead(401, { 'content-length': 0 }).end();
      return;
    }
    const { atOnce = Infinity, workMs } = this.#options;
    const waitSeconds = this.#takeTurn();
    if (waitSeconds > 0 || this.#atWork >= atOnce) {
      request.resume();
      const headers = { 'content-length': 0, ...(waitSeconds > 0 && { 'retry-after': String(waitSeconds) }) };
      response.writeHead(429, headers).end();
      return;
    }
    this.#atWork += 1;
    try {
      const name = decodeURIComponent(place.exec(request.url ?? '')?.[2] ?? '');
      const sent = request.method === 'POST' ? await receive(request, name) : undefined;
      if (workMs !== undefined) await delay(workMs);
      this.#respond(kindOf(request), name, sent, response);
    } finally {
      this.#atWork -= 1;
    }
  }

  #respond(kind: string, name: string, sent: Bytes | undefined, response: ServerResponse): void {
    const known = this.#objects.get(name);
    const deferred = this.#deferred.get(name);
    if (kind === 'start') sendJson(response, 200, { DeferredToken: this.#start(name, sent) });
    else if (kind === 'POST' && sent) {
      const stored = this.#store(name, sent);
      sendJson(response, stored.status, stored);
    } else if (kind === 'check' && deferred) {
      if (deferred.result === null) sendText(response, 202, 'text/plain', 'still processing');
      else sendText(response, 200, 'application/json', deferred.result);
    } else if (kind === 'fetch' && deferred?.fetched) sendBytes(response, deferred.fetched);
    else if (!known) response.writeHead(404, { 'content-length': 0 }).end();
    else if (kind === 'HEAD') response.writeHead(200, { 'x-orginal-length': known.lengthBytes }).end();
    else if (kind === 'DELETE') {
      this.#objects.delete(name);
      sendJson(response, 200, resultOf(200));
    } else sendBytes(response, known);
  }

  /** @returns the token of a deferred upload, or without bytes of a download */
  #start(name: string, sent: Bytes | undefined): string {
    const token = `t${String(this.#deferred.size)}`;
    const deferred: Deferred = { result: null, fetched: undefined };
    this.#deferred.set(token, deferred);
    setTimeout(() => {
      if (!sent) deferred.fetched = this.#objects.get(name);
      const done = sent ? this.#store(name, sent) : resultOf(deferred.fetched ? 200 : 404);
      deferred.result = JSON.stringify(done);
    }, this.#options.processingMs ?? 0);
    return token;
  }

  #store(name: string, sent: Bytes) {
    if (this.#objects.has(name)) return resultOf(409);
    this.#objects.set(name, sent);
    return resultOf(200);
  }
}

async function receive(request: IncomingMessage, name: string): Promise<Bytes> {
  const taken = { lengthBytes: 0, pieces: [] as Buffer[] };
  for await (const piece of request as AsyncIterable<Buffer>) {
    taken.lengthBytes += piece.length;
    if (!name.startsWith('memory-')) taken.pieces.push(piece);
  }
  return taken;
}

function resultOf(status: number) {
  return { success: status === 200, status, message: '', activityToken: 'a' };
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  sendText(response, status, 'application/json', JSON.stringify(body));
}

function sendText(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, { 'content-type': type, 'content-length': text.length }).end(text);
}

function sendBytes(response: ServerResponse, { lengthBytes, pieces }: Bytes): void {
  response.writeHead(200, { 'content-length': lengthBytes });
  Readable.from(pieces).pipe(response);
}
