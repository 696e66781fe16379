import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AppError } from '../../shared/errors.ts';
import { maxTries, remedyFor } from './retry.ts';

const past = { tries: 1, troubles: 1, random: 0.5 };
const unreachable: AppError = { code: 'unreachable', host: 'h', reason: 'refused' };
const lost: AppError = { code: 'connectionLost', doneBytes: 0, expectedBytes: null, outcomeUnknown: true };
const serverError: AppError = { code: 'serverError', status: 503, retryAfterMs: null };
const busy = (retryAfterMs: number | null): AppError => ({
  code: 'tooManyRequests',
  status: 429,
  retryAfterMs,
});

describe('remedy', () => {
  test.each<AppError>([
    { code: 'badRequest', status: 400 },
    { code: 'forbidden', status: 403 },
    { code: 'missing', status: 404 },
    { code: 'tooLarge', status: 413 },
    { code: 'unexpectedAnswer', status: 302, problem: '' },
    { code: 'diskFull', folderName: 'd' },
    { code: 'fileChanged', fileName: 'f' },
    { code: 'unexpected', reference: 'r' },
  ])('$code fails at once', (error) => {
    expect(remedyFor(error, past)).toEqual({ kind: 'fail' });
  });

  test('a token that is refused or not there is waited for', () => {
    expect(remedyFor({ code: 'tokenRefused', status: 401 }, past).kind).toBe('awaitToken');
    expect(remedyFor({ code: 'tokenMissing' }, past).kind).toBe('awaitToken');
  });

  test.each([unreachable, busy(null)])(
    '$code is tried without end, by everyone, never later than a minute',
    (error) => {
      fc.assert(
        fc.property(
          fc.nat(),
          fc.nat(),
          fc.double({ min: 0, max: 1, noNaN: true }),
          (tries, troubles, random) => {
            const remedy = remedyFor(error, { tries, troubles: troubles + 1, random });
            expect(remedy).toMatchObject({ kind: 'retry', everyone: true });
            const delayMs = remedy.kind === 'retry' ? remedy.delayMs : 0;
            expect(delayMs).toBeGreaterThanOrEqual(500);
            expect(delayMs).toBeLessThanOrEqual(60_000);
          },
        ),
      );
    },
  );

  test.each([lost, serverError, { code: 'cancelled' } as const])(
    '$code is tried a handful of times, by itself',
    (error) => {
      const kinds = Array.from({ length: maxTries }, (_, index) =>
        remedyFor(error, { ...past, tries: index + 1 }),
      );
      expect(kinds.slice(0, -1)).toEqual(
        Array(maxTries - 1).fill(expect.objectContaining({ kind: 'retry', everyone: false })),
      );
      expect(kinds.at(-1)).toEqual({ kind: 'fail' });
      const delays = kinds.map((remedy) => (remedy.kind === 'retry' ? remedy.delayMs : 0));
      expect(delays).toEqual([750, 1500, 3000, 6000, 12_000, 0]);
    },
  );

  test('Retry-After is the least, up to an hour', () => {
    fc.assert(
      fc.property(fc.nat(3_600_000), fc.double({ min: 0, max: 1, noNaN: true }), (retryAfterMs, random) => {
        const remedy = remedyFor(busy(retryAfterMs), { ...past, random });
        const delayMs = remedy.kind === 'retry' ? remedy.delayMs : -1;
        expect(delayMs).toBeGreaterThanOrEqual(retryAfterMs);
        expect(delayMs).toBeLessThanOrEqual(retryAfterMs + 1000);
      }),
    );
    expect(remedyFor(busy(1e12), past)).toMatchObject({ delayMs: 3_600_500 });
  });
});
