import { z } from 'zod';

/** What the service has is not what it should be, or what arrived. Texts: `i18n/stored-messages.ts`. */
export const storedErrors = [
  z.object({
    code: z.literal('storedLengthDiffers'),
    sentBytes: z.number(),
    storedBytes: z.number().nullable(),
    activityToken: z.string().optional(),
  }),
  z.object({
    code: z.literal('downloadLengthDiffers'),
    expectedBytes: z.number(),
    receivedBytes: z.number(),
  }),
  /** Without an announced length. */
  z.object({ code: z.literal('downloadTooLong'), limitBytes: z.number() }),
  z.object({ code: z.literal('digestDiffers'), expected: z.string(), actual: z.string() }),
  /** The expected length or digest is what was said by an imported list or the team. */
  z.object({
    code: z.literal('claimedLengthDiffers'),
    expectedBytes: z.number(),
    receivedBytes: z.number(),
  }),
  z.object({ code: z.literal('claimedDigestDiffers'), expected: z.string(), actual: z.string() }),

  // Files in parts (docs/parts.md).
  /** Something else is stored under a chunk's identifier; `storedBytes` null: nothing, or of unknown length. */
  z.object({
    code: z.literal('partDiffers'),
    identifier: z.string(),
    expectedBytes: z.number(),
    storedBytes: z.number().nullable(),
  }),
  /** These bytes of a file are unavailable: their chunks are missing or differ. */
  z.object({
    code: z.literal('partsMissing'),
    /** First and last byte of each gap, from 0. Only the first gaps. */
    gaps: z.array(z.object({ firstByte: z.number(), lastByte: z.number() })).max(20),
    missingParts: z.number(),
    parts: z.number(),
    missingBytes: z.number(),
    sizeBytes: z.number(),
  }),
  /** The manifest was stored after someone had deleted chunks that it names. */
  z.object({
    code: z.literal('storedIncomplete'),
    missingParts: z.number(),
    parts: z.number(),
    missingBytes: z.number(),
    sizeBytes: z.number(),
  }),
  /** The manifest was written by a newer Coffer. */
  z.object({ code: z.literal('partsTooNew'), version: z.number() }),
  /** The manifest is unreadable, or names chunks of another object. */
  z.object({ code: z.literal('partsWrong') }),
  /** The file starts like a manifest, but chunking is off for the service. */
  z.object({ code: z.literal('partsForbidden') }),
  z.object({ code: z.literal('partsShared') }),

  // Names, deletions and replacing.
  /** The service refused so many new names in a row (409), although each seemed free. */
  z.object({ code: z.literal('namesRefused'), count: z.number() }),
  /** The object is still there ten minutes after its deletion was accepted. */
  z.object({ code: z.literal('stillThere') }),
  /** Not enough free space for the old and the new bytes of a Replace: this much is needed. */
  z.object({ code: z.literal('noRoomToKeep'), neededBytes: z.number(), freeBytes: z.number() }),
  /** An undo copy is unreadable: gone, damaged, or encrypted with a key that the keychain does not have. */
  z.object({ code: z.literal('keptUnreadable'), problem: z.enum(['gone', 'damaged', 'key']) }),
  /** An old deletion keeps removing what was stored in its place. */
  z.object({ code: z.literal('lateDeletion') }),
  /** The service's address changed during a Replace. */
  z.object({
    code: z.literal('replaceLeft'),
    /** Of the object's own bytes: identifier of their copy at the former address. */
    copy: z.string().optional(),
  }),
  /**
   * The object whose classification was to change is gone or has changed. `copy`: identifier of a copy of its
   * bytes, with the new classification.
   */
  z.object({ code: z.literal('objectChanged'), copy: z.string().nullable() }),
  /** A moved object is gone, or is not what the list says or what was stored there. */
  z.object({ code: z.literal('moveChanged'), identifier: z.string() }),
  /** The response to a DELETE was lost, and the object still exists: it may still be deleted. */
  z.object({ code: z.literal('deletionUnknown') }),
] as const;

export type StoredError = z.infer<(typeof storedErrors)[number]>;

const codes = new Set<string>(storedErrors.map(({ shape }) => shape.code.value));

export const isStoredError = (error: { code: string }): error is StoredError => codes.has(error.code);
