import { errors } from 'undici';
import { type AppError } from '../../shared/errors.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import type { Method } from './responses.ts';
import type { SentBody } from './bodies.ts';
import { clientCertificateProblemOf } from './tls-problems.ts';

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
