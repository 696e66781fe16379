import { mkdirSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { Catalogue, Database, Documents, OpenedDatabase } from './catalogue.ts';
import { keepDailyCopies } from './daily-copies.ts';
import { connect, type Door } from './door.ts';
import type { FileRoom } from './worker.ts';

export interface OpenOptions {
  /** Absolute; the database and its copies lie in it, it is made when it is not there. */
  readonly folder: string;
  /** Wall clock, milliseconds. */
  readonly nowMs: () => number;
  /** When to look for the first time whether a daily copy is due. */
  readonly firstCopyAfterMs?: number;
  /** A daily copy failed; nothing else did. */
  readonly onCopyFailed?: (error: unknown) => void;
}

/**
 * Opens the catalogue on a thread of its own. Rejects with catalogueTooNew when a newer Coffer wrote it, which leaves
 * it as it is, and with diskFull.
 */
export async function openDatabase(options: OpenOptions): Promise<OpenedDatabase> {
  mkdirSync(options.folder, { recursive: true });
  const worker = startWorker();
  const listeners = new Set<ChangeListener>();
  const door = connect(worker, options.nowMs, (event) => {
    const { profileId, revision } = event as { profileId: string; revision: number };
    for (const listener of listeners) listener(profileId, revision);
  });
  const file = fileRoom(door);
  const ready = () => makeDatabase(options, worker, door, listeners);
  try {
    const answer = await file.open(options.folder);
    if (answer.state === 'ready') return { state: 'ready', database: ready() };
    // Nobody is obliged to recover: the thread must not keep the program from ending.
    worker.unref();
    return {
      ...answer,
      recover: async (copyId) => {
        worker.ref();
        await file.replace(options.folder, copyId);
        return ready();
      },
    };
  } catch (error) {
    await worker.terminate();
    throw error;
  }
}

type ChangeListener = (profileId: string, revision: number) => void;

function makeDatabase(
  options: OpenOptions,
  worker: Worker,
  door: Door,
  listeners: Set<ChangeListener>,
): Database {
  const remote = door.room<Omit<Catalogue, 'onChanged'>>('catalogue', {
    page: true,
    idsInRange: true,
    indexOf: true,
    freeze: true,
    summarize: true,
    idsOf: true,
    getMany: true,
    findByIdentifiers: true,
    history: true,
    idsInStates: true,
    add: true,
    update: true,
    remove: true,
    removeProfile: true,
    collections: true,
    folders: true,
    setSeparator: true,
    exportTo: true,
    importFrom: true,
  });
  const copying = keepDailyCopies({
    ...options,
    copy: async (signal) => {
      const copier = startWorker();
      signal.addEventListener('abort', () => void copier.terminate());
      try {
        await fileRoom(connect(copier, options.nowMs, () => undefined)).copy(options.folder);
      } finally {
        await copier.terminate();
      }
    },
  });
  return {
    catalogue: {
      ...remote,
      onChanged: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    documents: door.room<Documents>('documents', {
      get: true,
      list: true,
      put: true,
      delete: true,
      write: true,
    }),
    close: async () => {
      await copying.stop();
      await fileRoom(door).close();
      await worker.terminate();
    },
  };
}

function fileRoom(door: Door): FileRoom {
  return door.room<FileRoom>('file', { open: true, replace: true, copy: true, close: true });
}

/** In the bundle the entry stands beside the main file; in tests Node runs the source. */
function startWorker(): Worker {
  const entry = import.meta.url.endsWith('.ts') ? './worker.ts' : './catalogue-worker.js';
  return new Worker(new URL(entry, import.meta.url), { resourceLimits: { maxYoungGenerationSizeMb: 8 } });
}
