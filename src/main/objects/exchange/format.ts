import { z } from 'zod';
import type { ImportProblem } from '../../../shared/contract.ts';
import type { AppErrorOf } from '../../../shared/errors.ts';
import { atMsSchema } from '../../../shared/domain/at-ms.ts';
import { checkObjectId } from '../../../shared/domain/object-id.ts';
import { renewBySchema } from '../../../shared/domain/renewal.ts';
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

/**
 * One object of an exchange file; what a line does not say is not known. Texts have no bound but that of a line
 * (`lineCharactersMax`): whatever is on a list can be written and comes back.
 */
export const exchangedObjectSchema = z.object({
  kind: objectKindSchema.default('data'),
  identifier: z
    .string()
    .refine((identifier) => checkObjectId(identifier).ok, 'cannot travel as an identifier'),
  state: objectStateSchema.default('unknown').transform(toSettled),
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
  /** JSON Lines only. What it says of an object that is none costs nothing else. */
  parts: inPartsSchema.optional().catch(undefined),
  renewBy: renewBySchema.nullable().optional(),
  /** Oldest first. JSON Lines only. Each is checked by itself: one that is none must not cost the others. */
  history: z.array(z.unknown()).default([]),
});
export type ExchangedObject = Omit<z.infer<typeof exchangedObjectSchema>, 'history'> & {
  history: HistoryEntry[];
};

/** Nothing here is sending or deleting what a file names, and nothing begins to: somebody has to look. */
function toSettled(state: ObjectState): ObjectState {
  return state === 'uploading' || state === 'deleting' ? 'unknown' : state;
}

/** What a reader makes of a line: a value that may be an object, or why there is none. */
export type ReadLine = { line: number } & ({ value: unknown } | { problem: ImportProblem });

/** The file is no catalogue at all. */
export class BadFile extends Error {
  readonly problem: AppErrorOf<'badImportFile'>['problem'];

  constructor(problem: BadFile['problem']) {
    super(problem);
    this.problem = problem;
  }
}

/** The first line of a JSON Lines file. */
export const headerSchema = z.object({ cofferCatalogue: z.number() });

/** The columns of a CSV file after the first, which is the version of the format. */
export const csvFields = objectRecordSchema.omit({ id: true, serviceId: true, parts: true }).keyof().options;
export const csvVersionField = 'cofferCatalogue';
/** What `Number` reads beside this, it also reads in blanks and in `0x10`. */
const decimal = /^-?\d+(?:\.\d*)?(?:e[+-]?\d+)?$/i;
const numberFields = new Set<string>(['lengthBytes', 'storedAtMs', 'checkedAtMs']);

/**
 * A spreadsheet takes a cell that begins with one of these for a formula, so an apostrophe is put before it, and
 * before an apostrophe, which makes the way back exact. Nothing at all is null, a lone apostrophe is empty text.
 */
const guarded = /^(?:[=+\-@\t\r\n'＝＋－＠]|$)/u;

export function toCell(field: string, value: string | number | null): string {
  if (value === null || (field === 'note' && value === '')) return '';
  if (typeof value === 'number') return String(value);
  return guarded.test(value) ? `'${value}` : value;
}

/** Undefined: the cell is empty, the value not known. */
export function fromCell(field: string, cell: string): string | number | undefined {
  if (cell === '') return undefined;
  if (numberFields.has(field) && decimal.test(cell)) return Number(cell);
  return cell.startsWith("'") && guarded.test(cell.slice(1)) ? cell.slice(1) : cell;
}
