import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import * as format from './format.ts';
import {
  formatAgo,
  formatBytes,
  formatCount,
  formatDuration,
  formatList,
  formatMoment,
  formatPercent,
  formatProgress,
  formatRate,
  formatRemaining,
  formatSize,
  formatSizeToEdit,
  formatStopwatch,
  formatTime,
  formatUntil,
  formatWeekday,
  readSize,
  sizeTexts,
} from './format.ts';
import { chooseLanguage, setLanguage } from './language.ts';

describe('sizes', () => {
  it('are decimal, with one decimal from 1 MB', () => {
    expect([0, 411, 999, 1000, 86_400, 999_499].map(formatSize)).toEqual([
      '0 B',
      '411 B',
      '999 B',
      '1 KB',
      '86 KB',
      '999 KB',
    ]);
    expect([999_500, 1_000_000, 38_400_000, 999_960_000].map(formatSize)).toEqual([
      '1.0 MB',
      '1.0 MB',
      '38.4 MB',
      '1.0 GB',
    ]);
    expect(formatBytes(47_800_000)).toEqual({ number: '47.8', unit: 'MB' });
  });

  it('give the bytes once if the short form is in bytes', () => {
    expect(sizeTexts(61)).toEqual({ short: '61 bytes', exact: null });
    expect(sizeTexts(4_821_336)).toEqual({ short: '4.8 MB', exact: '4,821,336 bytes' });
  });

  it('give the unit once if both have it', () => {
    expect(formatProgress(24_600_000, 38_400_000)).toBe('24.6 of 38.4 MB');
    expect(formatProgress(512_000, 38_400_000)).toBe('512 KB of 38.4 MB');
  });
});

it('formats configured rates', () => {
  expect([2000, 999_000, 1_500_000, 5_000_000].map(formatRate)).toEqual([
    '2 KB/s',
    '999 KB/s',
    '1.5 MB/s',
    '5 MB/s',
  ]);
});

it('lists leave out null and false', () => {
  expect(formatList(['a', false, null, 'b'])).toBe('a, b');
  expect(formatList([])).toBe('');
});

describe('times', () => {
  const now = new Date(2026, 6, 15, 17, 40).getTime();
  it('get shorter the nearer they are', () => {
    expect(formatTime(new Date(2026, 6, 15, 9, 5).getTime(), now)).toBe('09:05');
    expect(formatTime(new Date(2026, 6, 13).getTime(), now)).toMatch(/^(13 Jul|Jul 13)$/);
    expect(formatTime(new Date(2025, 10, 3).getTime(), now)).toContain('2025');
  });

  it('have the time of day in formatMoment', () => {
    expect(formatMoment(new Date(2026, 6, 15, 9, 5).getTime(), now)).toBe('Today 09:05');
    expect(formatMoment(new Date(2026, 6, 13, 9, 5).getTime(), now)).toMatch(/13.*09:05$/);
    expect(formatMoment(new Date(2025, 10, 3, 9, 5).getTime(), now)).toMatch(/2025.*09:05$/);
    expect(formatMoment(9e15, now)).toBe('Unknown');
  });

  it('are relative in formatAgo', () => {
    const minutes = (count: number) => now - count * 60_000;
    expect([0, 1, 44, 60, 180].map((count) => formatAgo(minutes(count), now))).toEqual([
      'Just now',
      '1 min ago',
      '44 min ago',
      '1 h ago',
      '3 h ago',
    ]);
    expect(formatAgo(new Date(2026, 6, 14, 23, 59).getTime(), now)).toBe('Yesterday');
    expect(formatAgo(new Date(2026, 6, 14, 0, 0).getTime(), now)).toBe('Yesterday');
    expect(formatAgo(new Date(2026, 6, 13, 23, 59).getTime(), now)).toMatch(/13/);
  });
});

it('durations, counts and percents', () => {
  expect([0, 900, 7000, 59_999, 120_000, 3_600_000, 3_900_000, 7_199_000].map(formatDuration)).toEqual([
    '0 s',
    '1 s',
    '7 s',
    '60 s',
    '2 min',
    '1 h',
    '1 h 5 min',
    '2 h',
  ]);
  expect(formatCount(1204)).toBe('1,204');
  expect([0, 0.379, 0.999, 1, 2].map(formatPercent)).toEqual(['0%', '37%', '99%', '100%', '100%']);
});

it('shows seconds near the end of a countdown, and never rounds up', () => {
  expect([1_800_000, 1_799_000, 121_000, 120_000, 108_900, 59_999, 0].map(formatRemaining)).toEqual([
    '30 min',
    '29 min',
    '2 min',
    '2 min 0 s',
    '1 min 48 s',
    '59 s',
    '0 s',
  ]);
  expect([120_000, 108_900, 7000, -5].map(formatStopwatch)).toEqual(['2:00', '1:48', '0:07', '0:00']);
});

it('nothing throws, whatever the number', () => {
  const anyNumber = fc.oneof(
    fc.double(),
    fc.constantFrom(8.64e15, 8.64e15 + 1, -8.64e15 - 1, 9e15, 1e18, 1.5, -0, Infinity, -Infinity, NaN),
  );
  const { formatList: _list, readSize: _read, ...ofNumbers } = format;
  const formatters = Object.values(ofNumbers) as ((...numbers: number[]) => unknown)[];
  expect(formatters.length).toBeGreaterThan(12);
  fc.assert(
    fc.property(anyNumber, fc.constantFrom(...formatters), (number, formatOne) => {
      formatOne(number, number);
    }),
    { numRuns: 2000 },
  );
  expect(formatTime(9e15)).toBe('Unknown');
  expect(formatAgo(-9e15)).toBe('Unknown');
});

it('shows a time, with the day if it is more than a day ahead', () => {
  const nowMs = new Date(2026, 6, 17, 20).getTime();
  expect(formatUntil(new Date(2026, 6, 18, 8).getTime(), nowMs)).toBe('08:00');
  expect(formatUntil(new Date(2026, 6, 20, 8).getTime(), nowMs)).toBe('Mon 08:00');
  expect(formatUntil(Infinity, nowMs)).toBe('Unknown');
});

it('writes a size to be edited exactly, and reads it', () => {
  expect([50_000_000, 52_428_800, 1_000_001, 61].map(formatSizeToEdit)).toEqual([
    '50 MB',
    '52.4288 MB',
    '1.000001 MB',
    '61 B',
  ]);
  expect(['50 MB', '50mb', ' 1,000,000 ', '1.5 GB', '10 KB'].map(readSize)).toEqual([
    50_000_000, 50_000_000, 1_000_000, 1_500_000_000, 10_000,
  ]);
  expect(['', 'MB', '50 M', '-1 MB', '0', '1 2', '9e99 TB'].map(readSize)).toEqual(Array(7).fill(null));
});

describe('in another language', () => {
  afterEach(() => setLanguage(chooseLanguage('en', [])));

  it.each([['de-DE'], ['ar-EG'], ['en-GB']])('reads each size that it writes for %s', (tag) => {
    setLanguage(chooseLanguage(tag.slice(0, 2) as 'de', [tag]));
    const size = fc.integer({ min: 1, max: 1e14 });
    expect(() =>
      fc.assert(fc.property(size, (bytes) => readSize(formatSizeToEdit(bytes)) === bytes)),
    ).not.toThrow();
  });

  it('numbers, dates and lists are those of its locale', () => {
    setLanguage(chooseLanguage('de', ['de-DE']));
    expect(formatSize(38_400_000)).toBe('38,4 MB');
    expect(formatCount(1_234_567)).toBe('1.234.567');
    expect(formatPercent(0.64)).toMatch(/^64\s%$/);
    expect(formatWeekday(0)).toBe('Montag');
    setLanguage(chooseLanguage('ar', ['ar-EG']));
    expect(formatCount(1284)).toBe('١٬٢٨٤');
    expect(formatList(['أ', 'ب'])).toMatch(/أ.*ب/);
  });
});
