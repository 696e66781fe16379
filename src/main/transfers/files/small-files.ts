import type { FileStats } from './file-state.ts';
import type { ReadAnswer, ReadFile, ReadOrder } from './read-worker.ts';
import { startThread, type Thread } from './thread.ts';

type Reader = Thread<ReadOrder, ReadAnswer>;

/** A drive that keeps one thread waiting for this long is slow, and then more of them wait beside each other. */
const slowMs = 20;
const mostReaders = 4;

let readers: Reader[] = [];
let lastId = 0;

/**
 * Opens, reads, hashes and closes a small file on another thread, all at once: for this thread that is one message, where each
 * step of its own would cost as much. Rejects with what the file system said.
 */
export async function readSmallFile(path: string, mostBytes: number): Promise<ReadFile> {
  const answer = await freeReader().ask({ id: (lastId += 1), kind: 'read', path, mostBytes });
  if ('file' in answer) return answer.file;
  throw failureIn(answer);
}

/** The state of the file under this name a few milliseconds from now; null: there is none. Rejects as `readSmallFile`. */
export async function lookAtSmallFile(path: string): Promise<FileStats | null> {
  const answer = await freeReader().askAlong({ id: (lastId += 1), kind: 'stat', path });
  if ('stats' in answer) return answer.stats;
  throw failureIn(answer);
}

function failureIn(answer: ReadAnswer): Error {
  if (!('message' in answer)) return new Error('The thread answered something else');
  return Object.assign(new Error(answer.message), answer.code !== undefined && { code: answer.code });
}

function freeReader(): Reader {
  readers = readers.filter((reader) => reader.failure() === null);
  const best = readers.toSorted((a, b) => a.busyMs() - b.busyMs())[0];
  if (best && (best.busyMs() < slowMs || readers.length >= mostReaders)) return best;
  const started: Reader = startThread('read', 4);
  readers.push(started);
  return started;
}

/** Ends the threads; the next file starts one again. */
export async function closeReaders(): Promise<void> {
  const all = readers;
  readers = [];
  await Promise.all(all.map((reader) => reader.end()));
}
