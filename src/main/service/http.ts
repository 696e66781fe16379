import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { AppFailure } from '../../shared/app-failure.ts';
import { untilAborted } from '../lib/async.ts';
import {
  decodeReceived,
  encodingOf,
  errorOfStatus,
  failureOf,
  type Headers,
  isPage,
  type Method,
  notService,
  parseAnswer,
  parseLength,
  type Timeouts,
  unexpected,
  unknownEncoding,
} from './responses.ts';
import { hostOf, parseBaseAddress, type BaseAddress } from './base-address.ts';
import {
  countSent,
  lengthFailure,
  pieceBytes,
  readText,
  sendBytes,
  skipBody,
  translateReceived,
  watchSending,
  type SentBody,
} from './bodies.ts';
import type { ClientCertificate } from './certificates.ts';
import type { FindProxy } from './proxy.ts';
import { createDispatchers } from './dispatchers.ts';
import { createServiceClock, type ServiceClock } from './service-clock.ts';
import type { z } from 'zod';

export interface HttpOptions {
  baseAddress: string;
  /** Whether plain http is allowed for other computers. */
  insecureAllowed?: boolean | undefined;
  /** null: no token is known; throws tokenMissing before anything is sent. */
  getToken: () => string | null;
  /** PEM text of further authorities to trust, besides the system's and the bundled ones. */
  authorities?: string | undefined;
  /** Presented only to the base address's origin, and only if that requests one. */
  clientCertificate?: ClientCertificate | undefined;
  /** Default: direct. */
  findProxy?: FindProxy | undefined;
  timeouts?: Partial<Timeouts> | undefined;
  /** Called for each request that took longer than `timeouts.slowMs`. */
  onSlow?: ((request: SlowRequest) => void) | undefined;
}

/** Has no identifier: those of secrets must not be logged. */
export interface SlowRequest {
  readonly method: Method;
  /** The path's first two segments below the base address: `api/data`, `api/secret`. */
  readonly operation: string;
  /** From the call to the answer's headers: the body that was sent counts, the one that is received does not. */
  readonly elapsedMs: number;
  readonly sentBytes: number;
  /** null: it failed before there was an answer. */
  readonly status: number | null;
}

export type UploadSource = Readable | AsyncIterable<Uint8Array> | Uint8Array;

export interface HttpRequest {
  method: Method;
  /** Path and query below the base address, or a whole address; the token is sent to the base's origin only. */
  path: string | URL;
  headers?: Record<string, string>;
  /** For bytes in memory `lengthBytes` must be their length or null. */
  body?: { source: UploadSource; lengthBytes: number | null };
  signal?: AbortSignal | undefined;
  /** false: sends no token, to see whether the service asks for one. */
  authenticated?: boolean;
  /** Statuses that resolve; every other one is thrown. Default 200. */
  accepts?: readonly number[];
}

export interface Answer {
  /** What was asked: the address's host and port. */
  host: string;
  status: number;
  headers: Headers;
  /** Length of the decoded body; null when unknown: Content-Length of an encoded body counts the encoded bytes. */
  lengthBytes: number | null;
  /** Must be read to its end or destroyed: until then it holds a connection. Fails only with AppFailure. */
  body: Readable;
}

export interface Http {
  base: BaseAddress;
  momentOf: ServiceClock['momentOf'];
  /**
   * The only way a request leaves this client. Redirects are not followed. When the caller's own stream fails, its
   * error is thrown as it is; on any error that stream is destroyed.
   * @throws AppFailure tokenMissing, unreachable, proxyFailed, certificateNotTrusted, clientCertificateRefused,
   * answerTimeout (after a POST or DELETE its outcome is unknown), connectionLost, cancelled, and the error of the
   * status (section 7)
   */
  send(request: HttpRequest): Promise<Answer>;
  /** Sends, and parses a JSON body with this schema. */
  sendForJson<T>(request: HttpRequest, schema: z.ZodType<T>): Promise<T>;
  /** Cancels running requests; `whenIdle`: takes no new ones and waits for the running ones instead. */
  close(options?: { whenIdle?: boolean }): Promise<void>;
}

export const maxJsonBytes = 64 * 1024;
/** How long to wait for an error's body: its status alone says enough. */
const errorBodyMs = 2_000;

/** @throws AppFailure badAddress, badAuthorityFile, badClientCertificate */
export function createHttp(options: HttpOptions): Http {
  const timeouts = {
    connectMs: 10_000,
    headersMs: 60_000,
    idleBodyMs: 60_000,
    slowMs: 5_000,
    ...options.timeouts,
  };
  const base = parseBaseAddress(options.baseAddress, options.insecureAllowed);
  const { authorities, clientCertificate, findProxy } = options;
  const dispatchers = createDispatchers(
    {
      authorities,
      clientCertificate: clientCertificate && { ...clientCertificate, origin: base.origin },
      connectMs: timeouts.connectMs,
    },
    timeouts,
    findProxy,
  );

  const serviceClock = createServiceClock();

  async function send(request: HttpRequest): Promise<Answer> {
    const { method, signal: cancelSignal, accepts = [200] } = request;
    const { origin, path } = placeOf(base, request.path);
    const isProven = request.authenticated !== false && origin === base.origin;
    const { sent, bytes, lengthBytes } = prepareBody(request.body);
    const watch = sent && watchStream(sent, cancelSignal, timeouts.headersMs);
    const signal = watch ? watch.signal : cancelSignal;
    const host = hostOf(origin);
    const circumstances = { host, signal, sent, method, timeouts };

    const begunMs = performance.now();
    let answered: number | null = null;
    try {
      // undici reuses a connection one turn of the event loop after its response, and opens another one before that.
      await setImmediate();
      const finding = dispatchers.find(origin);
      const way = await (signal ? untilAborted(finding, signal) : finding);
      const sentMs = performance.now();
      const answer = await way.request({
        origin,
        path,
        method,
        headers: {
          // A proxy or the service may still compress.
          'accept-encoding': 'identity',
          ...request.headers,
          ...(isProven && { authorization: `Bearer ${readToken(options.getToken)}` }),
          ...(lengthBytes !== null && { 'content-length': String(lengthBytes) }),
        },
        signal: signal ?? null,
        // undici closes the connection after each HEAD (its issue 1858), and there are as many HEADs as objects.
        ...(method === 'HEAD' && { reset: false }),
        ...(sent && { body: sent.stream, headersTimeout: 0 }),
        ...(bytes && { body: bytes }),
      });
      watch?.stop();
      const { statusCode: status, headers } = answer;
      answered = status;
      const answeredMs = Date.now();
      if (origin === base.origin) serviceClock.learn(headers, answeredMs, performance.now() - sentMs);
      const expectedBytes = parseLength(headers['content-length']);
      const isEmpty = method === 'HEAD' || status === 204;
      const received = isEmpty
        ? skipBody(answer.body)
        : translateReceived(answer.body, (cause, doneBytes) =>
            failureOf(circumstances, { cause, phase: 'body', doneBytes, expectedBytes }),
          );
      const encoding = isEmpty || expectedBytes === 0 ? null : encodingOf(headers);
      const body = encoding === null ? received : decodeReceived(received, status, encoding);
      if (watch) body?.once('close', watch.unlink);
      if (!accepts.includes(status)) {
        const text = body ? await readErrorText(body) : '';
        const place = { host, serviceNowMs: serviceClock.momentOf(answeredMs) };
        throw new AppFailure(errorOfStatus(method, status, headers, text, place));
      }
      if (!body) throw unknownEncoding(status, encoding);
      if (sent?.isWhole() !== false)
        return { host, status, headers, lengthBytes: encoding === null ? expectedBytes : null, body };
      body.destroy();
      throw unexpected(status, 'answered before the whole body was sent');
    } catch (cause) {
      watch?.unlink();
      sent?.discard();
      const doneBytes = sent?.sentBytes() ?? 0;
      throw failureOf(circumstances, { cause, phase: 'headers', doneBytes, expectedBytes: lengthBytes });
    } finally {
      watch?.stop();
      const elapsedMs = Math.round(performance.now() - begunMs);
      if (elapsedMs > timeouts.slowMs) {
        const operation =
          typeof request.path === 'string' ? request.path.split('/').slice(1, 3).join('/') : '';
        const sentBytes = sent?.sentBytes() ?? bytes?.length ?? 0;
        options.onSlow?.({ method, operation, elapsedMs, sentBytes, status: answered });
      }
    }
  }

  return {
    base,
    momentOf: serviceClock.momentOf,
    send,
    sendForJson: async (request, schema) => readJson(await send(request), schema),
    close: ({ whenIdle = false } = {}) => dispatchers.close(whenIdle),
  };
}

/** Parses a JSON body with this schema, whatever its type says. @throws AppFailure unexpectedAnswer */
export async function readJson<T>({ host, status, headers, body }: Answer, schema: z.ZodType<T>): Promise<T> {
  const text = await readText(body, maxJsonBytes);
  try {
    if (text === undefined) throw unexpected(status, `body: larger than ${maxJsonBytes} bytes`);
    return parseAnswer(schema, status, text);
  } catch (cause) {
    throw isPage(headers) ? new AppFailure(notService('page', { status, host }), { cause }) : cause;
  }
}

/** The body for undici: a watched stream, or bytes of one piece at most. @throws AppFailure invalidInput */
function prepareBody(body: HttpRequest['body']): {
  sent?: SentBody;
  bytes?: Uint8Array;
  lengthBytes: number | null;
} {
  if (!body) return { lengthBytes: null };
  const { source, lengthBytes } = body;
  if (!(source instanceof Uint8Array)) return { sent: countSent(source, lengthBytes), lengthBytes };
  if (lengthBytes !== null && lengthBytes !== source.length) throw lengthFailure();
  const whole = { lengthBytes: source.length };
  return source.length <= pieceBytes ? { ...whole, bytes: source } : { ...whole, sent: sendBytes(source) };
}

function placeOf(base: BaseAddress, path: string | URL): { origin: string; path: string } {
  if (path instanceof URL) return { origin: path.origin, path: path.pathname + path.search };
  return { origin: base.origin, path: base.prefix + path };
}

function readToken(getToken: () => string | null): string {
  const token = getToken();
  if (token === null) throw new AppFailure({ code: 'tokenMissing' });
  // Other characters cannot be in a header.
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new AppFailure({ code: 'invalidInput', field: 'token', problem: 'characters' });
  return token;
}

/**
 * Aborts its signal with the caller's, and when the service stalls while the body is sent. Forwards by hand: `AbortSignal.any`
 * would keep its result for as long as the caller's signal lives, which may be as long as the program.
 */
function watchStream(
  { stream }: SentBody,
  cancelSignal: AbortSignal | undefined,
  limitMs: number,
): { signal: AbortSignal; stop: () => void; unlink: () => void } {
  const abort = new AbortController();
  const onCancel = () => abort.abort(cancelSignal?.reason);
  if (cancelSignal?.aborted) onCancel();
  cancelSignal?.addEventListener('abort', onCancel, { once: true });
  const stop = watchSending(stream, limitMs, () =>
    abort.abort(new AppFailure({ code: 'answerTimeout', phase: 'headers', afterMs: limitMs })),
  );
  return { signal: abort.signal, stop, unlink: () => cancelSignal?.removeEventListener('abort', onCancel) };
}

/** Whatever arrives of an error's body within `errorBodyMs`. HTML, an empty or a cut body will do. */
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
