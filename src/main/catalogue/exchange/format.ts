import { z } from 'zod';
import { checkObjectId } from '../../../shared/domain/object-id.ts';
import {
  historyEntrySchema,
  objectKindSchema,
  objectRecordSchema,
  objectStateSchema,
} from '../../../shared/domain/object.ts';

export const formatVersion = 1;

const wholeNumber = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const text = z.string().max(100_000);

/** One object of an exchange file; what a line does not say is not known. */
export const exchangedObjectSchema = z.object({
  kind: objectKindSchema.default('data'),
  identifier: z
    .string()
    .max(8192)
    .refine((identifier) => checkObjectId(identifier).ok, 'cannot travel as an identifier'),
  state: objectStateSchema.default('unknown'),
  lengthBytes: wholeNumber.nullable().default(null),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'is not a SHA-256 digest')
    .nullable()
    .default(null),
  classification: z.string().max(200).nullable().default(null),
  sourceName: text.nullable().default(null),
  storedAtMs: wholeNumber.nullable().default(null),
  checkedAtMs: wholeNumber.nullable().default(null),
  activityToken: text.nullable().default(null),
  note: text.default(''),
  /** Oldest first. JSON Lines only. */
  history: z.array(historyEntrySchema).max(100_000).default([]),
});
export type ExchangedObject = z.infer<typeof exchangedObjectSchema>;

/** What a reader makes of a line: a value that may be an object, or why there is none. */
export type ReadLine = { line: number } & ({ value: unknown } | { problem: string });

/** The file is no catalogue at all; the message says why, for people. */
export class BadFile extends Error {}

/** The first line of a JSON Lines file. */
export const headerSchema = z.object({ cofferCatalogue: z.number() });

/** The columns of a CSV file after the first, which is the version of the format. */
export const csvFields = objectRecordSchema.omit({ id: true, profileId: true }).keyof().options;
export const csvVersionField = 'cofferCatalogue';
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
  if (numberFields.has(field)) return Number(cell);
  return cell.startsWith("'") && guarded.test(cell.slice(1)) ? cell.slice(1) : cell;
}
