import { objectStateSchema, type ObjectState } from './object.ts';

/** What the search box asks for. All parts must hold; several values of `class:` or `state:` are alternatives. */
export interface SearchFilter {
  /** Folded; each must stand in the identifier, the source name or the note. */
  readonly words: readonly string[];
  /** Folded; `exact` when it was quoted, else the beginning is enough. An empty exact one is the service default. */
  readonly classes: readonly { readonly value: string; readonly exact: boolean }[];
  readonly states: readonly ObjectState[];
  /** Bounds in bytes, both included; an object of unknown length is outside any bound. */
  readonly minBytes: number | null;
  readonly maxBytes: number | null;
  /** Stored at or after, and stored before, milliseconds. */
  readonly storedFromMs: number | null;
  readonly storedBeforeMs: number | null;
  /** Tokens that looked like a filter and are none; they count as plain words. */
  readonly problems: readonly SearchProblem[];
}

export interface SearchProblem {
  readonly token: string;
  readonly problem: 'size' | 'state' | 'date' | 'class';
}

/**
 * The form in which text is compared: upper and lower case of every script, compatibility forms, and composed or
 * decomposed marks are one; accents count. Turkish dotted and dotless i meet in i, ß in ss, final sigma in sigma.
 */
export function foldText(text: string): string {
  if (!/[^\0-\x7f]/.test(text)) return text.toLowerCase();
  const lower = text.normalize('NFKD').toUpperCase().toLowerCase();
  return lower.replaceAll('i\u0307', 'i').replaceAll('ς', 'σ').normalize('NFKC');
}

/** Pure but for the time zone: days begin at midnight here. Never throws. */
export function parseSearch(text: string): SearchFilter {
  const words: string[] = [];
  const classes: { value: string; exact: boolean }[] = [];
  const states: ObjectState[] = [];
  const problems: SearchProblem[] = [];
  const size = { min: -Infinity, max: Infinity };
  const time = { from: -Infinity, before: Infinity };

  for (const match of text.matchAll(/(?:([a-z]+):)?(?:"([^"]*)"?|(\S+))|\S+/giu)) {
    const token = match[0];
    const key = match[1]?.toLowerCase();
    const value = match[2] ?? match[3] ?? '';
    const refuse = (problem: SearchProblem['problem']) => {
      problems.push({ token, problem });
      words.push(foldText(token));
    };
    if (key === 'class') {
      classes.push({ value: foldText(value), exact: match[2] !== undefined });
    } else if (key === 'state') {
      const state = objectStateSchema.safeParse(value.toLowerCase());
      if (state.success) states.push(state.data);
      else refuse('state');
    } else if (key === 'size') {
      const bounds = parseSize(value);
      if (bounds === null) refuse('size');
      else {
        size.min = Math.max(size.min, bounds.min);
        size.max = Math.min(size.max, bounds.max);
      }
    } else if (key === 'before' || key === 'after') {
      const dayMs = parseDay(value);
      if (dayMs === null) refuse('date');
      else if (key === 'before') time.before = Math.min(time.before, dayMs);
      else time.from = Math.max(time.from, dayMs);
    } else if (/^(class|state|size|before|after):$/i.test(token)) {
      refuse(problemOf(token));
    } else {
      words.push(foldText(key === undefined ? value : token));
    }
  }
  return {
    words: [...new Set(words.filter((word) => word !== ''))],
    classes,
    states,
    minBytes: finite(size.min),
    maxBytes: finite(size.max),
    storedFromMs: finite(time.from),
    storedBeforeMs: finite(time.before),
    problems,
  };
}

function problemOf(token: string): SearchProblem['problem'] {
  const key = token.slice(0, -1).toLowerCase();
  return key === 'class' || key === 'state' || key === 'size' ? key : 'date';
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

/** Local midnight at the beginning of `2026-01-31`; null for what is no day. */
function parseDay(value: string): number | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value);
  if (match === null) return null;
  const [year, month, day] = [Number(match[1]), Number(match[2]) - 1, Number(match[3])];
  const date = new Date(2000, 0, 1);
  date.setFullYear(year, month, day);
  return date.getMonth() === month && date.getDate() === day ? date.getTime() : null;
}

function finite(bound: number): number | null {
  return Number.isFinite(bound) ? bound : null;
}
