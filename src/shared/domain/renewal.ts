import { z } from 'zod';

/** A day of the calendar wherever it is read, `2026-10-01`: by then a secret is to have a new value. */
export const renewBySchema = z.iso.date('is not a date (YYYY-MM-DD)');

/** How many days before it a person is reminded, the earliest first. */
export const remindDays = [30, 7, 0] as const;
export type RemindDay = (typeof remindDays)[number];

const dayMs = 86_400_000;

/** The day here, of a moment. */
export function dateOf(atMs: number): string {
  const at = new Date(atMs);
  const two = (figure: number) => String(figure).padStart(2, '0');
  return `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/** Whole days from today, here; 0: today, less: it is over. */
export function daysUntil(renewBy: string, nowMs: number): number {
  return Math.round((Date.parse(renewBy) - Date.parse(dateOf(nowMs))) / dayMs);
}

/** The last of the reminders that is due; null: none is yet. */
export function dueReminder(renewBy: string, nowMs: number): RemindDay | null {
  const days = daysUntil(renewBy, nowMs);
  return remindDays.findLast((before) => days <= before) ?? null;
}

/** Its moment, to be shown as a day: noon is that day in every time zone that has a summer. */
export function momentOf(renewBy: string): number {
  const [year = 0, month = 1, day = 1] = renewBy.split('-').map(Number);
  return new Date(year, month - 1, day, 12).getTime();
}
