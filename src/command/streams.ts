import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { addAbortSignal, type Readable, type Writable } from 'node:stream';
import type { Context } from './context.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';

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

/** Writes everything to a new file (0600) and flushes it to the disk. Resolves with its SHA-256 in hex. */
export async function keepStream(from: Readable, path: string, signal: AbortSignal): Promise<string> {
  const file = await open(path, 'wx', 0o600);
  try {
    const hash = createHash('sha256');
    for await (const piece of addAbortSignal(signal, from)) {
      const bytes = piece as Buffer;
      hash.update(bytes);
      await file.writeFile(bytes);
    }
    await file.sync();
    return hash.digest('hex');
  } finally {
    await file.close();
  }
}

/** Resolves with the SHA-256 of what was written, in hex. */
export async function sendFile(path: string, to: Writable): Promise<string> {
  const hash = createHash('sha256');
  async function* hashed(pieces: AsyncIterable<Buffer>) {
    for await (const piece of pieces) {
      hash.update(piece);
      yield piece;
    }
  }
  await pipeline(createReadStream(path), hashed, to, { end: false });
  return hash.digest('hex');
}
