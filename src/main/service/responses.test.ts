import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { errorOfStatus, parseLength, parseRetryAfter } from './responses.ts';

const nowMs = Date.parse('2026-11-20T12:00:00Z');

describe('Retry-After', () => {
  test.each([
    ['0', 0],
    ['120', 120_000],
    [' 5 ', 5_000],
    ['999999999999', 3_600_000],
    ['Fri, 20 Nov 2026 12:00:30 GMT', 30_000],
    ['Friday, 20-Nov-26 12:00:30 GMT', 30_000],
    ['Fri Nov 20 12:00:30 2026 GMT', 30_000],
    ['Fri, 20 Nov 2026 11:00:00 GMT', 0],
    ['Fri, 20 Nov 2036 11:00:00 GMT', 3_600_000],
    ['-5', null],
    ['1.5', null],
    ['soon', null],
    ['', null],
    ['2026', 2_026_000],
    [undefined, null],
    [['1', '2'], null],
  ])('%j is %j ms', (value, delayMs) => {
    expect(parseRetryAfter(value, nowMs)).toBe(delayMs);
  });

  test('whatever the header says, the delay is absent or between zero and an hour', () => {
    const date = fc.date({ noInvalidDate: true }).map((each) => each.toUTCString());
    const seconds = fc.nat().map(String);
    const found = new Set<number | null>();
    fc.assert(
      fc.property(fc.oneof(fc.string(), seconds, date), (value) => {
        const delayMs = parseRetryAfter(value, nowMs);
        found.add(delayMs);
        expect(delayMs === null || (delayMs >= 0 && delayMs <= 3_600_000)).toBe(true);
      }),
    );
    expect(found.size).toBeGreaterThan(2);
  });
});

test.each([
  ['7', 7],
  [' 7 ', 7],
  ['+7', null],
  ['0x7', null],
  ['9007199254740993', null],
  [['1', '1'], null],
  [undefined, null],
])('length %j is %j', (value, lengthBytes) => {
  expect(parseLength(value)).toBe(lengthBytes);
});

const place = { host: 'service.example', serviceNowMs: 0 };

test.each([500, 501, 502, 503, 504, 507, 599])(
  '%i is a fault of the service, with when to come again',
  (status) => {
    for (const method of ['HEAD', 'GET', 'POST', 'DELETE'] as const) {
      const error = errorOfStatus(method, status, { 'retry-after': '120' }, '<html>', place);
      expect(error).toEqual({ code: 'serverError', status, retryAfterMs: 120_000 });
      expect(errorOfStatus(method, status, {}, '', place)).toEqual({
        code: 'serverError',
        status,
        retryAfterMs: null,
      });
    }
  },
);
