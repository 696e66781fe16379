import { z } from 'zod';

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
