import type { Hour, Settings } from '../../../../shared/domain/settings.ts';

/** In every time zone, offsets from UTC are multiples of 15 minutes, and change only at such a multiple. */
const quarterMs = 15 * 60_000;
/** Two weeks and a day: an hour that summer time leaves out comes only a week later. */
const farthestMs = 15 * 24 * 3_600_000;

type Hours = Pick<Settings, 'limitByHour' | 'hours'>;

/** The limit in force, and when it ends (wall clock, ms); null: only a change of settings ends it. */
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
  // Step in UTC: a local hour comes twice when summer time ends.
  let atMs = Math.floor(nowMs / quarterMs) * quarterMs + quarterMs;
  for (; atMs <= nowMs + farthestMs; atMs += quarterMs)
    if (hourAt(settings, atMs) !== hour) return { hour, untilMs: atMs };
  return { hour, untilMs: null };
}
