import { extensionStart } from './extension.ts';

/** A version of an object: `a/report@3.docx` is the third of `a/report.docx`. */
export interface Version {
  readonly base: string;
  readonly number: number;
}

/** How identifiers and the names of their versions are made at one service. */
export interface VersionNaming {
  readonly separator: string;
  readonly versionMark: string;
}

export type VersionMarkProblem = 'number' | 'nothingBefore' | 'separator' | 'dot' | 'characters';

/**
 * Whether a mark names versions that are told from other identifiers: with `{number}` once and something before it, no
 * separator, which would make a folder, and no dot, which would make an extension. null: it does.
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

/** What every version of a base begins with, before its number. */
export function versionPrefix(base: string, separator: string, mark: string): string {
  return base.slice(0, extensionStart(base, separator)) + (mark.split('{number}')[0] ?? '');
}

/** Which version of what an identifier names; one without a mark is the first of itself. */
export function versionOf(identifier: string, separator: string, mark: string): Version {
  const own = { base: identifier, number: 1 };
  const end = extensionStart(identifier, separator);
  const [before = '', after = ''] = mark.split('{number}');
  const head = identifier.slice(0, end);
  if (!head.endsWith(after)) return own;
  const digits = /[1-9][0-9]{0,8}$/.exec(head.slice(0, head.length - after.length))?.[0] ?? '';
  // The shortest run of digits that leaves the mark before it: the mark may end with a digit itself.
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
