import { hoursOfWeek, type Hour, type Settings } from '../../../shared/domain/settings.ts';

const hourMs = 3_600_000;

/** What may flow now, and until when that holds (wall clock, ms); null: as long as nobody changes it. */
export interface HourNow {
  readonly hour: Hour;
  readonly untilMs: number | null;
}

/** By the hours of the week in local time, Monday first; without `limitByHour` the limits always hold. */
export function hourNow(
  { limitByHour, hours }: Pick<Settings, 'limitByHour' | 'hours'>,
  nowMs: number,
): HourNow {
  if (!limitByHour) return { hour: 'limited', untilMs: null };
  const hour = hours[indexOf(nowMs)] ?? 'full';
  // From full hour to full hour, so that a change to or from summer time is met as it comes.
  let atMs = nextHourMs(nowMs);
  for (let count = 0; count < hoursOfWeek; count += 1) {
    if ((hours[indexOf(atMs)] ?? 'full') !== hour) return { hour, untilMs: atMs };
    atMs = nextHourMs(atMs);
  }
  return { hour, untilMs: null };
}

function indexOf(atMs: number): number {
  const date = new Date(atMs);
  return ((date.getDay() + 6) % 7) * 24 + date.getHours();
}

function nextHourMs(atMs: number): number {
  const date = new Date(atMs);
  date.setMinutes(0, 0, 0);
  return date.getTime() + hourMs;
}
