import type { DigestAnswer, DigestOrder } from './digest-worker.ts';
import type { SharedPiece } from './buffer-pool.ts';
import { startFileWorker, type FileWorker } from './file-worker.ts';

/**
 * SHA-256 of bytes that come piece after piece. When the thread dies, everything of this digest rejects: whoever asks for the next of
 * it hears of that, and nobody has to wait for each.
 */
export interface Digest {
  /** Resolves when the piece's memory is not needed any more; until then it must not change. */
  add(piece: SharedPiece): Promise<void>;
  /** In hex, of everything that was added. */
  end(): Promise<string>;
  /** Nobody wants it any more. What is still on its way is answered all the same; after `end` it does nothing. */
  drop(): void;
}

/** Files and their parts may be hashed at the same time, each in a thread of its own. */
type DigestPool = 'files' | 'parts';
const threads = new Map<DigestPool, FileWorker<DigestOrder, DigestAnswer>>();
let lastId = 0;

/**
 * What the thread has seen of a piece is garbage that keeps the piece's memory: with little room it is collected often.
 */
function startDigests(): FileWorker<DigestOrder, DigestAnswer> {
  return startFileWorker('digest', 1);
}

/** A digest on the thread that all transfers share; it starts when it is first needed, and anew when it died. */
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

/** Ends the threads; what is still asked of them rejects. The next digest starts one again. */
export async function closeDigests(): Promise<void> {
  const all = [...threads.values()];
  threads.clear();
  await Promise.all(all.map((thread) => thread.end()));
}
