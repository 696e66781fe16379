import type { Worker } from 'node:worker_threads';
import { startLimitedThread } from '../../limited-thread.ts';
import type { DigestAnswer, DigestOrder } from './digest-worker.ts';
import type { SharedPiece } from './memory.ts';

/** SHA-256 of bytes that come piece after piece. When the thread dies, everything of this digest rejects. */
export interface Digest {
  /** Resolves when the piece's memory is not needed any more; until then it must not change. */
  add(piece: SharedPiece): Promise<void>;
  /** In hex, of everything that was added. */
  end(): Promise<string>;
  /** Nobody wants it any more. What is still on its way is answered all the same; after `end` it does nothing. */
  drop(): void;
}

interface Waiting {
  readonly resolve: (sha256: string | null) => void;
  readonly reject: (reason: Error) => void;
}

/** One thread, and what is asked of it. */
interface Thread {
  readonly worker: Worker;
  /** By digest, in order. */
  readonly waiting: Map<number, Waiting[]>;
  failure: Error | null;
}

let thread: Thread | null = null;
let lastId = 0;

/** A digest on the thread that all transfers share; it starts when it is first needed, and anew when it died. */
export function openDigest(): Digest {
  const own = (thread ??= startThread());
  const id = (lastId += 1);
  const queue: Waiting[] = [];
  let isOver = false;

  function ask(order: DigestOrder): Promise<string | null> {
    const answer = new Promise<string | null>((resolve, reject) => {
      if (own.failure !== null) return reject(own.failure);
      queue.push({ resolve, reject });
      own.waiting.set(id, queue);
      // A program may end when nobody waits for a digest.
      own.worker.ref();
      own.worker.postMessage(order);
    });
    // It may fail while nobody waits for this piece; whoever asks for the next hears of it.
    answer.catch(() => undefined);
    return answer;
  }

  return {
    async add(piece) {
      if (!isOver) await ask({ id, kind: 'add', piece });
    },
    async end() {
      isOver = true;
      return (await ask({ id, kind: 'end' })) ?? '';
    },
    drop() {
      if (!isOver && own.failure === null) own.worker.postMessage({ id, kind: 'drop' } satisfies DigestOrder);
      isOver = true;
    },
  };
}

/** Ends the thread; what is still asked of it rejects. The next digest starts it again. */
export async function closeDigests(): Promise<void> {
  const own = thread;
  if (own === null) return;
  giveUp(own, new Error('The digest thread was ended'));
  await own.worker.terminate();
}

function startThread(): Thread {
  const own: Thread = { worker: startWorker(), waiting: new Map(), failure: null };
  own.worker.unref();
  own.worker.on('message', ({ id, sha256 }: DigestAnswer) => {
    const queue = own.waiting.get(id);
    queue?.shift()?.resolve(sha256);
    if (queue?.length === 0) own.waiting.delete(id);
    if (own.waiting.size === 0) own.worker.unref();
  });
  own.worker.on('error', (cause) => giveUp(own, new Error('The digest thread failed', { cause })));
  own.worker.on('exit', () => giveUp(own, new Error('The digest thread ended')));
  return own;
}

function giveUp(own: Thread, failure: Error): void {
  if (thread === own) thread = null;
  own.failure ??= failure;
  for (const queue of own.waiting.values()) for (const { reject } of queue) reject(own.failure);
  own.waiting.clear();
}

/**
 * In the bundle the entry stands beside the main file; in tests Node runs the source. What the thread has seen of a piece is
 * garbage that keeps the piece's memory: with little room it is collected often.
 */
function startWorker(): Worker {
  const entry = import.meta.url.endsWith('.ts') ? './digest-worker.ts' : './digest-worker.js';
  return startLimitedThread(new URL(entry, import.meta.url), 1);
}
