import { z } from 'zod';
import { objectIdSchema } from '../domain/object.ts';
import { undoCopyIdSchema, transferIdSchema } from '../domain/transfer.ts';
import { atMs, nothing, type Events, type Procedures } from './parts.ts';

const replacedVersionSchema = z.object({
  id: undoCopyIdSchema,
  lengthBytes: z.number(),
  sha256: z.string(),
  sourceName: z.string().nullable(),
  keptAtMs: atMs,
  untilMs: atMs,
  /** Chunked: the chunks are at the service, only the manifest is here. */
  isInParts: z.boolean(),
});
export type ReplacedVersion = z.infer<typeof replacedVersionSchema>;

/** A file in Coffer's own folders that the database does not know; it may be newer than the database. */
const unknownFileSchema = z.object({
  /** Absolute. */
  path: z.string(),
  bytes: z.number(),
  changedAtMs: atMs,
  /** Encrypted: only Coffer can read it. */
  isSealed: z.boolean(),
});
export type UnknownFile = z.infer<typeof unknownFileSchema>;
const unknownPaths = z.strictObject({ paths: z.array(z.string()) });

/** Undo copies: what a Replace replaced, kept locally for a while. */
export const undoProcedures = {
  /** Newest first. */
  'undo.ofObject': {
    input: z.strictObject({ objectId: objectIdSchema }),
    output: z.object({ versions: z.array(replacedVersionSchema) }),
  },
  /** Replaces the object by the undo copy; asks if the object has changed since. */
  'undo.restore': {
    input: z.strictObject({ id: undoCopyIdSchema }),
    output: z.object({ transferId: transferIdSchema }),
  },
  /** null: the user cancelled. */
  'undo.saveAs': {
    input: z.strictObject({ id: undoCopyIdSchema }),
    output: z.object({ fileName: z.string() }).nullable(),
  },
  /** `clearableBytes`, `clearableCount`: without copies of unfinished Replaces. */
  'undo.summary': {
    input: nothing,
    output: z.object({
      bytes: z.number(),
      count: z.number(),
      clearableBytes: z.number(),
      clearableCount: z.number(),
    }),
  },
  'undo.clear': { input: nothing, output: nothing },
  /** Oldest first. */
  'undo.unknown': { input: nothing, output: z.object({ files: z.array(unknownFileSchema) }) },
  'undo.showUnknown': { input: z.strictObject({ path: z.string() }), output: nothing },
  /** Decrypts them into a folder that the user chooses. null: the user cancelled. */
  'undo.saveUnknown': {
    input: unknownPaths,
    output: z
      .object({
        folderName: z.string(),
        savedCount: z.number(),
        /** Damaged, truncated, or encrypted with another key. */
        unreadableCount: z.number(),
      })
      .nullable(),
  },
  /** Removes those that are still unknown. */
  'undo.removeUnknown': { input: unknownPaths, output: nothing },
} as const satisfies Procedures;

export const undoEvents = {
  'undo.changed': z.undefined(),
} as const satisfies Events;
