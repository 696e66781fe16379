import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { hoursOfWeek, type Hour } from '../../../../shared/domain/settings.ts';
import { hourNow } from './limits.ts';

const hourMs = 3_600_000;
/** Monday 2026-01-05, 00:00 local time. */
const mondayMs = new Date(2026, 0, 5).getTime();
const all = (hour: Hour): Hour[] => Array.from({ length: hoursOfWeek }, () => hour);
const at = (hours: Hour[], atMs: number) => hourNow({ limitByHour: true, hours }, atMs);

test('without hours the limits always apply', () => {
  expect(hourNow({ limitByHour: false, hours: all('paused') }, mondayMs)).toEqual({
    hour: 'limited',
    untilMs: null,
  });
});

test('the week begins on Monday, and an hour lasts until the next that differs', () => {
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

test('at any moment of any week, the hour lasts until its end, and another one follows', () => {
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

const minuteMs = 60_000;

/** Restores TZ after a test that sets it, which takes effect at once. */
function keepZone(): void {
  const zone = process.env['TZ'];
  onTestFinished(() => {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  });
}

const offsetAt = (atMs: number) => new Date(atMs).getTimezoneOffset();

/** When clocks are set forward or back here, to the minute. */
function transitions(fromMs: number, toMs: number): number[] {
  const found: number[] = [];
  for (let dayMs = fromMs; dayMs < toMs; dayMs += 24 * hourMs) {
    let [before, after] = [dayMs, dayMs + 24 * hourMs];
    if (offsetAt(before) === offsetAt(after)) continue;
    while (after - before > minuteMs) {
      const middle = before + Math.trunc((after - before) / 2 / minuteMs) * minuteMs;
      if (offsetAt(middle) === offsetAt(before)) before = middle;
      else after = middle;
    }
    found.push(after);
  }
  return found;
}

/** Minute by minute. */
function endOf(hours: Hour[], nowMs: number): number {
  const { hour } = at(hours, nowMs);
  let atMs = Math.floor(nowMs / minuteMs) * minuteMs + minuteMs;
  while (at(hours, atMs).hour === hour) atMs += minuteMs;
  return atMs;
}

test('around every change of summer time in every zone, an hour ends at its time of day', () => {
  keepZone();
  const quarterMs = 15 * minuteMs;
  const hours = Array.from({ length: hoursOfWeek }, (_, index): Hour => (index % 2 ? 'paused' : 'full'));
  const done = new Set<string>();
  for (const timeZone of Intl.supportedValuesOf('timeZone')) {
    process.env['TZ'] = timeZone;
    const all = transitions(Date.UTC(2026, 0), Date.UTC(2028, 0));
    // Check zones with the same transitions only once.
    const key = all.map((atMs) => `${String(atMs)} ${String(offsetAt(atMs))}`).join();
    if (all.length === 0 || done.has(key)) continue;
    done.add(key);
    for (const changeMs of all) {
      for (let nowMs = changeMs - 2 * hourMs - 1; nowMs <= changeMs + 2 * hourMs; nowMs += quarterMs) {
        expect(at(hours, nowMs).untilMs, `${timeZone} ${new Date(nowMs).toISOString()}`).toBe(
          endOf(hours, nowMs),
        );
      }
    }
  }
  expect(done.size).toBeGreaterThan(20);
});

test('an hour that summer time leaves out comes a week later', () => {
  keepZone();
  process.env['TZ'] = 'Europe/Berlin';
  const hours = all('paused');
  // Sunday, two o'clock.
  hours[6 * 24 + 2] = 'full';
  const endMs = new Date(2026, 2, 22, 3).getTime();
  expect(at(hours, endMs)).toEqual({ hour: 'paused', untilMs: new Date(2026, 3, 5, 2).getTime() });
});
