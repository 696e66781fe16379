import type { DigestAnswer, DigestOrder } from './digest-worker.ts';
import type { SharedPiece } from './buffer-pool.ts';
import { startFileWorker, type FileWorker } from './file-worker.ts';

/**
 * SHA-256 of bytes that arrive in pieces. When the thread dies, every promise of this digest rejects: the next call
 * reports it, so callers need not await each one.
 */
export interface Digest {
  /** Resolves when the piece's memory may be reused; until then it must not change. */
  add(piece: SharedPiece): Promise<void>;
  /** In hex, of everything that was added. */
  end(): Promise<string>;
  /** Discards the digest. Pending calls still resolve; after `end` it does nothing. */
  drop(): void;
}

/** Each pool has its own thread, so that a file and its parts can be hashed at the same time. */
type DigestPool = 'files' | 'parts';
const threads = new Map<DigestPool, FileWorker<DigestOrder, DigestAnswer>>();
let lastId = 0;

/**
 * References to a piece are garbage that keeps its memory alive: with a small young generation they are collected
 * often.
 */
function startDigests(): FileWorker<DigestOrder, DigestAnswer> {
  return startFileWorker('digest', 1);
}

/** A digest on the shared thread, which starts when it is first needed, and again after it died. */
export function openDigest(pool: DigestPool = 'files'): Digest {
  const known = threads.get(pool);
  const own = known && !known.failure() ? known : startDigests();
  threads.set(pool, own);
  const id = (lastId += 1);
  let isOver = false;

  function ask<T>(order: DigestOrder, take: (answer: DigestAnswer) => T): Promise<T> {
    const answer = own.ask(order).then(take);
    answer.catch(() => undefined);
    return answer;
  }

  return {
    add(piece) {
      return isOver ? Promise.resolve() : ask({ id, kind: 'add', piece }, () => undefined);
    },
    end() {
      isOver = true;
      return ask({ id, kind: 'end' }, ({ sha256 }) => sha256 ?? '');
    },
    drop() {
      if (!isOver) own.tell({ id, kind: 'drop' });
      isOver = true;
    },
  };
}

/** Ends the threads; pending calls reject. The next digest starts a new one. */
export async function closeDigests(): Promise<void> {
  const all = [...threads.values()];
  threads.clear();
  await Promise.all(all.map((thread) => thread.end()));
}
