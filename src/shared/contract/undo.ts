import { z } from 'zod';
import { objectIdSchema } from '../domain/object.ts';
import { keptIdSchema, transferIdSchema } from '../domain/transfer.ts';
import { atMs, nothing, type Events, type Procedures } from './parts.ts';

const keptVersionSchema = z.object({
  id: keptIdSchema,
  lengthBytes: z.number(),
  sha256: z.string(),
  sourceName: z.string().nullable(),
  keptAtMs: atMs,
  untilMs: atMs,
  /** Its parts are at the service, and the list of them is kept here. */
  isInParts: z.boolean(),
});
export type KeptVersion = z.infer<typeof keptVersionSchema>;

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
export const keptProcedures = {
  /** The newest first. */
  'kept.ofObject': {
    input: z.strictObject({ objectId: objectIdSchema }),
    output: z.object({ versions: z.array(keptVersionSchema) }),
  },
  /** Its bytes take the place of what replaced them; they are asked about when that has changed since. */
  'kept.undo': {
    input: z.strictObject({ id: keptIdSchema }),
    output: z.object({ transferId: transferIdSchema }),
  },
  /** null: the person cancelled. */
  'kept.saveAs': {
    input: z.strictObject({ id: keptIdSchema }),
    output: z.object({ fileName: z.string() }).nullable(),
  },
  /** `clearable`: without what an unfinished Replace has kept. */
  'kept.summary': {
    input: nothing,
    output: z.object({
      bytes: z.number(),
      count: z.number(),
      clearableBytes: z.number(),
      clearableCount: z.number(),
    }),
  },
  'kept.clear': { input: nothing, output: nothing },
  /** The oldest first. */
  'kept.unknown': { input: nothing, output: z.object({ files: z.array(unknownFileSchema) }) },
  'kept.showUnknown': { input: z.strictObject({ path: z.string() }), output: nothing },
  /** What sealed ones hold, in a folder that the person chooses. null: the person cancelled. */
  'kept.saveUnknown': {
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
  'kept.removeUnknown': { input: unknownPaths, output: nothing },
} as const satisfies Procedures;

export const keptEvents = {
  'kept.changed': z.undefined(),
} as const satisfies Events;
