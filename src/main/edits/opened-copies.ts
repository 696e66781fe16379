import { randomUUID } from 'node:crypto';
import { basename, dirname } from 'node:path';
import { provenDigest } from '../../shared/domain/unverified.ts';
import { objectFileName, safeFileName } from '../../shared/domain/file-name.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import type { Catalogue } from '../objects/catalogue.ts';
import { requireObject } from '../objects/require-object.ts';
import type { Documents } from '../database/documents.ts';
import { chmod } from '../local-files/fs.ts';
import type { OwnFolder } from '../transfers/undo/unknown-files.ts';
import type { Clock, Desktop, Log } from '../ports.ts';
import type { Connections } from '../connections/connections.ts';
import type { ObjectRecord } from '../../shared/domain/object.ts';
import { mainTexts } from '../texts.ts';
import type { Engine } from '../transfers/engine.ts';
import { openCopyFiles } from './edit-folders.ts';
import { followCopyTransfers, isOpened, type Copy } from './copy-transfers.ts';
import { copyBytes, digestOf, statOf, writeBytes } from '../local-files/file-bytes.ts';

/**
 * Copies of objects opened for viewing, dragged or copied to other programs, or played in the window. Each has a folder
 * of its own, and is removed with its row and at the next start. Copies that a program changed, and files beside copies,
 * stay: `onLeft` reports where.
 */
export interface OpenedCopies {
  /** Resolves when the copy is open, or shown in its folder, or when its transfer reports the failure. @throws AppFailure notFound, fileNotOpened */
  open(objectId: number): Promise<void>;
  /** Opens the stored object and the person's own save, to be compared. @throws AppFailure fileGone, and like `open` */
  openBoth(objectId: number, fileName: string, savePath: string): Promise<void>;
  fileNameOf(row: ObjectRecord): Promise<string>;
  /** The path of this run's copy for other programs; null: none. */
  find(row: ObjectRecord, fileName: string): Promise<string | null>;
  /** Whether a file on this computer still has the object's bytes. */
  hasFile(row: ObjectRecord): Promise<boolean>;
  /**
   * The path of a verified copy for another program: this run's, one made from a local file with the same bytes, or, with
   * `mayFetch`, a download; null: only a download would do. @throws AppFailure notTakenOut, and those of a download
   */
  take(
    row: ObjectRecord,
    fileName: string,
    mayFetch: boolean,
    copyFor?: 'takeOut' | 'look',
  ): Promise<string | null>;
  /** Removes copies for other programs that were last taken hours ago, unless a program changed them. */
  removeOld(): Promise<void>;
  removeService(serviceId: string): Promise<void>;
  readonly own: OwnFolder;
  close(): void;
}

/** How long copies for other programs stay, in ms: one may read its file late, as for an e-mail not sent yet. */
const keptForMs = 12 * 3_600_000;

export async function createOpenedCopies(deps: {
  userData: string;
  documents: Pick<Documents, 'list' | 'write'>;
  catalogue: Pick<Catalogue, 'getMany' | 'noteUse'>;
  onRowsChanged: (listener: (serviceId: string) => void) => () => void;
  connections: Pick<Connections, 'factsOf'>;
  engine: Pick<Engine, 'enqueue' | 'actions' | 'recordsOf' | 'picked' | 'ofPath' | 'onChanged' | 'onEnded'>;
  desktop: Pick<Desktop, 'openFile'>;
  /** The object's bytes from a local file that still has them; null: none. */
  readLocal: (object: ObjectRecord) => Promise<Uint8Array | null>;
  clock: Pick<Clock, 'nowMs'>;
  log: Log;
  onLeft: (folder: string) => void;
}): Promise<OpenedCopies> {
  const { catalogue, connections, engine, desktop, clock, log } = deps;
  const copies = new Map<string, Copy>();
  const files = await openCopyFiles(deps);

  async function show(path: string): Promise<void> {
    await chmod(path, 0o400);
    if (!(await desktop.openFile(path)))
      throw new AppFailure({ code: 'fileNotOpened', problem: 'noApp', isCopy: true });
  }

  async function fileNameOf(row: ObjectRecord): Promise<string> {
    const { separator } = await connections.factsOf(row.serviceId);
    return objectFileName(row, separator);
  }

  /** A copy that is being downloaded, or still has the bytes of the object. */
  async function findCopy(row: ObjectRecord, fileName: string, isToOpen: boolean): Promise<Copy | null> {
    for (const copy of copies.values()) {
      if (copy.objectId !== row.id || isOpened(copy) !== isToOpen || basename(copy.path) !== fileName)
        continue;
      if (copy.sha256 === null) return copy;
      const isStill =
        copy.sha256 === provenDigest(row) && (await digestOf(copy.path))?.sha256 === copy.sha256;
      if (isStill) return copy;
    }
    return null;
  }

  async function addCopy(
    { id: objectId, serviceId }: ObjectRecord,
    fileName: string,
    copyFor: Copy['copyFor'],
  ): Promise<Copy> {
    const key = randomUUID();
    const path = await files.makeFolder(key, fileName, null);
    const isReady = Promise.withResolvers<void>();
    // Not an unhandled rejection if no caller waits.
    isReady.promise.catch(() => undefined);
    const about = { key, serviceId, objectId, path, copyFor, takenAtMs: clock.nowMs(), check: 'no' } as const;
    const copy: Copy = { ...about, transferId: null, sha256: null, isReady };
    copies.set(key, copy);
    return copy;
  }

  async function download(copy: Copy): Promise<void> {
    try {
      copy.transferId = await engine.enqueue.copy(copy.objectId, copy.path, copy.copyFor);
    } catch (cause) {
      await remove(copy);
      throw cause;
    }
    transfers.check(copy);
    return copy.isReady.promise;
  }

  async function fetch(objectId: number, nameOf: (own: string) => string): Promise<void> {
    const row = await requireObject(catalogue, objectId, 'data');
    const fileName = safeFileName(nameOf(await fileNameOf(row)));
    const found = await findCopy(row, fileName, true);
    if (found?.sha256 === null) return found.isReady.promise;
    if (found) {
      await show(found.path);
      // A download records the use itself.
      catalogue.noteUse(objectId).catch(failed);
      return;
    }
    return download(await addCopy(row, fileName, 'open'));
  }

  async function find(row: ObjectRecord, fileName: string): Promise<string | null> {
    const found = await findCopy(row, fileName, false);
    if (!found || found.sha256 === null) return null;
    found.takenAtMs = clock.nowMs();
    return found.path;
  }

  async function take(
    row: ObjectRecord,
    fileName: string,
    mayFetch: boolean,
    copyFor: 'takeOut' | 'look' = 'takeOut',
  ): Promise<string | null> {
    const path = await find(row, fileName);
    if (path !== null) return path;
    const bytes = await deps.readLocal(row);
    if (bytes !== null) return write(await addCopy(row, fileName, copyFor), bytes, row.sha256);
    if (!mayFetch) return null;
    const found = await findCopy(row, fileName, false);
    const copy = found ?? (await addCopy(row, fileName, copyFor));
    if (copy.sha256 === null) await (found ? copy.isReady.promise : download(copy));
    // The transfer was cancelled, or the row removed.
    if (copy.sha256 === null) throw new AppFailure({ code: 'cancelled' });
    return copy.path;
  }

  /** Records the digest last: after a kill before that, the next start removes the copy. */
  async function write(copy: Copy, bytes: Uint8Array, sha256: string | null): Promise<string> {
    const { key, path } = copy;
    try {
      await writeBytes(path, bytes);
      await files.note(key, { path, sha256 });
    } catch (cause) {
      await remove(copy, cause);
      throw cause;
    }
    copy.sha256 = sha256;
    copy.isReady.resolve();
    return path;
  }

  /** @param failure rejects the callers that wait for the copy */
  async function remove(copy: Copy, failure?: unknown): Promise<void> {
    copies.delete(copy.key);
    const isRemoved = await files.remove({ ...copy, sha256: copy.sha256 || null });
    if (failure === undefined) copy.isReady.resolve();
    else copy.isReady.reject(failure);
    if (!isRemoved) deps.onLeft(dirname(copy.path));
  }

  async function removeOld(): Promise<void> {
    const oldMs = clock.nowMs() - keptForMs;
    for (const copy of copies.values()) {
      if (isOpened(copy) || copy.sha256 === null || copy.takenAtMs > oldMs) continue;
      copies.delete(copy.key);
      // A copy that a program changed stays; the next start reports it.
      await files.remove(copy);
    }
  }

  async function removeGone(serviceId: string): Promise<void> {
    const own = [...copies.values()].filter((copy) => copy.serviceId === serviceId);
    if (own.length === 0) return;
    const rows = await catalogue.getMany(own.map(({ objectId }) => objectId));
    const there = new Set(rows.filter(({ state }) => state !== 'gone').map(({ id }) => id));
    for (const copy of own) if (!there.has(copy.objectId)) await remove(copy);
  }

  const failed = (cause: unknown) => log.warn('an opened copy could not be looked after', { cause });
  const transfers = followCopyTransfers({ copies, files, engine, show, remove, failed });
  const stops = [
    transfers.stop,
    deps.onRowsChanged((serviceId) => {
      if (copies.size > 0) removeGone(serviceId).catch(failed);
    }),
  ];

  return {
    open: (objectId) => fetch(objectId, (own) => own),
    fileNameOf,
    find,
    hasFile: async (row) => (await deps.readLocal(row)) !== null,
    take,
    removeOld,
    async openBoth(objectId, fileName, savePath) {
      const save = await digestOf(savePath);
      if (!save) throw new AppFailure({ code: 'fileGone', fileName });
      const mine = safeFileName(mainTexts.edits.mine({ fileName }));
      const path = await files.makeFolder(randomUUID(), mine, save.sha256);
      if (!(await copyBytes(savePath, save, path, true)))
        throw new AppFailure({ code: 'fileGone', fileName });
      if ((await statOf(path)) !== null) await show(path);
      await fetch(objectId, () => mainTexts.edits.theirs({ fileName }));
    },
    async removeService(serviceId) {
      for (const copy of copies.values()) if (copy.serviceId === serviceId) await remove(copy);
    },
    own: files.own,
    close() {
      for (const stop of stops) stop();
    },
  };
}
