import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { addAbortSignal, type Readable, type Writable } from 'node:stream';
import type { Context } from './context.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';

/** A private folder for bytes that come from standard input or go to standard output. */
export interface StreamFolder {
  readonly path: string;
  /** From now on it is there for this transfer, also when the command ends before it. */
  keepFor(transferId: number): Promise<void>;
  remove(): Promise<void>;
}

type Owner = Pick<Context, 'coffer' | 'dataFolder' | 'isKept'>;

/** Takes away what earlier commands have left that no transfer needs any more. */
export async function makeStreamFolder(owner: Owner): Promise<StreamFolder> {
  const path = await makeFolder(owner);
  return {
    path,
    keepFor: (transferId) => writeFile(join(path, noteName), String(transferId), { mode: 0o600 }),
    remove: () => rm(path, { recursive: true, force: true }),
  };
}

const noteName = 'transfer';

async function makeFolder(owner: Owner): Promise<string> {
  if (!owner.isKept) return makeTemporaryFolder();
  const all = join(owner.dataFolder, 'streams');
  await mkdir(all, { recursive: true, mode: 0o700 });
  await tidy(owner, all);
  const path = join(all, `${process.pid}-${randomUUID()}`);
  await mkdir(path, { mode: 0o700 });
  return path;
}

async function tidy({ coffer }: Owner, all: string): Promise<void> {
  for (const name of await readdir(all)) {
    const note = await readFile(join(all, name, noteName), 'utf8').catch(() => null);
    const id = Number(note);
    if (note === null || !Number.isSafeInteger(id) || id <= 0) {
      if (isRunning(Number.parseInt(name, 10))) continue;
    } else {
      const { transfers } = await coffer.call('command.transfers', { ids: [id] });
      // One that failed may be tried again.
      if (transfers.some(({ state }) => state !== 'done' && state !== 'cancelled')) continue;
    }
    await rm(join(all, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (cause) {
    return cause instanceof Error && 'code' in cause && cause.code === 'EPERM';
  }
}

/** Writes everything to a new file that only its person can read, and flushes it to the disk. Answers its SHA-256, in hex. */
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

/** Answers the SHA-256 of what was written, in hex. */
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
