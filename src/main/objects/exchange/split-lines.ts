import { BadLineFinder, createStrictDecoder, encodingByMark } from '../../lib/decode-text.ts';
import { createReadStream } from '../../local-files/fs.ts';
import { BadFile } from './format.ts';

/** Longer lines are skipped without keeping them in memory. Exports never write one. */
export const lineCharactersMax = 16 * 1024 * 1024;
/** Bytes read at once: some thousand lines, because one call per line costs more. */
const pieceBytes = 256 * 1024;

export interface TextLine {
  /** null: the line is too long. */
  readonly text: string | null;
  /** The line ending as in the file; empty at the end of the file. */
  readonly end: string;
}

/** @param onRead called after each batch */
export interface Reading {
  readonly encoding: string;
  readonly onRead?: (bytes: number) => void;
}

/** The encoding of a file by its byte order mark, or UTF-8. */
export async function encodingOf(path: string): Promise<string> {
  const start: AsyncIterable<Buffer> = createReadStream(path, { end: 1 });
  for await (const bytes of start) return encodingByMark(bytes);
  return 'utf-8';
}

/** Reads all of a file to see that it is text, before any of it has an effect. @throws BadFile with the line that is not */
export async function requireText(path: string, encoding: string): Promise<void> {
  const decoder = createStrictDecoder(encoding);
  const isText = (piece?: Buffer) => {
    try {
      decoder.decode(piece);
      return true;
    } catch {
      return false;
    }
  };
  let isGood = true;
  for await (const piece of piecesOf(path)) if (!(isGood = isText(piece))) break;
  if (isGood && isText()) return;
  const finder = new BadLineFinder(encoding);
  for await (const piece of piecesOf(path)) if (finder.finds(piece)) break;
  throw new BadFile('notText', { line: finder.line, encoding: encoding.toUpperCase() });
}

function piecesOf(path: string): AsyncIterable<Buffer> {
  return createReadStream(path, { highWaterMark: pieceBytes });
}

/**
 * Yields the lines of a file in batches, without its byte order mark. Lines end with LF, CR or CRLF.
 * @throws TypeError for bytes that are not text
 */
export async function* splitLines(path: string, { encoding, onRead }: Reading): AsyncGenerator<TextLine[]> {
  const decoder = createStrictDecoder(encoding);
  let rest: string | null = '';
  /** A trailing CR, until the next batch shows whether an LF follows. */
  let held = '';
  function take(characters: string): TextLine[] {
    const lines: TextLine[] = [];
    const pieces = characters.split(/(\r\n|\n|\r)/);
    for (let at = 0; at < pieces.length; at += 2) {
      const piece = pieces[at] ?? '';
      if (rest !== null) rest = rest.length + piece.length > lineCharactersMax ? null : rest + piece;
      const end = pieces[at + 1];
      if (end === undefined) break;
      lines.push({ text: rest, end });
      rest = '';
    }
    return lines;
  }
  for await (const piece of piecesOf(path)) {
    const characters = held + decoder.decode(piece);
    held = characters.endsWith('\r') ? '\r' : '';
    yield take(held === '' ? characters : characters.slice(0, -1));
    onRead?.(piece.length);
  }
  const last = take(held + decoder.decode());
  if (rest !== '') last.push({ text: rest, end: '' });
  yield last;
}
