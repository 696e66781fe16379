import { z } from 'zod';

/** A calendar day in the local time zone, `2026-10-01`, by which a secret is to get a new value. */
export const renewBySchema = z.iso.date('is not a date (YYYY-MM-DD)');

/** When to remind, in days before that date, earliest first. */
export const remindDays = [30, 7, 0] as const;
export type RemindDay = (typeof remindDays)[number];

const dayMs = 86_400_000;

/** The local date of a moment. */
export function dateOf(atMs: number): string {
  const at = new Date(atMs);
  const two = (figure: number) => String(figure).padStart(2, '0');
  return `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/** Whole days from today, local time. 0: today; negative: past. */
export function daysUntil(renewBy: string, nowMs: number): number {
  return Math.round((Date.parse(renewBy) - Date.parse(dateOf(nowMs))) / dayMs);
}

/** The latest reminder that is due; null: none yet. */
export function dueReminder(renewBy: string, nowMs: number): RemindDay | null {
  const days = daysUntil(renewBy, nowMs);
  return remindDays.findLast((before) => days <= before) ?? null;
}

/** A moment to format as this day: noon, which is on that day in every time zone with daylight saving. */
export function momentOf(renewBy: string): number {
  const [year = 0, month = 1, day = 1] = renewBy.split('-').map(Number);
  return new Date(year, month - 1, day, 12).getTime();
}
