import { describe, expect, it, test } from 'vitest';
import { createServiceClock } from './service-clock.ts';

const nowMs = Date.UTC(2026, 10, 26, 12, 0, 0, 500);
const dateAt = (atMs: number) => ({ date: new Date(atMs).toUTCString() });

/** @param answers `Date` header, own moment and duration of each @returns how far ahead the service's clock is after them */
function offsetAfter(...answers: Parameters<ReturnType<typeof createServiceClock>['learn']>[]): number {
  const clock = createServiceClock();
  for (const answer of answers) clock.learn(...answer);
  return clock.momentOf(nowMs) - nowMs;
}

describe('the service’s clock', () => {
  it('is the own one where they agree within the second of the header and the time of the request', () => {
    expect(offsetAfter([dateAt(nowMs), nowMs, 20])).toBe(0);
    expect(offsetAfter([dateAt(nowMs - 3000), nowMs, 3000])).toBe(0);
  });

  it('is as far ahead or behind as is certain', () => {
    expect(offsetAfter([dateAt(nowMs + 60_000), nowMs, 20])).toBe(59_500);
    expect(offsetAfter([dateAt(nowMs - 60_000), nowMs, 20])).toBe(-60_500 + 999 + 20);
  });

  it('comes in whole milliseconds, whatever fraction of one a request took', () => {
    expect(offsetAfter([dateAt(nowMs - 60_000), nowMs, 19.3])).toBe(-60_500 + 999 + 20);
  });

  it('gets more exact with each answer, and a long upload takes nothing back', () => {
    const short = [dateAt(nowMs + 60_400), nowMs, 20] as const;
    const known = offsetAfter([...short]);
    expect(offsetAfter([...short], [dateAt(nowMs + 60_400), nowMs, 120_000])).toBe(known);
  });

  it('follows an own clock that is set', () => {
    expect(
      offsetAfter([dateAt(nowMs + 60_000), nowMs, 20], [dateAt(nowMs + 60_000), nowMs + 60_000, 20]),
    ).toBe(519);
  });

  test.each([
    ['none', {}],
    ['two', { date: ['a', 'b'] }],
    ['no date', { date: 'Thu, yesterday' }],
    ['a number', { date: '-5' }],
    ['one of an answer that was kept on the way', { ...dateAt(nowMs - 3_600_000), age: '3600' }],
    ['1970', dateAt(0)],
    ['a hundred years', dateAt(nowMs + 100 * 365 * 86_400_000)],
  ])('%s changes nothing', (_, headers) => {
    expect(offsetAfter([headers, nowMs, 20])).toBe(0);
  });
});
