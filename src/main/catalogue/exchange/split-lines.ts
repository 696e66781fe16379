import { createReadStream } from '../../files/fs.ts';

/** A longer line is not held in memory. No export writes one. */
export const lineCharactersMax = 16 * 1024 * 1024;

export interface TextLine {
  /** null: it is too long. */
  readonly text: string | null;
  /** As it stands in the file; empty at the end of it. */
  readonly end: string;
}

/** The lines of a file in UTF-8, without its byte order mark. They end with a line feed, a carriage return, or both. */
export async function* splitLines(path: string): AsyncGenerator<TextLine> {
  const decoder = new TextDecoder();
  let rest: string | null = '';
  /** A carriage return, until it is known what follows it. */
  let held = '';
  function* take(characters: string): Generator<TextLine> {
    const pieces = characters.split(/(\r\n|\n|\r)/);
    for (let at = 0; at < pieces.length; at += 2) {
      const piece = pieces[at] ?? '';
      if (rest !== null) rest = rest.length + piece.length > lineCharactersMax ? null : rest + piece;
      const end = pieces[at + 1];
      if (end === undefined) break;
      yield { text: rest, end };
      rest = '';
    }
  }
  for await (const chunk of createReadStream(path)) {
    const characters = held + decoder.decode(chunk as Buffer, { stream: true });
    held = characters.endsWith('\r') ? '\r' : '';
    yield* take(held === '' ? characters : characters.slice(0, -1));
  }
  yield* take(held + decoder.decode());
  if (rest !== '') yield { text: rest, end: '' };
}
