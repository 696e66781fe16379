import { createHash, randomBytes } from 'node:crypto';
import { readdir, readlink } from 'node:fs/promises';
import { type AppError } from '../../../src/shared/errors.ts';
import { toAppError } from '../../../src/shared/app-failure.ts';

export const sha256Of = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');

/** Bytes without repetitions. */
export function distinctBytes(sizeBytes: number): Buffer {
  return randomBytes(sizeBytes);
}

export async function errorOf(work: Promise<unknown>): Promise<AppError | undefined> {
  try {
    await work;
  } catch (cause) {
    const error = toAppError(cause);
    if (error === undefined) throw cause;
    return error;
  }
  return undefined;
}

/** The files below this folder that this process has open. Only Linux tells; elsewhere none is known. */
export async function openFilesIn(folder: string): Promise<string[]> {
  if (process.platform !== 'linux') return [];
  const links = await Promise.all(
    (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
  );
  return links.filter((path) => path.startsWith(folder));
}
