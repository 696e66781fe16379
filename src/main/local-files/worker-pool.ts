import { startFileWorker, type FileWorker } from './file-worker.ts';

/**
 * A drive that blocks a thread for this long is slow: use more threads side by side. All orders of one message, of
 * which there may be more than a hundred, take less on any other; each thread takes 15 MB.
 */
const slowMs = 100;
const maxThreads = 4;

export interface WorkerPool<Order, Answer> {
  /** The worker that is likely to answer first; starts one when there is none. */
  readonly free: () => FileWorker<Order, Answer>;
  /** Ends all workers; the next call of `free` starts one again. */
  readonly close: () => Promise<void>;
}

/** @param name as for `startFileWorker` */
export function createWorkerPool<
  Order extends { readonly id: number },
  Answer extends { readonly id: number },
>(name: string, maxYoungGenerationSizeMb: number): WorkerPool<Order, Answer> {
  let threads: FileWorker<Order, Answer>[] = [];
  return {
    free() {
      threads = threads.filter((thread) => thread.failure() === null);
      const best = threads.toSorted((a, b) => a.busyMs() - b.busyMs())[0];
      if (best && (best.busyMs() < slowMs || threads.length >= maxThreads)) return best;
      const started = startFileWorker<Order, Answer>(name, maxYoungGenerationSizeMb);
      threads.push(started);
      return started;
    },
    async close() {
      const all = threads;
      threads = [];
      await Promise.all(all.map((thread) => thread.end()));
    },
  };
}
