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
  /** Its parts are at the service, and the list of them is kept here. */
  isInParts: z.boolean(),
});
export type ReplacedVersion = z.infer<typeof replacedVersionSchema>;

/** A file in one of Coffer's own folders that its database does not know: it may be newer than the database. */
const unknownFileSchema = z.object({
  /** Absolute. */
  path: z.string(),
  bytes: z.number(),
  changedAtMs: atMs,
  /** Only Coffer can read it. */
  isSealed: z.boolean(),
});
export type UnknownFile = z.infer<typeof unknownFileSchema>;
const unknownPaths = z.strictObject({ paths: z.array(z.string()) });

/** What was replaced, and is kept on this computer for a while. */
export const undoProcedures = {
  /** The newest first. */
  'undo.ofObject': {
    input: z.strictObject({ objectId: objectIdSchema }),
    output: z.object({ versions: z.array(replacedVersionSchema) }),
  },
  /** Its bytes take the place of what replaced them; they are asked about when that has changed since. */
  'undo.restore': {
    input: z.strictObject({ id: undoCopyIdSchema }),
    output: z.object({ transferId: transferIdSchema }),
  },
  /** null: the person cancelled. */
  'undo.saveAs': {
    input: z.strictObject({ id: undoCopyIdSchema }),
    output: z.object({ fileName: z.string() }).nullable(),
  },
  /** `clearable`: without what an unfinished Replace has kept. */
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
  /** The oldest first. */
  'undo.unknown': { input: nothing, output: z.object({ files: z.array(unknownFileSchema) }) },
  'undo.showUnknown': { input: z.strictObject({ path: z.string() }), output: nothing },
  /** What sealed ones hold, in a folder that the person chooses. null: the person cancelled. */
  'undo.saveUnknown': {
    input: unknownPaths,
    output: z
      .object({
        folderName: z.string(),
        savedCount: z.number(),
        /** Damaged, never written to their end, or of another key. */
        unreadableCount: z.number(),
      })
      .nullable(),
  },
  /** Those of them that are still unknown. */
  'undo.removeUnknown': { input: unknownPaths, output: nothing },
} as const satisfies Procedures;

export const undoEvents = {
  'undo.changed': z.undefined(),
} as const satisfies Events;
