import { createReadStream } from '../../local-files/fs.ts';

/** A longer line is not held in memory. No export writes one. */
export const lineCharactersMax = 16 * 1024 * 1024;
/** Read at once: some thousand lines, of which each costs less than by itself. */
const pieceBytes = 256 * 1024;

export interface TextLine {
  /** null: it is too long. */
  readonly text: string | null;
  /** As it stands in the file; empty at the end of it. */
  readonly end: string;
}

/**
 * The lines of a file in UTF-8, without its byte order mark, some at a time. They end with a line feed, a carriage return,
 * or both. @param onRead after each piece of the file
 */
export async function* splitLines(
  path: string,
  onRead: (bytes: number) => void = () => undefined,
): AsyncGenerator<TextLine[]> {
  const decoder = new TextDecoder();
  let rest: string | null = '';
  /** A carriage return, until it is known what follows it. */
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
