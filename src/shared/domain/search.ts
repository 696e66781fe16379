import { fileKinds, type FileKind } from './file-kind.ts';
import { objectStateSchema, type ObjectState } from './object.ts';
import { isSearchKey, searchKeys, tokensOf, type SearchKey, type SearchToken } from './search-tokens.ts';

/** Folded pieces around each `*`, which matches any text; they must occur in order. */
export type Pattern = readonly string[];

/** `exact`: quoted; otherwise a prefix matches. An empty exact one is the service's default, or no folder. */
export interface NamePattern {
  readonly pattern: Pattern;
  readonly exact: boolean;
}

/** Every word must match, and one value of each other list that is not empty. */
interface Demands {
  /** Each in the identifier, the source name or the note. */
  readonly words: readonly Pattern[];
  readonly classes: readonly NamePattern[];
  /** Parts of its folder path, from the start of a folder name. */
  readonly folders: readonly NamePattern[];
  readonly states: readonly ObjectState[];
  readonly fileKinds: readonly FileKind[];
  /** Who stored it. */
  readonly people: readonly NamePattern[];
}

/** A parsed search. All parts must match. */
export interface SearchFilter extends Demands {
  /** None of these may match. */
  readonly without: Demands;
  /** Inclusive bounds in bytes; objects of unknown length never match. */
  readonly minBytes: number | null;
  readonly maxBytes: number | null;
  /** Stored at or after, and stored before, milliseconds. */
  readonly storedFromMs: number | null;
  readonly storedBeforeMs: number | null;
  /** true: on the team's list; false: only on this computer's. */
  readonly shared: ReadonlySet<boolean>;
  /** Tokens that look like filters but are not; they are treated as words. */
  readonly problems: readonly SearchProblem[];
}

export interface SearchProblem {
  readonly token: SearchToken;
  /** key: unknown filter; exclude: this filter cannot be negated; otherwise what is wrong with its value. */
  readonly problem: 'key' | 'exclude' | 'size' | 'state' | 'date' | 'kind' | 'shared';
}

/** Values of `kind:`, besides the kind itself; a prefix is enough. */
export const fileKindWords: Readonly<Record<FileKind, string>> = {
  text: 'document',
  image: 'picture',
  video: 'video',
  audio: 'audio',
  table: 'table',
  archive: 'archive',
  points: 'model',
  file: 'file',
};

/** Alternatives to suggest for a filter, or its value, with this problem. */
export const allowedInstead: Readonly<
  Record<'key' | 'exclude' | 'state' | 'kind' | 'shared', readonly string[]>
> = {
  key: searchKeys,
  exclude: ['by', 'class', 'folder', 'kind', 'shared', 'state'],
  state: objectStateSchema.options,
  kind: fileKinds.map((kind) => fileKindWords[kind]),
  shared: ['yes', 'no'],
};

/** The value of `by:` for the person. */
export const myself = 'me';

/**
 * Normalises text for comparison: ignores case in every script, compatibility forms, and composed or decomposed marks;
 * accents count. Turkish dotted and dotless i match i, ß matches ss, final sigma matches sigma.
 */
export function foldText(text: string): string {
  if (!/[^\0-\x7f]/.test(text)) return text.toLowerCase();
  const lower = text.normalize('NFKD').toUpperCase().toLowerCase();
  return lower.replaceAll('i\u0307', 'i').replaceAll('ς', 'σ').normalize('NFKC');
}

/** Whether the text contains all pieces, in order. */
export function hasInOrder(text: string, pattern: Pattern, from = 0): boolean {
  let at = from;
  for (const piece of pattern) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return true;
}

/** @param folded the whole name, in the form of `foldText` */
export function fitsName(folded: string, { pattern, exact }: NamePattern): boolean {
  const [first = '', ...rest] = pattern;
  if (exact) return folded === first;
  return folded.startsWith(first) && hasInOrder(folded, rest, first.length);
}

/** As `fitsName`, for a person: matches from the start of any word of the name. */
export function fitsPerson(folded: string, name: NamePattern): boolean {
  if (name.exact) return fitsName(folded, name);
  return [...folded.matchAll(/\S+/gu)].some(({ index }) => fitsName(folded.slice(index), name));
}

/**
 * As `fitsName`, for a folder or any of its ancestors.
 * @param folded its path with a separator before and after it
 * @param separator folded
 */
export function fitsFolder(folded: string, { pattern, exact }: NamePattern, separator: string): boolean {
  const [first = '', ...rest] = pattern;
  let start = 0;
  while (first.startsWith(separator, start)) start += separator.length;
  const begin = separator + first.slice(start);
  return hasInOrder(folded, exact && !begin.endsWith(separator) ? [begin + separator] : [begin, ...rest]);
}

interface Collected {
  words: Pattern[];
  classes: NamePattern[];
  folders: NamePattern[];
  states: ObjectState[];
  fileKinds: FileKind[];
  people: NamePattern[];
}
const nothing = (): Collected => ({
  words: [],
  classes: [],
  folders: [],
  states: [],
  fileKinds: [],
  people: [],
});

/** Pure except for the time zone: days begin at local midnight. Never throws. A filter without a value is ignored. */
export function parseSearch(text: string): SearchFilter {
  const wanted = nothing();
  const without = nothing();
  const problems: SearchProblem[] = [];
  const size = { min: -Infinity, max: Infinity };
  const time = { from: -Infinity, before: Infinity };
  const shared = new Set([true, false]);

  /** The problem, or null. */
  function take(
    key: SearchKey,
    { value, isExcluded, isQuoted }: SearchToken,
  ): SearchProblem['problem'] | null {
    const into = isExcluded ? without : wanted;
    switch (key) {
      case 'class':
        into.classes.push({ pattern: patternOf(value, isQuoted), exact: isQuoted });
        return null;
      case 'folder':
        into.folders.push({ pattern: patternOf(value, isQuoted), exact: isQuoted });
        return null;
      case 'by':
        into.people.push({ pattern: patternOf(value, isQuoted), exact: isQuoted });
        return null;
      case 'shared': {
        const isShared = isBeginning(value, 'yes');
        if (!isShared && !isBeginning(value, 'no')) return 'shared';
        shared.delete(isShared === isExcluded);
        return null;
      }
      case 'state': {
        const states = objectStateSchema.options.filter((state) => isBeginning(value, state));
        into.states.push(...states);
        return states.length > 0 ? null : 'state';
      }
      case 'kind': {
        const kinds = fileKinds.filter(
          (kind) => isBeginning(value, fileKindWords[kind]) || isBeginning(value, kind),
        );
        into.fileKinds.push(...kinds);
        return kinds.length > 0 ? null : 'kind';
      }
      case 'size': {
        const bounds = parseSize(value);
        if (bounds === null || isExcluded) return bounds === null ? 'size' : 'exclude';
        size.min = Math.max(size.min, bounds.min);
        size.max = Math.min(size.max, bounds.max);
        return null;
      }
      case 'before':
      case 'after': {
        const dayMs = parseDay(value);
        if (dayMs === null || isExcluded) return dayMs === null ? 'date' : 'exclude';
        if (key === 'before') time.before = Math.min(time.before, dayMs);
        else time.from = Math.max(time.from, dayMs);
        return null;
      }
    }
  }

  for (const token of tokensOf(text)) {
    const { key, value, isExcluded, isQuoted } = token;
    if (key === null) {
      const pattern = patternOf(value, isQuoted).filter((piece) => piece !== '');
      if (pattern.length > 0) (isExcluded ? without : wanted).words.push(pattern);
      continue;
    }
    const isKnown = isSearchKey(key);
    if (isKnown && value === '' && !isQuoted) continue;
    const problem = isKnown ? take(key, token) : 'key';
    if (problem === null) continue;
    problems.push({ token, problem });
    // Find nothing rather than what the filter was meant to exclude.
    wanted.words.push([foldText(token.text)]);
  }
  return {
    ...wanted,
    without,
    minBytes: finite(size.min),
    maxBytes: finite(size.max),
    storedFromMs: finite(time.from),
    storedBeforeMs: finite(time.before),
    shared,
    problems,
  };
}

function isBeginning(value: string, word: string): boolean {
  return value !== '' && word.startsWith(value.toLowerCase());
}

function patternOf(value: string, isQuoted: boolean): Pattern {
  return isQuoted ? [foldText(value)] : value.split('*').map(foldText);
}

const unitBytes = new Map([
  ['', 1],
  ['b', 1],
  ['kb', 1e3],
  ['mb', 1e6],
  ['gb', 1e9],
]);

function parseSize(value: string): { min: number; max: number } | null {
  const match = /^(>=|<=|>|<|=|)(\d{1,12}(?:\.\d{1,9})?)(b|kb|mb|gb|)$/i.exec(value);
  const unit = unitBytes.get(match?.[3]?.toLowerCase() ?? '');
  if (match === null || unit === undefined) return null;
  const bytes = Math.round(Number(match[2]) * unit);
  if (match[1] === '>') return { min: bytes + 1, max: Infinity };
  if (match[1] === '>=') return { min: bytes, max: Infinity };
  if (match[1] === '<') return { min: -Infinity, max: bytes - 1 };
  if (match[1] === '<=') return { min: -Infinity, max: bytes };
  return { min: bytes, max: bytes };
}

/** Local midnight at the start of `2026-01-31`, `2026-01` or `2026`; null: not a date. */
function parseDay(value: string): number | null {
  const match = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/.exec(value);
  if (match === null) return null;
  const [year, month, day] = [Number(match[1]), Number(match[2] ?? 1) - 1, Number(match[3] ?? 1)];
  const date = new Date(2000, 0, 1);
  date.setFullYear(year, month, day);
  return date.getMonth() === month && date.getDate() === day ? date.getTime() : null;
}

function finite(bound: number): number | null {
  return Number.isFinite(bound) ? bound : null;
}
