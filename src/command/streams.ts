import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { addAbortSignal, type Writable } from 'node:stream';
import type { Context } from './context.ts';
import { Usage } from './errors.ts';
import { exitCodes } from './exit-code.ts';
import type { CommandIo } from './io.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';
import { commandTexts as texts } from './texts.ts';

/**
 * A private folder for bytes that come from standard input or go to standard output. What a transfer still needs is removed by the
 * process that runs the transfers (`main/command-streams.ts`).
 */
export interface StreamFolder {
  readonly path: string;
  remove(): Promise<void>;
}

type Owner = Pick<Context, 'io' | 'dataFolder' | 'hasList'>;

export async function makeStreamFolder(owner: Owner): Promise<StreamFolder> {
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
 * Writes standard input to a new file (0600) and flushes it to the disk. Resolves with its SHA-256 in hex.
 * @throws Usage if it is a folder, or ends before its length
 */
export async function keepStandardInput(io: CommandIo, path: string, signal: AbortSignal): Promise<string> {
  const expected = io.stdinBytes();
  const file = await open(path, 'wx', 0o600);
  try {
    const hash = createHash('sha256');
    let read = 0;
    for await (const piece of addAbortSignal(signal, io.stdin)) {
      const bytes = piece as Buffer;
      read += bytes.length;
      hash.update(bytes);
      await file.writeFile(bytes);
    }
    if (expected !== null && read < expected)
      throw new Usage(texts.stdinCutOff({ read, expected }), exitCodes.error);
    await file.sync();
    return hash.digest('hex');
  } finally {
    await file.close();
  }
}

/** Resolves with the SHA-256 of what was written, in hex. @param end whether to end `to`, and wait until that has happened */
export async function sendFile(path: string, to: Writable, end: boolean): Promise<string> {
  const hash = createHash('sha256');
  async function* hashed(pieces: AsyncIterable<Buffer>) {
    for await (const piece of pieces) {
      hash.update(piece);
      yield piece;
    }
  }
  await pipeline(createReadStream(path), hashed, to, { end });
  return hash.digest('hex');
}
