import { createReadStream } from 'node:fs';
import { BadFile, formatVersion, headerSchema, type ReadLine } from './format.ts';

/** A longer line is skipped without being held in memory. */
const lineCharactersMax = 16 * 1024 * 1024;

export async function* readJsonLines(path: string): AsyncGenerator<ReadLine> {
  let line = 0;
  for await (const text of splitLines(path)) {
    line += 1;
    const value = text === null ? undefined : parseJson(text);
    if (line === 1) {
      const header = headerSchema.safeParse(value);
      if (!header.success) throw new BadFile('The first line is not that of a Coffer catalogue.');
      if (header.data.cofferCatalogue !== formatVersion)
        throw new BadFile('It was written by a newer Coffer.');
    } else if (text === null) yield { line, problem: 'The line is too long.' };
    else if (value === undefined) {
      if (text.trim() !== '') yield { line, problem: 'The line is not JSON.' };
    } else yield { line, value };
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Lines without their ends; null for one that is too long. */
async function* splitLines(path: string): AsyncGenerator<string | null> {
  const decoder = new TextDecoder();
  let rest: string | null = '';
  for await (const chunk of createReadStream(path)) {
    const pieces = decoder.decode(chunk as Buffer, { stream: true }).split('\n');
    for (const [index, piece] of pieces.entries()) {
      if (index > 0) {
        yield rest;
        rest = '';
      }
      if (rest !== null) rest = rest.length + piece.length > lineCharactersMax ? null : rest + piece;
    }
  }
  if (rest !== '') yield rest;
}
