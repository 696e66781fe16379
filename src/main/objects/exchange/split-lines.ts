import { createReadStream } from '../../local-files/fs.ts';

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

/**
 * Yields the lines of a UTF-8 file in batches, without its byte order mark. Lines end with LF, CR or CRLF.
 * @param onRead called after each batch
 */
export async function* splitLines(
  path: string,
  onRead: (bytes: number) => void = () => undefined,
): AsyncGenerator<TextLine[]> {
  const decoder = new TextDecoder();
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
  for await (const chunk of createReadStream(path, { highWaterMark: pieceBytes }) as AsyncIterable<Buffer>) {
    const characters = held + decoder.decode(chunk, { stream: true });
    held = characters.endsWith('\r') ? '\r' : '';
    yield take(held === '' ? characters : characters.slice(0, -1));
    onRead(chunk.length);
  }
  const last = take(held + decoder.decode());
  if (rest !== '') last.push({ text: rest, end: '' });
  yield last;
}
