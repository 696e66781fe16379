import type { FileStats } from './file-state.ts';
import type { SharedPiece } from './buffer-pool.ts';
import { readWhole, statsOf, waitingReads, type ReadFile } from './read-whole.ts';
import type { ReadAnswer, ReadOrder } from './read-worker.ts';
import { createWorkerPool } from './worker-pool.ts';

const readers = createWorkerPool<ReadOrder, ReadAnswer>('read', 4);
/** Starting a thread takes as long as reading this many files without one. */
export const withoutThreadMax = 16;
let readWithoutThread = 0;
let lastId = 0;

/**
 * Opens, reads, hashes and closes a small file. Where there are many, on another thread with one message; from this thread each step
 * would cost as much. Rejects with the file system's error.
 * @param memory for a file of more than `threadFromBytes`; it is in use until the call settles
 */
export async function readSmallFile(path: string, memory: SharedPiece | null): Promise<ReadFile> {
  if (readWithoutThread < withoutThreadMax) {
    readWithoutThread += 1;
    return readWhole(path, memory, waitingReads);
  }
  const answer = await readers.free().ask({ id: (lastId += 1), kind: 'read', path, memory });
  if ('file' in answer) return answer.file;
  throw failureIn(answer);
}

/** The state of the file under this name a moment from now (lazy); null: none. Rejects as `readSmallFile`. */
export async function statSmallFile(path: string): Promise<FileStats | null> {
  if (readWithoutThread < withoutThreadMax) {
    const stats = await waitingReads.stat(path);
    return stats && statsOf(stats);
  }
  const answer = await readers.free().ask({ id: (lastId += 1), kind: 'stat', path }, { goesAlong: true });
  if ('stats' in answer) return answer.stats;
  throw failureIn(answer);
}

function failureIn(answer: ReadAnswer): Error {
  if (!('message' in answer)) return new Error('The thread answered something else');
  return Object.assign(new Error(answer.message), answer.code !== undefined && { code: answer.code });
}

/** Ends the threads; after a few files the next one starts one again. */
export async function closeReaders(): Promise<void> {
  readWithoutThread = 0;
  await readers.close();
}
