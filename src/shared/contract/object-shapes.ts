import { z } from 'zod';
import { atMsSchema } from '../domain/at-ms.ts';
import { objectIdSchema, objectRecordSchema, objectStateSchema } from '../domain/object.ts';
import { rowEditSchema } from '../domain/edit.ts';
import { appErrorSchema } from '../errors.ts';
import { tabSchema, transferIdSchema, transferSchema } from '../domain/transfer.ts';
import { offset } from './parts.ts';

/** What a running transfer overlays on its row. */
const rowTransferSchema = transferSchema.pick({
  id: true,
  direction: true,
  state: true,
  waitingFor: true,
  priority: true,
  retryAtMs: true,
  error: true,
  doneBytes: true,
  totalBytes: true,
  replacing: true,
  moving: true,
});
export const objectRowSchema = objectRecordSchema.extend({
  transfer: rowTransferSchema.nullable(),
  /** The transfer of its deletion, of which nothing is sent yet: `transfers.cancel` undoes it. */
  heldDeletion: transferIdSchema.exactOptional(),
  /** Only while it is being edited. */
  edit: rowEditSchema.optional(),
  /** For a row that other versions are folded under: their base identifier, and the count including the row. */
  versions: z.object({ base: z.string(), count: z.number() }).exactOptional(),
});
export type ObjectRow = z.infer<typeof objectRowSchema>;

/** The last failure of an object that the transfer list still has, for the same remedies. */
export const objectFailureSchema = transferSchema
  .pick({ id: true, direction: true, activityToken: true, finishedAtMs: true, replacing: true })
  .extend({ list: tabSchema, error: appErrorSchema });
export type ObjectFailure = z.infer<typeof objectFailureSchema>;

export const selectionSummarySchema = z.object({
  count: z.number(),
  /** Sum of the known lengths. */
  totalBytes: z.number(),
  /** How many of `count` have no known length. */
  unknownLengths: z.number(),
});
export type SelectionSummary = z.infer<typeof selectionSummarySchema>;

/** Statistics of a selection. */
export const selectionMixSchema = selectionSummarySchema.extend({
  /** Number of objects that are only said to exist (`factBits.presence`). */
  unseen: z.number(),
  /** States that occur, in the sort order of states. */
  states: z.array(z.object({ state: objectStateSchema, count: z.number() })),
  /** The most frequent first; null is the service default. */
  classifications: z.array(z.object({ value: z.string().nullable(), count: z.number() })),
  /** How many other classifications there are. */
  moreClassifications: z.number(),
  /** Earliest and latest time of storage; null: unknown for all. */
  stored: z.object({ fromMs: atMsSchema, toMs: atMsSchema }).nullable(),
});
export type SelectionMix = z.infer<typeof selectionMixSchema>;

/**
 * Orphans of one upload. refused: the service refuses to delete them; stillThere: it accepted the deletion, but they remain;
 * unknown: the manifest was already gone, so another manifest may name them.
 */
export const leftPartsSchema = z.object({
  /** Identifier of the object. */
  identifier: z.string(),
  /** 32 hex digits, part of each part's identifier. */
  upload: z.string(),
  parts: z.number(),
  why: z.enum(['refused', 'stillThere', 'unknown']),
});
export type LeftParts = z.infer<typeof leftPartsSchema>;

/** What Coffer has still to delete at a service. */
export const leftBehindSchema = z.object({
  /** object: deleting `identifier` deletes it; parts: those of one upload of the object `identifier`, up to `lastPart`. */
  kind: z.enum(['object', 'parts']),
  identifier: z.string(),
  /** The identifier of the last part; '' for an object. */
  lastPart: z.string(),
  count: z.number(),
  /** Coffer goes on deleting it while it runs. */
  isGoing: z.boolean(),
});
export type LeftBehind = z.infer<typeof leftBehindSchema>;

/**
 * there: at the service, as far as known; missing: not found by the last check; sent, here: done by the running transfer;
 * moving: in progress; toSend, toReceive: pending.
 */
export const partStateSchema = z.enum(['there', 'missing', 'sent', 'here', 'moving', 'toSend', 'toReceive']);
export type PartState = z.infer<typeof partStateSchema>;

export const partsShownSchema = z.object({
  total: z.number(),
  /** Size of each part but the last. */
  partBytes: z.number(),
  /** In file order; consecutive parts of one state are grouped. */
  runs: z.array(z.object({ state: partStateSchema, count: z.number() })),
});
export type PartsShown = z.infer<typeof partsShownSchema>;

/** Why an import skipped a line; `history`: only history entries of it. */
export const importProblemSchema = z.discriminatedUnion('code', [
  z.object({ code: z.enum(['tooLong', 'otherColumns', 'newer', 'notJson']) }),
  /** `lastLine`: the last of a run of skipped lines; null: a single line. */
  z.object({ code: z.literal('openQuote'), firstLine: z.number(), lastLine: z.number().nullable() }),
  /** Field name; empty: the line is not an object. */
  z.object({ code: z.literal('field'), field: z.string() }),
  z.object({ code: z.literal('history'), entries: z.number() }),
]);
export type ImportProblem = z.infer<typeof importProblemSchema>;

/** A spreadsheet writes CSV with what separates lists in its country, or with tabs. */
export const csvSeparators = [',', ';', '\t'] as const;
export type CsvSeparator = (typeof csvSeparators)[number];

export const importReportSchema = z.object({
  fileName: z.string(),
  added: z.number(),
  merged: z.number(),
  unchanged: z.number(),
  skipped: z.number(),
  /** Of the columns; null: the file is not CSV. */
  separator: z.enum(csvSeparators).nullable(),
  /** Lines skipped in whole or in part. */
  problemLines: z.number(),
  /** The first problems; line numbers start at 1. */
  problems: z.array(z.object({ line: z.number(), problem: importProblemSchema })),
  /** The user cancelled it; rows read by then are imported. */
  isCancelled: z.boolean().optional(),
});
export type ImportReport = z.infer<typeof importReportSchema>;

/** A row by id, with its index as a fallback when it has left the list or its id is not known yet. */
export const rowPlaceSchema = z.strictObject({ id: objectIdSchema.nullable(), index: offset });
export type RowPlace = z.infer<typeof rowPlaceSchema>;
