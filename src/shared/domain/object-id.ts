import type { AppErrorOf } from '../errors.ts';
import { AppFailure } from '../app-failure.ts';
import { extensionStart } from './file-kind.ts';

export type ObjectIdProblem = AppErrorOf<'badIdentifier'>['problem'];

/**
 * Whether an identifier can travel as one path segment (section 2 of the interface shows no other rule).
 * `.` and `..` keep their meaning under percent-encoding, so every URL parser on the way removes them from a path;
 * a lone surrogate has no UTF-8 form. Everything else is sent unchanged.
 */
export function checkObjectId(id: string): { ok: true } | { ok: false; problem: ObjectIdProblem } {
  if (id === '') return { ok: false, problem: 'empty' };
  if (id === '.' || id === '..') return { ok: false, problem: 'dotSegment' };
  if (!id.isWellFormed()) return { ok: false, problem: 'loneSurrogate' };
  return { ok: true };
}

/** The identifier as one percent-encoded path segment. Throws badIdentifier. */
export function encodeObjectId(id: string): string {
  const verdict = checkObjectId(id);
  if (!verdict.ok) throw new AppFailure({ code: 'badIdentifier', problem: verdict.problem });
  return encodeURIComponent(id);
}

/** Limit of attempts: a service on which this many names are taken is answering nonsense. */
export const maxNumberedIdentifier = 1000;

/**
 * The identifier beside one that is taken: `a/report.pdf` becomes `a/report-2.pdf`. A number that ends the name already
 * (`report-2026.pdf`) belongs to the name and is not counted up.
 * @param number 2 for the first try
 */
export function numberedIdentifier(identifier: string, separator: string, number: number): string {
  const end = extensionStart(identifier, separator);
  return `${identifier.slice(0, end)}-${number}${identifier.slice(end)}`;
}
