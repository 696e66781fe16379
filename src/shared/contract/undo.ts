import { z } from 'zod';
import { objectIdSchema } from '../domain/object.ts';
import { undoCopyIdSchema, transferIdSchema } from '../domain/transfer.ts';
import { call, atMs, nothing, type Events, type Procedures } from './parts.ts';

const replacedVersionSchema = z.object({
  id: undoCopyIdSchema,
  lengthBytes: z.number(),
  sha256: z.string(),
  sourceName: z.string().nullable(),
  keptAtMs: atMs,
  untilMs: atMs,
  /** Chunked: the parts are at the service, only the manifest is here. */
  isInParts: z.boolean(),
});
export type ReplacedVersion = z.infer<typeof replacedVersionSchema>;

/** A file in Coffer's own folders that the database does not know; it may be newer than the database. */
const unknownFileSchema = z.object({
  /** Path below the user data folder. */
  name: z.string(),
  bytes: z.number(),
  changedAtMs: atMs,
  /** Encrypted: only Coffer can read it. */
  isSealed: z.boolean(),
});
export type UnknownFile = z.infer<typeof unknownFileSchema>;
const unknownNames = z.strictObject({ names: z.array(z.string()) });

/** The classification of an undo copy, and the object's present one. null: the service's default. */
const undoQuestionSchema = z.object({
  identifier: z.string(),
  kept: z.string().nullable(),
  present: z.string().nullable(),
  isInParts: z.boolean(),
});
export type UndoQuestion = z.infer<typeof undoQuestionSchema>;

/** Undo copies: what a Replace replaced, kept locally for a while. */
export const undoProcedures = {
  /** Newest first. */
  'undo.ofObject': call({ objectId: objectIdSchema }, { versions: z.array(replacedVersionSchema) }),
  /**
   * Replaces the object by the undo copy; asks if the object has changed since.
   * @param classification which one the object gets if the copy had another than the object has now; `ask` returns both then, and
   * does nothing. `present` is refused (partsShared) for a file in parts, whose parts keep theirs.
   */
  'undo.restore': call(
    { id: undoCopyIdSchema, classification: z.enum(['ask', 'kept', 'present']) },
    z.union([z.object({ transferId: transferIdSchema }), undoQuestionSchema]),
  ),
  /** null: the user cancelled. */
  'undo.saveAs': call({ id: undoCopyIdSchema }, z.object({ fileName: z.string() }).nullable()),
  /** `clearableBytes`, `clearableCount`: without copies of unfinished Replaces. */
  'undo.summary': call.command(nothing, {
    bytes: z.number(),
    count: z.number(),
    clearableBytes: z.number(),
    clearableCount: z.number(),
  }),
  'undo.clear': call(nothing),
  /** Oldest first. */
  'undo.unknown': call.command(nothing, { files: z.array(unknownFileSchema) }),
  'undo.showUnknown': call({ name: z.string() }),
  /** Decrypts them into a folder that the user chooses. null: the user cancelled. */
  'undo.saveUnknown': call(
    unknownNames,
    z
      .object({
        folderName: z.string(),
        savedCount: z.number(),
        /** Damaged, truncated, or encrypted with another key. */
        unreadableCount: z.number(),
      })
      .nullable(),
  ),
  /** Removes those that are still unknown. */
  'undo.removeUnknown': call(unknownNames),
} as const satisfies Procedures;

export const undoEvents = {
  'undo.changed': z.undefined(),
} as const satisfies Events;
