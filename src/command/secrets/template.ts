import { isUtf8 } from 'node:buffer';
import { beginsAsReference, parseReference, type Reference, type ReferenceProblem } from './reference.ts';

/** Position of a reference, for error messages. `name`: of the variable; null in a template. */
export interface Place {
  readonly source: string;
  readonly line: number;
  readonly name: string | null;
}

export interface Hole {
  readonly reference: Reference;
  readonly place: Place;
}

/** Literal bytes, or a hole for the value of a secret. */
export type Piece = Buffer | Hole;

export interface Problem {
  readonly place: Place;
  readonly problem: ReferenceProblem | 'unclosed' | 'bare' | 'notText' | 'utf16';
  readonly text: string;
}

export interface Template {
  readonly pieces: readonly Piece[];
  /** A `bare` reference stays as written; the others are errors. */
  readonly problems: readonly Problem[];
}

const opening = '{{';
const closing = '}}';
/** The start of a hole; other braces are plain text. */
const hole = /\{\{[ \t]*(?=coffer:\/\/)/g;

const bareReference = 'coffer://';
const inUtf16 = Buffer.from(bareReference, 'utf16le');

/** Parses bytes with `{{ coffer://… }}`, of which only the references are text (UTF-8). @param place of the first line */
export function parseTemplate(bytes: Buffer, place: Place): Template {
  // A character for each byte, so that positions are the same.
  const text = bytes.toString('latin1');
  // Its references would be copied as they are.
  if (bytes.includes(inUtf16) || bytes.includes(Buffer.from(inUtf16).swap16()))
    return { pieces: [], problems: [{ place, problem: 'utf16', text: '' }] };
  const pieces: Piece[] = [];
  const problems: Problem[] = [];
  let from = 0;
  const keep = (until: number) => {
    if (until === from) return;
    const bare = text.slice(from, until).indexOf(bareReference);
    if (bare >= 0) problems.push({ place: placeOf(from + bare), problem: 'bare', text: bareReference });
    pieces.push(bytes.subarray(from, until));
  };
  const placeOf = (at: number): Place => ({
    ...place,
    line: place.line + text.slice(0, at).split('\n').length - 1,
  });
  for (const { index } of text.matchAll(hole)) {
    if (index < from) continue;
    const end = text.indexOf(closing, index);
    const innerBytes = bytes.subarray(index + opening.length, end < 0 ? undefined : end);
    const inner = innerBytes.toString();
    if (end < 0 || inner.includes('\n')) {
      problems.push({ place: placeOf(index), problem: 'unclosed', text: inner.split('\n')[0] ?? '' });
      continue;
    }
    keep(index);
    from = end + closing.length;
    const reference = isUtf8(innerBytes) ? parseReference(inner.trim()) : 'notText';
    if (typeof reference === 'string')
      problems.push({ place: placeOf(index), problem: reference, text: inner.trim() });
    else pieces.push({ reference, place: placeOf(index) });
  }
  keep(text.length);
  return { pieces, problems };
}

/** Parses the value of a variable: a lone reference, or text with references in braces. null if it has neither. */
export function parseValue(value: string, place: Place): Template | null {
  if (beginsAsReference(value)) {
    const reference = parseReference(value);
    return typeof reference === 'string'
      ? { pieces: [], problems: [{ place, problem: reference, text: value }] }
      : { pieces: [{ reference, place }], problems: [] };
  }
  return value.search(hole) < 0 ? null : parseTemplate(Buffer.from(value), place);
}

export function holesOf(pieces: readonly Piece[]): Hole[] {
  return pieces.filter((piece) => 'reference' in piece);
}
