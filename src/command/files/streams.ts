import { createHash, randomUUID } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { addAbortSignal, type Writable } from 'node:stream';
import { formatSize } from '../../shared/i18n/format.ts';
import type { Context } from '../context.ts';
import { Usage } from '../errors/errors.ts';
import { exitCodes } from '../errors/exit-code.ts';
import type { CommandIo } from '../terminal/io.ts';
import { openInput } from '../terminal/open-input.ts';
import { makeTemporaryFolder, noSpaceIn } from './temporary-folder.ts';
import { commandTexts as texts } from '../texts.ts';

type Sender = Pick<Context, 'io' | 'output'>;
type Owner = Pick<Context, 'io' | 'dataFolder' | 'hasList'>;

/**
 * A private folder for bytes from standard input or for standard output. The process that runs the transfers removes what they
 * still need later (`main/command-streams.ts`).
 */
export async function makeStreamFolder(owner: Owner) {
  const path = await makeFolder(owner);
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

async function makeFolder(owner: Owner): Promise<string> {
  if (!owner.hasList) return makeTemporaryFolder(owner.io);
  const all = join(owner.dataFolder, 'streams');
  await mkdir(all, { recursive: true, mode: 0o700 });
  const path = join(all, `${owner.io.pid}-${randomUUID()}`);
  await mkdir(path, { mode: 0o700 });
  return path;
}

/**
 * Writes a stream to a new file (0600) and flushes it to the disk. Resolves with its SHA-256 in hex.
 * @param from `-` for standard input, or the path of a FIFO
 * @throws Usage if it is a folder, or ends before its length
 */
export async function keepInput(
  io: CommandIo,
  from: string,
  path: string,
  signal: AbortSignal,
): Promise<string> {
  const [source, expected] = from === '-' ? [io.stdin, io.stdinBytes()] : [openInput(io.resolve(from)), null];
  const file = await open(path, 'wx', 0o600);
  try {
    const hash = createHash('sha256');
    let read = 0;
    for await (const piece of addAbortSignal(signal, source)) {
      const bytes = piece as Buffer;
      read += bytes.length;
      hash.update(bytes);
      try {
        await file.writeFile(bytes);
      } catch (cause) {
        await file.truncate();
        if (!isFull(cause)) throw cause;
        const size = formatSize(expected ?? read);
        throw await noSpaceIn(dirname(dirname(path)), expected === null ? texts.moreThan({ size }) : size);
      }
    }
    if (expected !== null && read < expected)
      throw new Usage(texts.stdinCutOff({ read, expected }), exitCodes.error);
    await file.sync();
    return hash.digest('hex');
  } finally {
    await file.close();
  }
}

const fullCodes = new Set(['ENOSPC', 'EDQUOT']);

function isFull(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && fullCodes.has(String(cause.code));
}

/**
 * Writes a file to standard output or into a device or FIFO, which opens when something reads it.
 * @param to `-`, or a path with `isStream`
 * @returns the SHA-256 of what was written, in hex; null: the reader of standard output has closed it
 */
export async function sendFile(path: string, to: string, { io, output }: Sender): Promise<string | null> {
  const hash = createHash('sha256');
  async function* hashed(pieces: AsyncIterable<Buffer>) {
    for await (const piece of pieces) {
      hash.update(piece);
      yield piece;
    }
  }
  try {
    await pipeline(createReadStream(path), hashed, await openStream(io, to), { end: to !== '-' });
  } catch (cause) {
    if (to === '-' && output.isClosed()) return null;
    throw cause;
  }
  return hash.digest('hex');
}

/** For writing, without creating or truncating. @param to `-`, or a path with `isStream` */
export async function openStream(io: CommandIo, to: string): Promise<Writable> {
  return to === '-' ? io.stdout : (await open(io.resolve(to), constants.O_WRONLY)).createWriteStream();
}
