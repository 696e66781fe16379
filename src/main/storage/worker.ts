import { basename } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { parentPort, type MessagePort } from 'node:worker_threads';
import { type AppError } from '../../shared/errors.ts';
import { toAppError } from '../../shared/app-failure.ts';
import { listGoodCopies, type CatalogueCopy } from '../database/backups.ts';
import { closeFile, copyDatabase, openFile, replaceFile } from './database-file.ts';
import { sendEvent, serve } from '../database/worker-rpc.ts';
import { takeLease } from '../database/lease.ts';
import { createLocalStores, type LocalStores } from './local-stores.ts';
import { UnfinishedFiles } from '../objects/exchange/imports.ts';
import { migrations } from '../database/migrations.ts';

export type OpenAnswer =
  | { readonly state: 'ready' }
  | { readonly state: 'broken'; readonly setAsideName: string; readonly copies: readonly CatalogueCopy[] };

export type ThreadEvent =
  | { readonly kind: 'changed'; readonly serviceId: string; readonly revision: number }
  | { readonly kind: 'slowStatement'; readonly sql: string; readonly elapsedMs: number };

/** The database's thread, which keeps disk access off the main thread. */
export interface FileStore {
  /** @param lastRevision of an earlier thread, which may not have announced all of its changes; null: first thread */
  open(folder: string, lastRevision: number | null): Promise<OpenAnswer>;
  replace(folder: string, copyId: string | null): Promise<void>;
  /** For a separate thread: copies the database while it is in use. @returns the size of the copy in bytes */
  copy(folder: string): Promise<number>;
  close(): Promise<void>;
}

const port = asThread(parentPort);

let nowMs = 0;
let openFolder = '';
let db: DatabaseSync | null = null;
let lease: ReturnType<typeof takeLease> | null = null;
const stores: { readonly file: FileStore } & Partial<LocalStores> = {
  file: {
    open: (folder, lastRevision) =>
      withLease(folder, async () => {
        const opening = await openFile(folder, migrations, nowMs);
        if (opening.state === 'broken') {
          return { ...opening, copies: listGoodCopies(folder, migrations.length) };
        }
        furnish(folder, opening.db, lastRevision);
        return { state: 'ready' };
      }),
    replace: (folder, copyId) =>
      withLease(folder, async () => {
        furnish(folder, await replaceFile(folder, copyId, migrations, nowMs), null);
      }),
    copy: (folder) => copyDatabase(folder, nowMs),
    async close() {
      stores.catalogue?.close();
      stores.transfers?.close();
      stores.team?.close();
      if (db !== null) closeFile(openFolder, db);
      lease?.release();
    },
  },
};

function asThread(given: MessagePort | null): MessagePort {
  if (given === null) throw new Error('This file is the entry of a thread');
  return given;
}

/** Keeps the lease while a database is open; waiting for a decision about a broken file needs none. */
async function withLease<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const taken = takeLease(folder);
  try {
    return await work();
  } finally {
    if (db === null) taken.release();
    else lease = taken;
  }
}

function furnish(folder: string, opened: DatabaseSync, lastRevision: number | null): void {
  db = opened;
  openFolder = folder;
  const furnished = createLocalStores(
    opened,
    () => nowMs,
    (serviceId, revision) => {
      sendEvent(port, { kind: 'changed', serviceId, revision } satisfies ThreadEvent);
    },
    (lastRevision ?? 0) + 1,
    undefined,
    (sql, elapsedMs) => sendEvent(port, { kind: 'slowStatement', sql, elapsedMs } satisfies ThreadEvent),
  );
  void new UnfinishedFiles(furnished.documents).removeOld();
  Object.assign(stores, furnished);
  if (lastRevision !== null) furnished.catalogue.announceAll();
}

serve(
  port,
  (room, atMs) => {
    nowMs = atMs;
    return Object.hasOwn(stores, room) ? stores[room as keyof typeof stores] : undefined;
  },
  (error): AppError | undefined => {
    const sqliteFull = error instanceof Error && 'errcode' in error && error.errcode === 13;
    return sqliteFull ? { code: 'diskFull', folderName: basename(openFolder) } : toAppError(error);
  },
);
