import { addAbortSignal } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { decodeText, encodingByMark, looksLikeUtf16 } from '../../main/lib/decode-text.ts';
import type { Context } from '../context.ts';
import { Usage } from '../errors/errors.ts';
import { selectionTexts as texts } from './selection-texts.ts';
import { openInput } from '../terminal/open-input.ts';

export interface NamesFrom {
  /** A file, or `-` for standard input. */
  readonly filesFrom?: string;
  /** The names in it end with NUL characters, not with lines. */
  readonly null?: true;
}

/** `.`, `/` and `**` too: all of a folder or of the service, which a list names by mistake rather than on purpose. */
const everything = /^(?:[A-Za-z]:)?[./\\*]+$/;

/**
 * The names given as words and by `--files-from`, one per line. Nothing of a list is used unless all of it is understood.
 * null: the list is empty, which has been reported. @throws Usage also if nothing was given
 */
export async function readNames(
  { io, output, interrupted }: Pick<Context, 'io' | 'output' | 'interrupted'>,
  words: readonly string[],
  { filesFrom, null: given }: NamesFrom,
): Promise<readonly string[] | null> {
  const isNullEnded = given === true;
  if (filesFrom === undefined) {
    if (isNullEnded) throw new Usage(texts.nullAlone);
    if (words.length === 0) throw new Usage(texts.noNames);
    return words;
  }
  const isInput = filesFrom === '-';
  const source = isInput ? io.stdin : openInput(io.resolve(filesFrom));
  const list = await buffer(addAbortSignal(interrupted, source));
  const read = parseNames(list, isInput ? texts.standardInput : filesFrom, isNullEnded);
  if (words.length + read.length > 0) return [...words, ...read];
  output.say(texts.nothingNamed);
  return null;
}

/** @param source names the list in errors @throws Usage */
function parseNames(bytes: Buffer, source: string, isNullEnded: boolean): string[] {
  if (encodingByMark(bytes) === 'utf-8' && looksLikeUtf16(bytes))
    throw new Usage(texts.likeUtf16({ source }));
  const decoded = decodeText(bytes);
  if ('badLine' in decoded) {
    const encoding = encodingByMark(bytes) === 'utf-8' ? 'UTF-8' : 'UTF-16';
    throw new Usage(texts.listNotText({ source, line: decoded.badLine, encoding }));
  }
  const { text } = decoded;
  const names = text.split(isNullEnded ? '\0' : /\r?\n/);
  // What follows the last end.
  if (names.at(-1) === '') names.pop();
  if (isNullEnded && !text.includes('\0') && text.includes('\n')) throw new Usage(texts.noNulls({ source }));
  names.forEach((name, index) => {
    const number = index + 1;
    const place = isNullEnded
      ? texts.nameInList({ source, number })
      : texts.lineInList({ source, line: number });
    if (name.includes('\0')) throw new Usage(texts.nullInLine({ place }));
    if (isNullEnded && name === '') throw new Usage(texts.emptyName({ place }));
    if (everything.test(name)) throw new Usage(texts.namesEverything({ place, name }));
  });
  return names.filter((name) => name !== '');
}
