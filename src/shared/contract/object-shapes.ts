import { z } from 'zod';
import { atMsSchema } from '../domain/at-ms.ts';
import { objectIdSchema, objectRecordSchema, objectStateSchema } from '../domain/object.ts';
import { rowEditSchema } from '../domain/edit.ts';
import { appErrorSchema } from '../errors.ts';
import { tabSchema, transferSchema } from '../domain/transfer.ts';
import { offset } from './parts.ts';

/** The overlay of a running transfer on its row. */
const rowTransferSchema = transferSchema.pick({
  id: true,
  direction: true,
  state: true,
  waitingFor: true,
  retryAtMs: true,
  doneBytes: true,
  totalBytes: true,
  replacing: true,
});
export const objectRowSchema = objectRecordSchema.extend({
  transfer: rowTransferSchema.nullable(),
  /** Only while it is being edited. */
  edit: rowEditSchema.optional(),
  /** Of a row under which other versions are folded: what they are versions of, and how many there are with it. */
  versions: z.object({ base: z.string(), count: z.number() }).exactOptional(),
});
export type ObjectRow = z.infer<typeof objectRowSchema>;

/** What failed last of an object and is still on the list of transfers or jobs: what helps there helps here. */
export const objectFailureSchema = transferSchema
  .pick({ id: true, direction: true, activityToken: true, finishedAtMs: true, replacing: true })
  .extend({ list: tabSchema, error: appErrorSchema });
export type ObjectFailure = z.infer<typeof objectFailureSchema>;

export const selectionSummarySchema = z.object({
  count: z.number(),
  totalBytes: z.number(),
  unknownLengths: z.number(),
});
export type SelectionSummary = z.infer<typeof selectionSummarySchema>;

/** What a selection is made of. */
export const selectionMixSchema = selectionSummarySchema.extend({
  /** Those that occur, in the order in which lists are sorted by state. */
  states: z.array(z.object({ state: objectStateSchema, count: z.number() })),
  /** The most frequent first; null is the service default. */
  classifications: z.array(z.object({ value: z.string().nullable(), count: z.number() })),
  /** How many other classifications there are. */
  moreClassifications: z.number(),
  /** The first and the last time one was stored; null: of none it is known. */
  stored: z.object({ fromMs: atMsSchema, toMs: atMsSchema }).nullable(),
});
export type SelectionMix = z.infer<typeof selectionMixSchema>;

/**
 * Parts of one upload that are left. refused: the service does not delete them; stillThere: it said that it would; unknown: their list
 * was gone already, so that another one may need them.
 */
export const leftPartsSchema = z.object({
  /** Of the object whose parts they are. */
  identifier: z.string(),
  /** 32 hex digits, in the name of each. */
  upload: z.string(),
  parts: z.number(),
  why: z.enum(['refused', 'stillThere', 'unknown']),
});
export type LeftParts = z.infer<typeof leftPartsSchema>;

/**
 * there: at the service, as far as is known; missing: the last check did not find it; sent, here: done by the transfer that goes on;
 * moving: on its way; toSend, toReceive: still to come.
 */
export const partStateSchema = z.enum(['there', 'missing', 'sent', 'here', 'moving', 'toSend', 'toReceive']);
export type PartState = z.infer<typeof partStateSchema>;

export const partsShownSchema = z.object({
  total: z.number(),
  /** Of each but the last. */
  partBytes: z.number(),
  /** In the order of the file, those of one state that follow each other together. */
  runs: z.array(z.object({ state: partStateSchema, count: z.number() })),
});
export type PartsShown = z.infer<typeof partsShownSchema>;

/** Why a line was left out of an import; `history`: entries of it alone were. */
export const importProblemSchema = z.discriminatedUnion('code', [
  z.object({ code: z.enum(['tooLong', 'otherColumns', 'newer', 'notJson']) }),
  /** `lastLine`: of those that were left out with it; null: it alone. */
  z.object({ code: z.literal('openQuote'), firstLine: z.number(), lastLine: z.number().nullable() }),
  /** The name of the field; empty: the line is no object. */
  z.object({ code: z.literal('field'), field: z.string() }),
  z.object({ code: z.literal('history'), entries: z.number() }),
]);
export type ImportProblem = z.infer<typeof importProblemSchema>;

export const importReportSchema = z.object({
  fileName: z.string(),
  added: z.number(),
  merged: z.number(),
  unchanged: z.number(),
  skipped: z.number(),
  /** Lines that were skipped, and lines of which something was left out. */
  problemLines: z.number(),
  /** The first of these; line numbers start at 1. */
  problems: z.array(z.object({ line: z.number(), problem: importProblemSchema })),
  /** A person ended it; what was read by then is in. */
  isCancelled: z.boolean().optional(),
});
export type ImportReport = z.infer<typeof importReportSchema>;

/** A row by what it is, and by where it stood for when it has left the list or its id is not known yet. */
export const rowPlaceSchema = z.strictObject({ id: objectIdSchema.nullable(), index: offset });
export type RowPlace = z.infer<typeof rowPlaceSchema>;
