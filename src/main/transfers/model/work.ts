import { z } from 'zod';
import { ifExistsSchema } from '../../../shared/domain/service.ts';
import { copyForSchema } from '../../../shared/domain/transfer.ts';
import { replaceSchema } from './replace.ts';
import { bytesSchema } from './state.ts';

/** A folder chosen by the person; without `fileName`, the object's name is used. */
const intoSchema = z.object({ folder: z.string(), fileName: z.string().optional() });
export type Into = z.infer<typeof intoSchema>;

const expectedFileSchema = z.object({
  sizeBytes: z.number(),
  mtimeMs: z.number(),
  inode: z.string().optional(),
});

/** Requested by a command, perhaps one that runs every night, and not edited since. */
const isByCommandSchema = z.literal(true).optional();

/** Names taken in a row since a person asked (Keep both, New version): each was free, and each before the last was refused (409). */
const takenNamesSchema = z.number().optional();
/** After this many refusals of free names, the fault is not theirs. */
export const maxTakenNames = 3;

/** What the person asked for, without its progress. */
export const workSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('upload'),
    path: z.string(),
    fileName: z.string(),
    /** Size and time the file must have when it is opened; null: any, because the person retried. */
    expected: expectedFileSchema.nullable(),
    modifiedAtMs: z.number(),
    classification: z.string().nullable(),
    /**
     * The person chose the classification. Without: a Replace or a new version keeps that of the existing object
     * (`steps/inherited-classification.ts`).
     */
    classificationChosen: z.boolean().optional(),
    ifExists: ifExistsSchema,
    /** The row of the list was added for this upload, and is removed if nothing was stored. */
    addedRow: z.boolean(),
    /** An earlier start or POST may have been carried out: the stored object may be ours. */
    mayBeThere: z.boolean(),
    /**
     * The origin for which the identifier was numbered; at another origin it is numbered again. Without: the identifier is as
     * requested.
     */
    numberedFor: z.string().optional(),
    takenNames: takenNamesSchema,
    /** The undo copy to send in place of a file: this upload is an Undo. */
    kept: bytesSchema.extend({ file: z.string() }).optional(),
    /** Of a watched folder, and not edited since: nobody waits for it, so its conflict prompt does not open by itself. */
    isWatched: z.literal(true).optional(),
    isByCommand: isByCommandSchema,
    /** The bytes the person believes are stored: if others are found, nothing is replaced before the person confirms. */
    base: bytesSchema.nullable().optional(),
    /** What the person agreed to replace, as far as it was known. */
    agreed: z.object({ lengthBytes: z.number().nullable(), sha256: z.string().nullable() }).optional(),
    /** Where to keep the old bytes; without: in a local undo copy. */
    keeps: z.literal('service').optional(),
    /** Stores the object's own bytes again, with another classification: there is no file. */
    reclassifies: z.literal(true).optional(),
    /**
     * Stores an object under another identifier; once the copy is verified, the object is deleted. There is no file.
     * `base`: the bytes that the list knows; null: unknown. The other fields come from the object's row. Older
     * versions stored no `objectId`.
     */
    moves: z
      .object({
        objectId: z.number().optional(),
        identifier: z.string(),
        base: bytesSchema.nullable(),
        sourceName: z.string().nullable(),
        note: z.string(),
        /** Only its name changes, not its folder. */
        isRename: z.literal(true).optional(),
        /** When it was first stored, as far as the list knows. */
        firstStoredAtMs: z.number().optional(),
      })
      .optional(),
    /** How far the Replace is; kept after a failure for *Try again*. */
    replace: replaceSchema.optional(),
  }),
  z.object({
    kind: z.literal('download'),
    /** The path that the person chose, whose file is replaced; null: the service's folder, under a free name. */
    saveAsPath: z.string().nullable(),
    /** Without `saveAsPath`: a folder other than the service's. */
    into: intoSchema.optional(),
    /** Segments after this identifier prefix become folders, '' for all; without: the file name alone. */
    below: z.string().optional(),
    /** `saveAsPath` is a private copy, not one of the person's files. */
    copyFor: copyForSchema.optional(),
    /**
     * The list's digest and length prove nothing about the object: it was requested when the service had another
     * origin, or an imported list claimed others.
     */
    isMoved: z.boolean().optional(),
    /** Download the manifest of an object in parts instead of the file. */
    asItIs: z.boolean().optional(),
    isByCommand: isByCommandSchema,
  }),
  /** The value is held in memory only. */
  z.object({
    kind: z.literal('storeSecret'),
    classification: z.string().nullable(),
    sourceName: z.string().nullable(),
    addedRow: z.boolean(),
    /** The person wants a new version: if the identifier exists already (409), the next number is used. */
    asNewVersion: z.boolean().optional(),
    takenNames: takenNamesSchema,
  }),
  z.object({ kind: z.literal('readSecret') }),
  z.object({
    kind: z.literal('delete'),
    /**
     * Deletes nothing but these bytes, and only while they are stored under the identifier `at`. Older versions stored no
     * `classification`, which the copy has.
     */
    only: bytesSchema.extend({ at: z.string(), classification: z.string().nullable().optional() }).optional(),
    /** Nobody has looked whether it is there: if HEAD does not find it, there was nothing to delete. */
    unseen: z.literal(true).optional(),
  }),
]);
export type Work = z.infer<typeof workSchema>;
