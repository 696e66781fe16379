import { z } from 'zod';
import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import { errors } from 'undici';
import type { AppError, AppErrorOf } from '../../shared/errors.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import { checkObjectId } from '../../shared/domain/object-id.ts';
import { parseJson } from '../lib/json.ts';
import { type SentBody, translateReceived } from './bodies.ts';
import { clientCertificateProblemOf } from './tls-problems.ts';

export type Method = 'HEAD' | 'GET' | 'POST' | 'DELETE';
export type Headers = Record<string, string | string[] | undefined>;

/** Section 2: the operation result body. Unknown fields are dropped. */
export const operationResultSchema = z.object({
  success: z.boolean(),
  status: z.number().int(),
  message: z.string(),
  activityToken: z.string(),
});
export type OperationResult = z.infer<typeof operationResultSchema>;

/** Section 2: the deferred start response. Rejects a token that cannot be a path segment: it could never be used. */
export const deferredStartSchema = z.object({
  DeferredToken: z.string().refine((token) => checkObjectId(token).ok, 'cannot be a path segment'),
});

export function unexpected(status: number, problem: string): AppFailure {
  return new AppFailure({ code: 'unexpectedAnswer', status, problem });
}

/** Something else than the service answered. `problem` is for support: the texts of these two say what to do. */
export function notService(
  kind: NonNullable<AppErrorOf<'unexpectedAnswer'>['notService']>,
  { status, host }: { status: number; host: string },
): AppErrorOf<'unexpectedAnswer'> {
  const problem = kind === 'page' ? 'a web page' : 'an object under a random identifier';
  return { code: 'unexpectedAnswer', status, problem, notService: kind, host };
}

/** Whether a body is a web page. The service answers with bytes, JSON or plain text (section 4). */
export function isPage(headers: Headers): boolean {
  return /^\s*(text\/html|application\/xhtml\+xml)\b/i.test(String(headers['content-type']));
}

/**
 * Whether a gateway may answer a request for bytes like this as well: with a web page, JSON, or nothing. Stored bytes
 * usually come as `application/octet-stream`, as was asked for.
 */
export function mayBeOfGateway(headers: Headers): boolean {
  const type = headers['content-type'];
  if (type === undefined) return parseLength(headers['content-length']) === 0;
  return isPage(headers) || /^\s*application\/(\S+\+)?json\b/i.test(String(type));
}

/** Section 2: of an answer to HEAD. null: absent, or not a whole number of bytes */
export function originalLength(headers: Headers): number | null {
  return parseLength(headers['x-orginal-length']);
}

/** Parses a JSON body. @throws AppFailure unexpectedAnswer, which names the field, never its value */
export function parseAnswer<T>(schema: z.ZodType<T>, status: number, text: string): T {
  const parsed = schema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw unexpected(status, `${issue?.path.join('.') || 'body'}: ${issue?.message ?? 'unknown shape'}`);
}

/** Redirects, of which the interface has none, and 511 of a network that wants a sign-in (RFC 6585). */
const leadsToPage = new Set([301, 302, 303, 307, 308, 511]);

/**
 * The error of a status that is not a success (section 7). The bodies of errors other than 409 are not specified.
 * @param place `serviceNowMs`: by the service's clock, as a date in `Retry-After` is
 */
export function errorOfStatus(
  method: Method,
  status: number,
  headers: Headers,
  text: string,
  { host, serviceNowMs }: { host: string; serviceNowMs: number },
): AppError {
  const body = z
    .object({ message: z.string().catch(''), activityToken: z.string().optional().catch(undefined) })
    .safeParse(parseJson(text)).data;
  const activityToken = body?.activityToken === undefined ? {} : { activityToken: body.activityToken };
  const retryAfterMs = parseRetryAfter(headers['retry-after'], serviceNowMs);
  const problem = `status ${status} to ${method}`;
  switch (status) {
    case 400:
      return { code: 'badRequest', status, ...activityToken };
    case 401:
      return { code: 'tokenRefused', status };
    case 403:
      return { code: 'forbidden', status };
    case 404:
      // An upload asks for nothing that could be missing: the address is wrong.
      if (method === 'POST') break;
      return { code: 'missing', status };
    case 409:
      if (method !== 'POST') break;
      return { code: 'exists', status, message: body?.message ?? '', ...activityToken };
    case 413:
      return { code: 'tooLarge', status };
    case 429:
      return { code: 'tooManyRequests', status, retryAfterMs };
    default:
      if (leadsToPage.has(status)) return { ...notService('page', { status, host }), problem };
      if (status >= 500) return { code: 'serverError', status, retryAfterMs };
  }
  return { code: 'unexpectedAnswer', status, problem };
}

const maxRetryAfterMs = 60 * 60 * 1000;

/** Retry-After as seconds or as an HTTP date; null when absent or invalid, at most an hour, never negative. */
export function parseRetryAfter(value: string | string[] | undefined, nowMs: number): number | null {
  if (typeof value !== 'string') return null;
  const text = value.trim();
  // Date.parse also accepts texts that are not HTTP dates, such as "-5".
  const delayMs = /^\d+$/.test(text)
    ? Number(text) * 1000
    : /^[A-Za-z]{3,9}[, ]/.test(text)
      ? Date.parse(text) - nowMs
      : NaN;
  return Number.isNaN(delayMs) ? null : Math.min(Math.max(delayMs, 0), maxRetryAfterMs);
}

/** A length from a header; null when absent or not a whole number of bytes. */
export function parseLength(value: string | string[] | undefined): number | null {
  if (typeof value !== 'string' || !/^\d+$/.test(value.trim())) return null;
  const lengthBytes = Number(value);
  return Number.isSafeInteger(lengthBytes) ? lengthBytes : null;
}

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createUnzip,
  'x-gzip': createUnzip,
  deflate: createUnzip,
  br: createBrotliDecompress,
};

/** The encoding as named in the response; null: the body is not encoded. */
export function encodingOf(headers: Headers): string | null {
  const names = String(headers['content-encoding'] ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity');
  return names.length === 0 ? null : names.join(', ');
}

/**
 * Decodes a body. The result fails with the error of `received`, or with unexpectedAnswer when it cannot be decoded
 * to its end. null: unknown encoding, and `received` is destroyed.
 */
export function decodeReceived(received: Readable, status: number, encoding: string): Readable | null {
  const decoder = decoders[encoding]?.();
  if (!decoder) {
    received.destroy();
    return null;
  }
  received.on('error', (cause) => decoder.destroy(cause));
  decoder.on('close', () => received.destroy());
  return translateReceived(received.pipe(decoder), (cause) =>
    cause instanceof AppFailure
      ? cause
      : unexpected(status, `content-encoding ${encoding}: ${cause.message}`),
  );
}

export function unknownEncoding(status: number, encoding: string | null): AppFailure {
  const named = encoding?.slice(0, 50) ?? '';
  return new AppFailure({
    code: 'unexpectedAnswer',
    status,
    problem: `content-encoding: ${named}`,
    encoding: named,
  });
}

export interface Timeouts {
  /** Until a connection is established, TLS included. Default 10 s. */
  connectMs: number;
  /**
   * From the end of a request to the headers of its response, and for any stall while sending its body. Default 60 s.
   */
  headersMs: number;
  /** Between two pieces of a response body. Default 60 s. */
  idleBodyMs: number;
  /** A request that takes longer, from the call to the headers of its answer, is reported to `onSlow`. Default 5 s. */
  slowMs: number;
}

interface Circumstances {
  /** The service's host. */
  host: string;
  signal: AbortSignal | undefined;
  sent: SentBody | undefined;
  method: Method;
  timeouts: Timeouts;
}

/** Where the request broke off. */
interface Break {
  cause: unknown;
  phase: 'headers' | 'body';
  doneBytes: number;
  expectedBytes: number | null;
}

/** Translates what undici threw. */
export function failureOf(
  { host, signal, sent, method, timeouts }: Circumstances,
  { cause, phase, doneBytes, expectedBytes }: Break,
): Error {
  if (signal?.aborted)
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
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    const certificateProblem = clientCertificateProblemOf(code);
    // The alert came before the service looked at the request.
    if (certificateProblem) return { code: 'clientCertificateRefused', reason: certificateProblem, host };
    if (phase === 'headers' && isGibberish(cause)) {
      return { code: 'unexpectedAnswer', status: 0, problem: 'not an HTTP answer' };
    }
    const hasConsequences = method === 'POST' || method === 'DELETE';
    return { code: 'connectionLost', doneBytes, expectedBytes, outcomeUnknown: hasConsequences };
  }
}

/** Whether the peer did not answer in HTTP. Some cases are only a SocketError of undici with the message `bad …`. */
export function isGibberish(cause: unknown): boolean {
  return (
    cause instanceof errors.HTTPParserError ||
    cause instanceof errors.HeadersOverflowError ||
    (cause instanceof errors.SocketError && cause.message.startsWith('bad '))
  );
}
