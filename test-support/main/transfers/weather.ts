import type { Readable } from 'node:stream';
import type { AppError } from '../../../src/shared/errors.ts';
import { AppFailure } from '../../../src/shared/app-failure.ts';

/** What goes wrong with requests until the weather changes. */
export type Weather =
  | { kind: 'fine' }
  | { kind: 'unreachable' }
  | { kind: 'refused' }
  | { kind: 'tooMany'; retryAfterMs: number | null }
  | { kind: 'unavailable'; retryAfterMs: number | null }
  | { kind: 'errors' }
  /** Requests are carried out, and their answers lost. */
  | { kind: 'lossy' }
  /** Bodies break off in the middle. */
  | { kind: 'cutting' };

/** For `weatherOf`: from the next upload on, all answers are lost. */
export function lossyFromPost(): (what: string) => Weather | null {
  let isOut = false;
  return (what) => {
    isOut ||= what === 'POST';
    return isOut ? { kind: 'lossy' } : null;
  };
}

/** Carries out a request as far as the weather allows, and returns the response or fails. */
export function answerIn<T>(weather: Weather, what: string, carryOut: () => T): T {
  switch (weather.kind) {
    case 'unreachable':
      return fail({ code: 'unreachable', host: 'x', reason: 'refused' });
    case 'refused':
      return fail({ code: 'tokenRefused', status: 401 });
    case 'tooMany':
      return fail({ code: 'tooManyRequests', status: 429, retryAfterMs: weather.retryAfterMs });
    case 'unavailable':
      return fail({ code: 'serverError', status: 503, retryAfterMs: weather.retryAfterMs });
    case 'errors':
      return fail({ code: 'serverError', status: 500, retryAfterMs: null });
    case 'lossy': {
      try {
        const answer = carryOut() as { body?: Readable };
        answer.body?.destroy();
      } catch {
        // An error response is lost, too.
      }
      const outcomeUnknown = what === 'POST' || what === 'DELETE' || what === 'start';
      return fail({ code: 'connectionLost', doneBytes: 0, expectedBytes: null, outcomeUnknown });
    }
    case 'fine':
    case 'cutting':
      return carryOut();
  }
}

export function fail(error: AppError): never {
  throw new AppFailure(error);
}
