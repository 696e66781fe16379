import { isHearsay } from './unverified.ts';
import { extensionStart } from './file-kind.ts';
import type { ObjectRecord, ObjectState } from './object.ts';

/** A service's rules for identifiers and version names. */
export interface VersionNaming {
  readonly separator: string;
  readonly versionMark: string;
}

export type VersionMarkProblem = 'number' | 'nothingBefore' | 'separator' | 'dot' | 'characters';

/**
 * Why a version mark is invalid; null: valid. It needs `{number}` exactly once with text before it, no
 * separator (it would make a folder) and no dot (it would make an extension).
 */
export function checkVersionMark(mark: string, separator: string): VersionMarkProblem | null {
  const [before = '', ...others] = mark.split('{number}');
  if (others.length !== 1) return 'number';
  if (/^$|[0-9]$/.test(before)) return 'nothingBefore';
  const text = before + others.join('');
  if (text.includes(separator)) return 'separator';
  if (text.includes('.')) return 'dot';
  return text.isWellFormed() && !/\p{Cc}/u.test(text) ? null : 'characters';
}

/**
 * @param number 1 is the base itself, under its own name
 * @param mark with `{number}` once, which goes before the extension
 */
export function versionIdentifier(base: string, separator: string, mark: string, number: number): string {
  if (number === 1) return base;
  const end = extensionStart(base, separator);
  return base.slice(0, end) + mark.replace('{number}', String(number)) + base.slice(end);
}

/** Common prefix of all versions of a base. */
export function versionPrefix(base: string, separator: string, mark: string): string {
  return base.slice(0, extensionStart(base, separator)) + (mark.split('{number}')[0] ?? '');
}

/** Base and version number of an identifier: `a/report@3.docx` is the third of `a/report.docx`. Without a mark it is version 1 of itself. */
export function versionOf(identifier: string, separator: string, mark: string) {
  const own = { base: identifier, number: 1 };
  const end = extensionStart(identifier, separator);
  const [before = '', after = ''] = mark.split('{number}');
  const head = identifier.slice(0, end);
  if (!head.endsWith(after) || !head.includes(before)) return own;
  const digits = /[1-9][0-9]{0,8}$/.exec(head.slice(0, head.length - after.length))?.[0] ?? '';
  // The shortest run of digits that leaves the mark before it: the mark itself may end with a digit.
  for (let count = 1; count <= digits.length; count += 1) {
    const number = Number(digits.slice(-count));
    const name = head.slice(0, Math.max(head.length - after.length - count - before.length, 0));
    const base = name + identifier.slice(end);
    const isNamed = name !== '' && !name.endsWith(separator);
    if (isNamed && number > 1 && versionIdentifier(base, separator, mark, number) === identifier)
      return { base, number };
  }
  return own;
}

/** States in which an object is at the service only if the list is wrong. */
const absent = new Set<ObjectState>(['uploading', 'failed', 'gone']);

type OneVersion = Pick<ObjectRecord, 'kind' | 'state' | 'unverified' | 'isShared'>;

/**
 * The newest stored version, which stands for the object in lists and patterns. One that is only hearsay never does while another is stored.
 * @param versions of one base, oldest first
 */
export function newestStored<T extends OneVersion>(versions: readonly T[]): T | undefined {
  const stored = versions.filter(({ state }) => state === 'stored');
  return stored.findLast((version) => !isHearsay(version)) ?? stored.at(-1);
}

/**
 * The version that a person or a program means by an identifier: with a number exactly that one; without, the newest stored one, or else
 * the newest that may be there.
 * @param versions of its base, oldest first
 */
export function versionMeant<T extends OneVersion & Pick<ObjectRecord, 'identifier'>>(
  identifier: string,
  base: string,
  versions: readonly T[],
): T | undefined {
  const exact = versions.find((version) => version.identifier === identifier);
  if (identifier !== base) return exact;
  return newestStored(versions) ?? versions.findLast(({ state }) => !absent.has(state)) ?? exact;
}
