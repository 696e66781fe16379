import { formatHourClock, formatWeekday } from '../../../shared/i18n/format.ts';
import { inlineKey } from '../../app/inline-key.ts';
import type { Hour } from '../../../shared/domain/settings.ts';
import { settingsTexts as texts } from '../../i18n/settings-texts.ts';

export const hoursOfDay = 24;
export const daysOfWeek = 7;

/**
 * Sets all hours in the rectangle between two hours, by day and by time: dragging from Monday 08 to Friday 17 paints
 * the working week.
 */
export function paint(hours: readonly Hour[], from: number, to: number, brush: Hour): Hour[] {
  const between = (value: number, a: number, b: number) => value >= Math.min(a, b) && value <= Math.max(a, b);
  return hours.map((hour, index) =>
    between(dayOf(index), dayOf(from), dayOf(to)) && between(timeOf(index), timeOf(from), timeOf(to))
      ? brush
      : hour,
  );
}

export function dayOf(index: number): number {
  return Math.floor(index / hoursOfDay);
}

export function timeOf(index: number): number {
  return index % hoursOfDay;
}

/** The hour that a key moves to, within the week. */
export function hourBeside(index: number, key: string): number | null {
  const day = dayOf(index);
  const time = timeOf(index);
  const way = inlineKey(key);
  if (way === 'start') return Math.max(time - 1, 0) + day * hoursOfDay;
  if (way === 'end') return Math.min(time + 1, hoursOfDay - 1) + day * hoursOfDay;
  switch (key) {
    case 'ArrowUp':
      return time + Math.max(day - 1, 0) * hoursOfDay;
    case 'ArrowDown':
      return time + Math.min(day + 1, daysOfWeek - 1) * hoursOfDay;
    case 'Home':
      return day * hoursOfDay;
    case 'End':
      return (day + 1) * hoursOfDay - 1;
    default:
      return null;
  }
}

/** Local time; the week begins on Monday. */
export function hourAt(atMs: number): number {
  const at = new Date(atMs);
  return ((at.getDay() + 6) % daysOfWeek) * hoursOfDay + at.getHours();
}

/** `Wednesday 09:00 to 10:00`. */
export function hourName(index: number): string {
  return texts.hourOfDay({
    day: formatWeekday(dayOf(index)),
    from: formatHourClock(timeOf(index)),
    to: formatHourClock(timeOf(index) + 1),
  });
}
