import { z } from 'zod';
import type { ImportProblem } from '../../../shared/contract.ts';
import type { AppErrorOf } from '../../../shared/errors.ts';
import { atMsSchema } from '../../../shared/domain/at-ms.ts';
import { checkObjectId } from '../../../shared/domain/object-id.ts';
import { renewBySchema } from '../../../shared/domain/secret.ts';
import {
  inPartsSchema,
  objectKindSchema,
  objectRecordSchema,
  objectStateSchema,
  type HistoryEntry,
  type ObjectState,
} from '../../../shared/domain/object.ts';

export const formatVersion = 1;

const lengthProblem = 'is not a length in bytes';

const identifierSchema = z
  .string()
  .refine((identifier) => checkObjectId(identifier).ok, 'cannot travel as an identifier');

/**
 * One object of an exchange file; missing fields mean unknown. Only the length of the line limits texts
 * (`lineCharactersMax`), so whatever a list contains can be exported and imported again.
 */
export const exchangedObjectSchema = z.object({
  kind: objectKindSchema.default('data'),
  identifier: identifierSchema,
  state: objectStateSchema.default('unknown').transform(resolveState),
  lengthBytes: z
    .number(lengthProblem)
    .int(lengthProblem)
    .min(0, lengthProblem)
    .max(Number.MAX_SAFE_INTEGER, lengthProblem)
    .nullable()
    .default(null),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'is not a SHA-256 digest')
    .nullable()
    .default(null),
  classification: z.string().nullable().default(null),
  sourceName: z.string().nullable().default(null),
  storedAtMs: atMsSchema.nullable().default(null),
  checkedAtMs: atMsSchema.nullable().default(null),
  activityToken: z.string().nullable().default(null),
  note: z.string().default(''),
  /** JSON Lines only. An invalid value is ignored without losing the object. */
  parts: inPartsSchema.optional().catch(undefined),
  renewBy: renewBySchema.nullable().optional(),
  /** Like `parts`. When the object was stored that was moved here; ignored if that was later than `storedAtMs`. */
  firstStoredAtMs: atMsSchema.optional().catch(undefined),
  /** Like `parts`. */
  movedTo: identifierSchema.optional().catch(undefined),
  /**
   * Oldest first. JSON Lines only. Entries are validated one by one, so that an invalid one does not lose the others.
   */
  history: z.array(z.unknown()).default([]),
});
export type ExchangedObject = Omit<z.infer<typeof exchangedObjectSchema>, 'history'> & {
  history: HistoryEntry[];
};

/** No transfer belongs to an imported row, so a state that needs one becomes `unknown`, which asks for a check. */
function resolveState(state: ObjectState): ObjectState {
  return state === 'uploading' || state === 'deleting' ? 'unknown' : state;
}

/** A parsed line: a candidate object, or the reason why there is none. */
export type ReadLine = { line: number } & ({ value: unknown } | { problem: ImportProblem });

/** The file is not a catalogue. */
export class BadFile extends Error {
  readonly problem: AppErrorOf<'badImportFile'>['problem'];
  /** Where it is not text, and in which encoding. */
  readonly where: { readonly line: number; readonly encoding: string } | undefined;

  constructor(problem: BadFile['problem'], where?: BadFile['where']) {
    super(problem);
    this.problem = problem;
    this.where = where;
  }
}

/** First line of a JSON Lines file. */
export const headerSchema = z.object({ cofferCatalogue: z.number() });

/** Columns of a CSV file between the version and the last two. */
export const csvFields = objectRecordSchema
  .omit({
    id: true,
    serviceId: true,
    parts: true,
    unverified: true,
    usedAtMs: true,
    firstStoredAtMs: true,
    movedTo: true,
    isShared: true,
    isOwnStored: true,
    storedBy: true,
    seenBy: true,
  })
  .keyof().options;
export const csvVersionField = 'cofferCatalogue';
/** Facts not verified on this computer. Not imported: everything imported is unverified. */
export const csvUnseenField = 'unseen';
/** Which team member stored the object. Not imported: it would be hearsay. */
export const csvStoredByField = 'storedBy';
/** Stricter than `Number`, which also accepts blanks and `0x10`. */
const decimal = /^-?\d+(?:\.\d*)?(?:e[+-]?\d+)?$/i;
const numberFields = new Set<string>(['lengthBytes', 'storedAtMs', 'checkedAtMs']);

/**
 * Spreadsheets run cells that begin with one of these as formulas. An apostrophe is put before them, and before a
 * leading apostrophe, so that the import is exact. An empty cell is null, a lone apostrophe an empty text.
 */
const guarded = /^(?:[=+\-@\t\r\n'＝＋－＠]|$)/u;

export function toCell(field: string, value: string | number | null): string {
  if (value === null || (field === 'note' && value === '')) return '';
  if (typeof value === 'number') return String(value);
  return guarded.test(value) ? `'${value}` : value;
}

/** undefined: the cell is empty, so the value is unknown. */
export function fromCell(field: string, cell: string): string | number | undefined {
  if (cell === '') return undefined;
  if (numberFields.has(field) && decimal.test(cell)) return Number(cell);
  return cell.startsWith("'") && guarded.test(cell.slice(1)) ? cell.slice(1) : cell;
}
