import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AppError } from '../../../shared/errors.ts';
import { delayFor, maxDisagreements, maxTries, remedyFor, saysLost } from './failure-policy.ts';
import { saysNothingWasStored } from '../../../shared/failed-requests.ts';

const chance = fc.double({ min: 0, max: 1, noNaN: true });
const lost: AppError = { code: 'connectionLost', doneBytes: 0, expectedBytes: null, outcomeUnknown: true };
const serverError = (status: number, retryAfterMs: number | null = null): AppError => ({
  code: 'serverError',
  status,
  retryAfterMs,
});

describe('remedy', () => {
  test.each<AppError>([
    { code: 'badRequest', status: 400 },
    { code: 'forbidden', status: 403 },
    { code: 'missing', status: 404 },
    { code: 'exists', status: 409, message: '' },
    { code: 'tooLarge', status: 413 },
    { code: 'unexpectedAnswer', status: 304, problem: '' },
    { code: 'diskFull', folderName: 'd' },
    { code: 'fileChanged', fileName: 'f' },
    { code: 'unexpected', reference: 'r' },
  ])('$code fails at once', (error) => {
    expect(remedyFor(error, 1, 0.5)).toEqual({ kind: 'fail' });
  });

  test('waits for a new token when it is refused or missing', () => {
    expect(remedyFor({ code: 'tokenRefused', status: 401 }, 1, 0.5).kind).toBe('awaitToken');
    expect(remedyFor({ code: 'tokenMissing' }, 1, 0.5).kind).toBe('awaitToken');
  });

  test.each<AppError>([
    { code: 'unreachable', host: 'h', reason: 'refused' },
    { code: 'proxyFailed', reason: 'passwordMissing', proxy: 'http://p', answered: 407 },
    { code: 'clientCertificateRefused', reason: 'missing', host: 'h' },
    { code: 'badClientCertificate', problem: 'passphrase', fileName: 'f' },
    { code: 'keychain', problem: 'locked' },
    { code: 'unexpectedAnswer', status: 200, problem: '', notService: 'page', host: 'h' },
    { code: 'unexpectedAnswer', status: 302, problem: '', notService: 'page', host: 'h' },
    { code: 'unexpectedAnswer', status: 200, problem: '', notService: 'everything', host: 'h' },
    { code: 'tooManyRequests', status: 429, retryAfterMs: null },
    serverError(502),
    serverError(503),
    serverError(504),
    serverError(503, 120_000),
    serverError(500, 1000),
  ])('$code $status holds the whole service, however often', (error) => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), chance, (tries, random) => {
        expect(remedyFor(error, tries, random).kind).toBe('hold');
      }),
    );
  });

  test.each<AppError>([lost, { code: 'answerTimeout' } as AppError, serverError(500), { code: 'cancelled' }])(
    '$code is tried a handful of times, by itself',
    (error) => {
      const remedies = Array.from({ length: maxTries }, (_, index) => remedyFor(error, index + 1, 0.5));
      expect(remedies.at(-1)).toEqual({ kind: 'fail' });
      const delays = remedies.map((remedy) => (remedy.kind === 'retry' ? remedy.delayMs : 0));
      expect(delays).toEqual([750, 1500, 3000, 6000, 12_000, 0]);
    },
  );

  test('fetches mismatching bytes three times in all', () => {
    const error: AppError = { code: 'digestDiffers', expected: 'a', actual: 'b' };
    const kinds = Array.from(
      { length: maxDisagreements },
      (_, index) => remedyFor(error, index + 1, 0.5).kind,
    );
    expect(kinds).toEqual(['retry', 'retry', 'fail']);
  });
});

describe('delay', () => {
  test('doubles up to a minute with 50 % jitter', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), chance, (times, random) => {
        const delayMs = delayFor(times, null, random);
        expect(delayMs).toBeGreaterThanOrEqual(500);
        expect(delayMs).toBeLessThanOrEqual(60_000);
        expect(delayFor(times + 1, null, random)).toBeGreaterThanOrEqual(delayMs);
      }),
    );
  });

  test('is never below Retry-After, up to an hour', () => {
    fc.assert(
      fc.property(
        fc.nat(3_600_000),
        fc.integer({ min: 1, max: 99 }),
        chance,
        (retryAfterMs, times, random) => {
          const delayMs = delayFor(times, retryAfterMs, random);
          expect(delayMs).toBeGreaterThanOrEqual(retryAfterMs);
          expect(delayMs).toBeLessThanOrEqual(retryAfterMs + 1000);
        },
      ),
    );
    expect(delayFor(1, 1e12, 0.5)).toBe(3_600_500);
  });
});

test('only a refusal or an unsent request proves that nothing was stored', () => {
  const yes: AppError[] = [
    { code: 'forbidden', status: 403 },
    { code: 'exists', status: 409, message: '' },
    { code: 'tooManyRequests', status: 429, retryAfterMs: null },
    { code: 'unreachable', host: 'h', reason: 'refused' },
    { code: 'proxyFailed', reason: 'denied', proxy: 'http://p', answered: 404 },
    { code: 'clientCertificateRefused', reason: 'missing', host: 'h' },
    { code: 'fileChanged', fileName: 'f' },
  ];
  expect(yes.filter((error) => !saysNothingWasStored(error))).toEqual([]);
  const no: AppError[] = [
    lost,
    serverError(500),
    serverError(503, 1000),
    { code: 'unexpectedAnswer', status: 200, problem: '' },
    { code: 'cancelled' },
  ];
  expect(no.filter(saysNothingWasStored)).toEqual([]);
});

describe('the result of a deferred request', () => {
  const missing: AppError = { code: 'missing', status: 404 };

  test('loses it inside the window only after three 404s in a row', () => {
    expect([1, 2, 3].map((tries) => saysLost(missing, false, tries))).toEqual([false, false, true]);
    expect(saysLost(missing, true, 1)).toBe(true);
  });

  test('does not lose it inside the window by any number of server errors', () => {
    expect(saysLost(serverError(500), false, 1000)).toBe(false);
    expect(saysLost(serverError(500), true, maxTries)).toBe(true);
    expect(saysLost(lost, true, 1000)).toBe(false);
  });
});
