import { maxSecretBytes } from '../../shared/domain/limits.ts';
import { formatSize } from '../../shared/i18n/format.ts';
import { Usage } from '../errors/errors.ts';
import { exitCodes } from '../errors/exit-code.ts';
import type { CommandIo } from '../terminal/io.ts';
import { openTerminal } from './terminal.ts';
import { secretTexts as texts } from './texts.ts';

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Reads the value of a new secret from standard input, without echo if that is a terminal. Never an argument: every process
 * can read those, and shells store a history. Removes the line end of a single line: programs print one after a value, and a
 * password has none. @throws Usage
 */
export async function readValue(
  io: CommandIo,
  identifier: string,
): Promise<{ value: Buffer; hadLineEnd: boolean }> {
  if (io.stdin.isTTY) return { value: await askValue(io, identifier), hadLineEnd: false };
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of io.stdin) {
    const read = piece as Buffer;
    pieces.push(read);
    bytes += read.length;
    if (bytes > maxSecretBytes.possible + 2)
      throw new Usage(texts.tooLong({ limit: formatSize(maxSecretBytes.possible) }), exitCodes.forbidden);
  }
  const all = Buffer.concat(pieces);
  for (const piece of pieces) piece.fill(0);
  const value = all.subarray(0, lengthWithoutLineEnd(all));
  if (value.length === 0) throw new Usage(texts.noValue);
  return { value, hadLineEnd: value.length < all.length };
}

function lengthWithoutLineEnd(bytes: Buffer): number {
  const first = bytes.indexOf(lineFeed);
  if (first < 0 || first !== bytes.length - 1) return bytes.length;
  return bytes[first - 1] === carriageReturn ? first - 1 : first;
}

async function askValue(io: CommandIo, identifier: string): Promise<Buffer> {
  const terminal = openTerminal(io);
  if (!terminal) throw new Usage(texts.noValue);
  try {
    const typed = await terminal.askHidden(texts.prompt({ identifier }));
    if (typed === null || typed === '') throw new Usage(texts.promptEmpty);
    // What the terminal's decoder puts in the place of bytes that are not UTF-8.
    if (typed.includes('\uFFFD')) throw new Usage(texts.promptNotText);
    return Buffer.from(typed);
  } finally {
    terminal.close();
  }
}
