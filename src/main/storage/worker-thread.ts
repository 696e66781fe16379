import { AppFailure } from '../../shared/app-failure.ts';
import { startHeapLimitedWorker } from '../lib/heap-limited-worker.ts';
import { RestartingWorker } from '../lib/restarting-worker.ts';
import type { Clock } from '../ports.ts';
import { connect, remote, ThreadGone, type Ask } from '../database/worker-rpc.ts';
import type { FileStore, ThreadEvent } from './worker.ts';

/** A thread that can open a database. */
export interface DatabaseWorker {
  readonly ask: Ask;
  readonly file: FileStore;
  /** Resolves when the thread has ended for any reason. */
  readonly ended: Promise<ThreadGone>;
  terminate(): Promise<void>;
}

/** In the bundle the entry is beside the main file; tests run the source. */
export function startDatabaseWorker(
  nowMs: () => number,
  onEvent: (event: ThreadEvent) => void,
): DatabaseWorker {
  const entry = import.meta.url.endsWith('.ts') ? './worker.ts' : './database-worker.cjs';
  const worker = startHeapLimitedWorker(new URL(entry, import.meta.url), 8);
  const { ask, ended } = connect(worker, nowMs, (event) => onEvent(event as ThreadEvent));
  return {
    ask,
    ended,
    file: remote<FileStore>(ask, 'file'),
    async terminate() {
      await worker.terminate();
    },
  };
}

export interface DatabaseThread {
  readonly ask: Ask;
  readonly close: () => Promise<void>;
}

/**
 * Restarts the thread over the same folder when it dies. Pending calls
 * reject with catalogueStopped; new calls wait. After repeated deaths, all calls reject.
 * @param first has the database open
 * @param startAnother opens the database on a new thread
 */
export function restartingDatabase(
  first: DatabaseWorker,
  startAnother: () => Promise<DatabaseWorker>,
  onDied: (cause: unknown) => void,
  clock: Pick<Clock, 'delay' | 'monotonicMs'>,
): DatabaseThread {
  const stopped = (isStartedAgain: boolean, cause?: ThreadGone) =>
    new AppFailure({ code: 'catalogueStopped', isStartedAgain }, { cause });
  const threads = new RestartingWorker(first, { startAnother, onDied, giveUp: () => stopped(false), clock });
  return {
    async ask(room, name, args) {
      const thread = await threads.current;
      try {
        return await thread.ask(room, name, args);
      } catch (cause) {
        throw cause instanceof ThreadGone ? stopped(true, cause) : cause;
      }
    },
    async close() {
      const thread = await threads.close();
      await thread?.file.close().catch((cause: unknown) => {
        if (!(cause instanceof ThreadGone)) throw cause;
      });
      await thread?.terminate();
    },
  };
}
