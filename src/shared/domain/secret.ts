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

/** Typed text, or a file that was chosen or dropped. */
export const secretSourceSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('text'), text: z.string().min(1).max(20_000) }),
  z.strictObject({ kind: z.literal('grant'), grant: z.string().max(64) }),
  /** From a command. */
  z.strictObject({ kind: z.literal('bytes'), base64: z.base64().max(20_000) }),
]);
export type SecretSource = z.infer<typeof secretSourceSchema>;

/** The value, only for the field that displays it. */
export const secretValueSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: z.string(), lengthBytes: z.number() }),
  /** Not UTF-8: two hex digits per byte. */
  z.object({ kind: z.literal('binary'), hex: z.string(), lengthBytes: z.number() }),
]);
export type SecretValue = z.infer<typeof secretValueSchema>;

export const generatorSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('password'),
    length: z.number().int().min(8).max(128),
    capitals: z.boolean(),
    digits: z.boolean(),
    symbols: z.boolean(),
  }),
  z.strictObject({ kind: z.literal('passphrase'), words: z.number().int().min(4).max(12) }),
]);
export type Generator = z.infer<typeof generatorSchema>;

/** How long a revealed value stays on screen, and a copied one on the clipboard. */
export const revealMs = 30_000;
export const clipboardMs = 45_000;

export const clipboardStateSchema = z.object({
  /** The secret whose value is on the clipboard; null: none, or an invitation to a team. */
  objectId: z.number().nullable(),
  /** null: nothing of ours is on the clipboard. */
  clearsAtMs: z.number().nullable(),
  /** It is due to be cleared, but the system allows that only while Coffer's window has the focus. */
  waitsForFocus: z.boolean(),
});
export type ClipboardState = z.infer<typeof clipboardStateSchema>;
