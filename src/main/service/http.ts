import type { Readable } from 'node:stream';
import { Agent, errors } from 'undici';
import { AppFailure, type AppError } from '../../shared/errors.ts';
import { errorOfStatus, parseAnswer, parseLength, unexpected, type Headers, type Method } from './answers.ts';
import { parseBaseAddress, type BaseAddress } from './base-address.ts';
import { countSent, readText, translateReceived, watchSending, type SentBody } from './bodies.ts';
import { createConnector } from './connect.ts';
import type { z } from 'zod';

interface Timeouts {
  /** Until a connection stands, TLS included. Default 10 s. */
  connectMs: number;
  /** From the end of a request to the headers of its answer, and for any standstill of its body. Default 60 s. */
  headersMs: number;
  /** Between two pieces of an answer's body. Default 60 s. */
  idleBodyMs: number;
}

export interface HttpOptions {
  baseAddress: string;
  /** The profile says that an unencrypted address elsewhere is allowed. */
  insecureAllowed?: boolean | undefined;
  /** null: no token is known, and tokenMissing is thrown before anything is sent. */
  getToken: () => string | null;
  /** PEM text of further authorities to trust, beside the system's and the bundled ones. */
  authorities?: string | undefined;
  timeouts?: Partial<Timeouts> | undefined;
}

export interface HttpRequest {
  method: Method;
  /** Path and query below the base address, or a whole address; the token goes to the base's origin only. */
  path: string | URL;
  headers?: Record<string, string>;
  body?: { stream: Readable | AsyncIterable<Uint8Array> | Uint8Array; lengthBytes: number | null };
  signal?: AbortSignal | undefined;
  /** false: nothing is proven, to see whether the service asks for a token. */
  authenticated?: boolean;
  /** Which statuses are answers; every other one is thrown. Default 200. */
  accepts?: readonly number[];
}

interface Answer {
  status: number;
  headers: Headers;
  /** Must be read to its end or destroyed: until then it holds a connection. Fails with AppFailure only. */
  body: Readable;
}

export interface Http {
  base: BaseAddress;
  /**
   * The one way a request leaves this client. Redirects are not followed. Throws tokenMissing, unreachable,
   * certificateNotTrusted, answerTimeout (after a POST or DELETE its outcome is unknown), connectionLost, cancelled,
   * and what section 7 says of the status. When the caller's own stream fails, its error is thrown as it is; whatever
   * is thrown, that stream is destroyed.
   */
  send(request: HttpRequest): Promise<Answer>;
  /** Sends, and reads a JSON body of this shape. */
  sendForJson<T>(request: HttpRequest, schema: z.ZodType<T>): Promise<T>;
  /** Ends everything that is under way, with `cancelled`. */
  close(): Promise<void>;
}

export const maxJsonBytes = 64 * 1024;
/** How long an error answer's body is waited for: its status alone says enough. */
const errorBodyMs = 2_000;

/** Throws badAddress, badAuthorityFile. */
export function createHttp(options: HttpOptions): Http {
  const timeouts = { connectMs: 10_000, headersMs: 60_000, idleBodyMs: 60_000, ...options.timeouts };
  const base = parseBaseAddress(options.baseAddress, options.insecureAllowed);
  const connector = createConnector(options.authorities, timeouts.connectMs);
  const agent = new Agent({
    connect: connector.connect,
    headersTimeout: timeouts.headersMs,
    bodyTimeout: timeouts.idleBodyMs,
  });
  let unansweredCount = 0;

  async function send(request: HttpRequest): Promise<Answer> {
    const { method, signal: cancelSignal, accepts = [200] } = request;
    const { origin, path } = placeOf(base, request.path);
    const isProven = request.authenticated !== false && origin === base.origin;
    const sent = request.body && countSent(request.body.stream, request.body.lengthBytes);
    const stall = new AbortController();
    const signal = cancelSignal ? AbortSignal.any([cancelSignal, stall.signal]) : stall.signal;
    const stopWatching =
      sent &&
      watchSending(sent.stream, timeouts.headersMs, () =>
        stall.abort(new AppFailure({ code: 'answerTimeout', phase: 'headers', afterMs: timeouts.headersMs })),
      );
    const failed = (
      phase: 'headers' | 'body',
      cause: unknown,
      doneBytes: number,
      expectedBytes: number | null,
    ) => failureOf({ cause, phase, signal, sent, method, doneBytes, expectedBytes, timeouts });

    unansweredCount += 1;
    try {
      const answer = await untilAborted(
        signal,
        agent.request({
          origin,
          path,
          method,
          headers: {
            ...request.headers,
            ...(isProven && { authorization: `Bearer ${readToken(options.getToken)}` }),
            ...(typeof request.body?.lengthBytes === 'number' && {
              'content-length': String(request.body.lengthBytes),
            }),
          },
          signal,
          ...(sent && { body: sent.stream, headersTimeout: 0 }),
        }),
      );
      stopWatching?.();
      const { statusCode: status, headers } = answer;
      const expectedBytes = parseLength(headers['content-length']);
      const body = translateReceived(answer.body, (cause, doneBytes) =>
        failed('body', cause, doneBytes, expectedBytes),
      );
      if (accepts.includes(status)) {
        if (sent?.isWhole() !== false) return { status, headers, body };
        body.destroy();
        throw unexpected(status, 'answered before the whole body was sent');
      }
      throw new AppFailure(errorOfStatus(method, status, headers, await readErrorText(body)));
    } catch (cause) {
      sent?.discard();
      throw failed('headers', cause, sent?.sentBytes() ?? 0, request.body?.lengthBytes ?? null);
    } finally {
      unansweredCount -= 1;
      if (unansweredCount === 0) connector.cancelAttempts();
      stopWatching?.();
    }
  }

  return {
    base,
    send,
    async sendForJson(request, schema) {
      const { status, body } = await send(request);
      const text = await readText(body, maxJsonBytes);
      if (text === undefined) throw unexpected(status, `body: larger than ${maxJsonBytes} bytes`);
      return parseAnswer(schema, status, text);
    },
    async close() {
      const closed = agent.destroy();
      connector.cancelAttempts();
      await closed;
    },
  };
}

function placeOf(base: BaseAddress, path: string | URL): { origin: string; path: string } {
  if (path instanceof URL) return { origin: path.origin, path: path.pathname + path.search };
  return { origin: base.origin, path: base.prefix + path };
}

function readToken(getToken: () => string | null): string {
  const token = getToken();
  if (token === null) throw new AppFailure({ code: 'tokenMissing' });
  // Anything else cannot stand in a header.
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new AppFailure({ code: 'invalidInput', field: 'token', problem: 'characters' });
  return token;
}

/** undici notices an abort only once a connection stands. */
function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(new AppFailure({ code: 'cancelled' }));
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** As much of an error's body as arrives soon; HTML, nothing or a cut do not matter. */
async function readErrorText(body: Readable): Promise<string> {
  const timer = setTimeout(() => body.destroy(), errorBodyMs);
  try {
    return (await readText(body, maxJsonBytes)) ?? '';
  } catch {
    return '';
  } finally {
    clearTimeout(timer);
  }
}

interface Circumstances {
  cause: unknown;
  phase: 'headers' | 'body';
  signal: AbortSignal;
  sent: SentBody | undefined;
  method: Method;
  doneBytes: number;
  expectedBytes: number | null;
  timeouts: Timeouts;
}

/** What happened, from what undici threw. */
function failureOf({
  cause,
  phase,
  signal,
  sent,
  method,
  doneBytes,
  expectedBytes,
  timeouts,
}: Circumstances): Error {
  if (signal.aborted)
    return signal.reason instanceof AppFailure ? signal.reason : new AppFailure({ code: 'cancelled' });
  const sourceFailure = sent?.sourceFailure();
  if (sourceFailure) return sourceFailure;
  if (cause instanceof AppFailure) return cause;
  return new AppFailure(appErrorOf());

  function appErrorOf(): AppError {
    if (cause instanceof errors.HeadersTimeoutError) {
      return { code: 'answerTimeout', phase: 'headers', afterMs: timeouts.headersMs };
    }
    if (cause instanceof errors.BodyTimeoutError) {
      return { code: 'answerTimeout', phase: 'body', afterMs: timeouts.idleBodyMs };
    }
    if (cause instanceof errors.ClientDestroyedError || cause instanceof errors.ClientClosedError) {
      return { code: 'cancelled' };
    }
    if (phase === 'headers' && isGibberish(cause)) {
      return { code: 'unexpectedAnswer', status: 0, problem: 'not an HTTP answer' };
    }
    const hasConsequences = method === 'POST' || method === 'DELETE';
    return { code: 'connectionLost', doneBytes, expectedBytes, outcomeUnknown: hasConsequences };
  }
}

/** undici names neither case by a class of its own. */
function isGibberish(cause: unknown): boolean {
  return (
    cause instanceof errors.HTTPParserError ||
    cause instanceof errors.HeadersOverflowError ||
    (cause instanceof errors.SocketError && cause.message.startsWith('bad '))
  );
}
