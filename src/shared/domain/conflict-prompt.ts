import { z } from 'zod';
import { transferIdSchema } from './transfer.ts';

/** The conflict prompt of an upload: its identifier exists already (409). */
export const conflictPromptSchema = z.object({
  transferId: transferIdSchema,
  identifier: z.string(),
  /** Uploads waiting for an answer, including this one: those of watched folders, or the others. */
  waiting: z.number(),
  /**
   * Why a Replace asks. `changed`: the object is not the one the person agreed to replace; it was not touched. `third`: somebody
   * stored another object after the deletion.
   */
  replacing: z.enum(['changed', 'third']).exactOptional(),
  yours: z.object({
    lengthBytes: z.number(),
    modifiedAtMs: z.number(),
    /** null: too slow to compute, or the file is unreadable. */
    sha256: z.string().nullable(),
    classification: z.string().nullable(),
  }),
  stored: z.object({
    lengthBytes: z.number().nullable(),
    storedAtMs: z.number().nullable(),
    sha256: z.string().nullable(),
    classification: z.string().nullable(),
    /** Not on the list: only its length is known, from the service. */
    known: z.boolean(),
  }),
  keepBothIdentifier: z.string(),
  newVersionIdentifier: z.string(),
  /** Classifications that these answers keep instead of the default one that nobody chose. */
  keeps: z.object({ replace: z.string().nullable(), newVersion: z.string().nullable() }).exactOptional(),
  /** Present classifications that these answers would change to that of `yours`. null: the service default; without: no change. */
  changes: z.object({ replace: z.string().nullish(), newVersion: z.string().nullish() }),
  /** Number of other uploads started with it that were skipped as identical. */
  sameBytes: z.number(),
});
export type ConflictPrompt = z.infer<typeof conflictPromptSchema>;
