import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hoursOfWeek, type Hour } from '../../../shared/domain/settings.ts';
import { hourNow } from './hours.ts';

const hourMs = 3_600_000;
/** Monday 2026-01-05, 00:00 local time. */
const mondayMs = new Date(2026, 0, 5).getTime();
const all = (hour: Hour): Hour[] => Array.from({ length: hoursOfWeek }, () => hour);
const at = (hours: Hour[], atMs: number) => hourNow({ limitByHour: true, hours }, atMs);

test('without hours the limits always hold', () => {
  expect(hourNow({ limitByHour: false, hours: all('paused') }, mondayMs)).toEqual({
    hour: 'limited',
    untilMs: null,
  });
});

test('the week begins on Monday, and an hour holds until the next that differs', () => {
  const hours = all('full');
  hours.fill('paused', 9, 17);
  expect(at(hours, mondayMs)).toEqual({ hour: 'full', untilMs: mondayMs + 9 * hourMs });
  expect(at(hours, mondayMs + 9 * hourMs)).toEqual({ hour: 'paused', untilMs: mondayMs + 17 * hourMs });
  expect(at(hours, mondayMs + 16.99 * hourMs)).toMatchObject({ hour: 'paused' });
  expect(at(hours, mondayMs + 17 * hourMs)).toEqual({
    hour: 'full',
    untilMs: new Date(2026, 0, 12, 9).getTime(),
  });
});

test('one hour for the whole week never changes', () => {
  expect(at(all('limited'), mondayMs + 1234)).toEqual({ hour: 'limited', untilMs: null });
});

test('on any moment of any week: it holds to its end, and something else follows', () => {
  const hour = fc.constantFrom<Hour>('full', 'limited', 'paused');
  const hours = fc.array(hour, { minLength: hoursOfWeek, maxLength: hoursOfWeek });
  fc.assert(
    fc.property(hours, fc.integer({ min: 0, max: 60 * 24 * 3_600_000 * 7 }), (week, afterMs) => {
      const nowMs = mondayMs + afterMs;
      const now = at(week, nowMs);
      const isOne = new Set(week).size === 1;
      expect(now.untilMs === null).toBe(isOne);
      const untilMs = now.untilMs ?? Infinity;
      expect(untilMs).toBeGreaterThan(nowMs);
      expect(isOne || at(week, untilMs - 1).hour === now.hour).toBe(true);
      expect(isOne || at(week, untilMs).hour !== now.hour).toBe(true);
    }),
    { numRuns: 200 },
  );
});
