import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { addAbortSignal } from 'node:stream';
import type { Context } from '../context.ts';
import { Usage } from '../errors/errors.ts';
import { selectionTexts as texts } from './selection-texts.ts';

export interface NamesFrom {
  /** A file, or `-` for standard input. */
  readonly filesFrom?: string;
}

/**
 * The names given as words and by `--files-from`, one per line, or NUL-terminated if the list contains a NUL. null: the list is
 * empty, which has been reported. @throws Usage if nothing was given
 */
export async function readNames(
  { io, output, interrupted }: Pick<Context, 'io' | 'output' | 'interrupted'>,
  words: readonly string[],
  { filesFrom }: NamesFrom,
): Promise<readonly string[] | null> {
  if (filesFrom === undefined) {
    if (words.length === 0) throw new Usage(texts.noNames);
    return words;
  }
  let text = '';
  if (filesFrom === '-')
    for await (const piece of addAbortSignal(interrupted, io.stdin.setEncoding('utf8')))
      text += String(piece);
  else {
    await using file = await open(resolve(io.cwd, filesFrom));
    text = await file.readFile({ encoding: 'utf8', signal: interrupted });
  }
  const read = text.split(text.includes('\0') ? '\0' : /\r?\n/).filter((name) => name !== '');
  if (words.length + read.length > 0) return [...words, ...read];
  output.say(texts.nothingNamed);
  return null;
}
