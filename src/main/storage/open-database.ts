import { AppFailure } from '../../shared/app-failure.ts';
import { startHeapLimitedWorker } from '../lib/heap-limited-worker.ts';
import { RestartingWorker } from '../lib/restarting-worker.ts';
import type { Clock } from '../ports.ts';
import { type Ask, connect, remote, ThreadGone } from '../database/worker-rpc.ts';
import { systemClock } from '../clock.ts';
import { mkdirSync } from '../local-files/fs.ts';
import type { UndoStore } from '../transfers/undo/undo-store.ts';
import { Emitter } from '../lib/emitter.ts';
import type { OnSlowStatement } from '../database/statements.ts';
import type { TransferStore } from '../transfers/model/store-types.ts';
import type { Catalogue } from '../objects/catalogue.ts';
import type { Documents } from '../database/documents.ts';
import { keepDailyCopies, type OnCopyMade } from '../database/backups.ts';
import type { TeamCopy } from '../objects/team/team-copy.ts';
import type { WatchedFiles } from '../database/watched-files.ts';
import type { FileStore, ThreadEvent } from './worker.ts';
import type { Database, OpenedDatabase } from './database.ts';

/** A thread that can open a database. */
interface DatabaseWorker {
  readonly ask: Ask;
  readonly file: FileStore;
  /** Resolves when the thread has ended for any reason. */
  readonly ended: Promise<ThreadGone>;
  terminate(): Promise<void>;
}

/** In the bundle the entry is beside the main file; tests run the source. */
function startDatabaseWorker(nowMs: () => number, onEvent: (event: ThreadEvent) => void): DatabaseWorker {
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

interface DatabaseThread {
  readonly ask: Ask;
  readonly close: () => Promise<void>;
}

/**
 * Restarts the thread over the same folder when it dies. Pending calls
 * reject with catalogueStopped; new calls wait. After repeated deaths, all calls reject.
 * @param first has the database open
 * @param startAnother opens the database on a new thread
 */
function restartingDatabase(
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

export interface OpenOptions {
  /** Absolute path of the folder for the database and its copies; created if missing. */
  readonly folder: string;
  /** Wall clock, milliseconds. */
  readonly nowMs: () => number;
  /** For the delays before restarting a dead thread. */
  readonly clock?: Pick<Clock, 'delay' | 'monotonicMs'>;
  /** Delay before the first check for a due daily copy. */
  readonly firstCopyAfterMs?: number;
  readonly onCopyMade?: OnCopyMade;
  /** A daily copy failed. */
  readonly onCopyFailed?: (error: unknown) => void;
  /** The thread died or could not be restarted. It is restarted, up to a few times. */
  readonly onThreadDied?: (cause: unknown) => void;
  readonly onSlowStatement?: OnSlowStatement;
  /** The app waits for a command that was asked to release the data folder. */
  readonly onWaitsForCommand?: () => void;
}

/**
 * Opens the database on a thread, which is restarted when it dies. Rejects with catalogueTooNew if a
 * newer Coffer wrote it (the file is not touched), and with diskFull.
 */
export async function openDatabase(options: OpenOptions): Promise<OpenedDatabase> {
  const { folder, nowMs, clock = systemClock, onThreadDied, onSlowStatement } = options;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const changed: Changed = new Emitter();
  let lastRevision: number | null = null;
  const start = () =>
    startDatabaseWorker(nowMs, (event) => {
      if (event.kind === 'slowStatement') {
        onSlowStatement?.(event.sql, event.elapsedMs);
        return;
      }
      lastRevision = event.revision;
      changed.fire(event.serviceId, event.revision);
    });
  const openOn = (thread: DatabaseWorker) =>
    orTerminate(thread, () => thread.file.open(folder, lastRevision));
  const makeDatabase = (first: DatabaseWorker) => {
    lastRevision ??= 0;
    const startAnother = async () => {
      const thread = start();
      const { state } = await openOn(thread);
      if (state === 'ready') return thread;
      await thread.terminate();
      throw new Error('The database is broken and was set aside; the next start offers its copies');
    };
    const thread = restartingDatabase(first, startAnother, (cause) => onThreadDied?.(cause), clock);
    return databaseOn(thread, options, changed);
  };

  /** Tries a second thread: after one that died of its memory limits, it starts without limits. */
  const openFirst = async () => {
    const thread = start();
    try {
      return { thread, answer: await openOn(thread) };
    } catch (cause) {
      if (!(cause instanceof ThreadGone)) throw cause;
      onThreadDied?.(cause);
      const another = start();
      return { thread: another, answer: await openOn(another) };
    }
  };
  const { thread, answer } = await openFirst();
  if (answer.state === 'ready') return { state: 'ready', database: makeDatabase(thread) };
  await thread.terminate();
  let recovered: Promise<Database> | null = null;
  const recover = async (copyId: string | null) => {
    const another = start();
    await orTerminate(another, () => another.file.replace(folder, copyId));
    return makeDatabase(another);
  };
  return {
    ...answer,
    recover: (copyId) =>
      (recovered ??= recover(copyId).catch((cause: unknown) => {
        recovered = null;
        throw cause;
      })),
  };
}

type Changed = Emitter<[serviceId: string, revision: number]>;

/** Terminates a thread that opened nothing: it would keep the process alive. */
async function orTerminate<T>(thread: DatabaseWorker, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    await thread.terminate();
    throw cause;
  }
}

function databaseOn({ ask, close }: DatabaseThread, options: OpenOptions, changed: Changed): Database {
  const copying = keepDailyCopies({
    ...options,
    copy: async (signal) => {
      const copier = startDatabaseWorker(options.nowMs, () => undefined);
      const stop = () => void copier.terminate();
      signal.addEventListener('abort', stop);
      try {
        return await copier.file.copy(options.folder);
      } finally {
        // Remove it, since the signal lives as long as the process.
        signal.removeEventListener('abort', stop);
        await copier.terminate();
      }
    },
  });
  return {
    catalogue: Object.assign(remote<Omit<Catalogue, 'onChanged'>>(ask, 'catalogue'), {
      onChanged: changed.event,
    }),
    documents: remote<Documents>(ask, 'documents'),
    transfers: remote<TransferStore>(ask, 'transfers'),
    undoStore: remote<UndoStore>(ask, 'undoStore'),
    watched: remote<WatchedFiles>(ask, 'watched'),
    team: remote<TeamCopy>(ask, 'team'),
    close: async () => {
      await copying.stop();
      await close();
    },
  };
}
