import type { Hour, Settings } from '../../../../shared/domain/settings.ts';

/** Everywhere clocks are a whole number of quarters ahead of or behind UTC, and are changed at one. */
const quarterMs = 15 * 60_000;
/** Beyond a week: the one in which summer time begins has an hour less. */
const farthestMs = 15 * 24 * 3_600_000;

type Hours = Pick<Settings, 'limitByHour' | 'hours'>;

/** What may flow now, and until when that holds (wall clock, ms); null: as long as nobody changes it. */
export interface HourNow {
  readonly hour: Hour;
  readonly untilMs: number | null;
}

/** By the hours of the week in local time, Monday first; without `limitByHour` the limits always hold. */
export function hourAt({ limitByHour, hours }: Hours, atMs: number): Hour {
  if (!limitByHour) return 'limited';
  const date = new Date(atMs);
  return hours[((date.getDay() + 6) % 7) * 24 + date.getHours()] ?? 'full';
}

export function hourNow(settings: Hours, nowMs: number): HourNow {
  const hour = hourAt(settings, nowMs);
  if (!settings.limitByHour) return { hour, untilMs: null };
  // In UTC: a local hour comes twice when summer time ends.
  let atMs = Math.floor(nowMs / quarterMs) * quarterMs + quarterMs;
  for (; atMs <= nowMs + farthestMs; atMs += quarterMs)
    if (hourAt(settings, atMs) !== hour) return { hour, untilMs: atMs };
  return { hour, untilMs: null };
}
