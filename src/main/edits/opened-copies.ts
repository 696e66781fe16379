import { randomUUID } from 'node:crypto';
import { basename, dirname } from 'node:path';
import { safeFileName } from '../../shared/domain/file-name.ts';
import { isProgram } from '../../shared/domain/program.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import type { Catalogue } from '../objects/catalogue.ts';
import type { Documents } from '../database/documents.ts';
import { chmod } from '../local-files/fs.ts';
import type { OwnFolder } from '../transfers/undo/unknown-files.ts';
import type { Desktop, Log } from '../ports.ts';
import type { Connections } from '../connections/connections.ts';
import type { ObjectRecord } from '../../shared/domain/object.ts';
import { mainTexts } from '../texts.ts';
import type { Engine } from '../transfers/engine.ts';
import type { TransferRecord } from '../transfers/model/record.ts';
import { openCopyFiles } from './copy-files.ts';
import { copyBytes, digestOf, statOf, writeBytes } from './file-bytes.ts';

/**
 * Objects opened for viewing, or taken out of the window as files: each in a folder of its own, removed with its row and at the next
 * start. A copy that a program changed stays, and so do files beside it: `onLeft` reports where.
 */
export interface OpenedCopies {
  /** Resolves when it is open, or when its transfer reports the failure. @throws AppFailure notFound, fileNotOpened */
  open(objectId: number): Promise<void>;
  /** Opens the object as the service has it, and what the person saved of it. @throws like `open` */
  openBoth(objectId: number, fileName: string, savePath: string): Promise<void>;
  /**
   * The path of a verified copy that other programs may be given: one of this run, or of a file of this computer that still has
   * these bytes, else fetched; null: it would have to be fetched. @throws AppFailure notFound, and those of a download
   */
  readonly take: (objectId: number, mayFetch: boolean) => Promise<string | null>;
  removeService(serviceId: string): Promise<void>;
  readonly own: OwnFolder;
  close(): void;
}

interface Copy {
  readonly key: string;
  readonly serviceId: string;
  readonly objectId: number;
  readonly path: string;
  readonly copyFor: 'open' | 'takeOut';
  transferId: number | null;
  /** Digest of the complete copy; null: it is being downloaded. */
  sha256: string | null;
  /** It is there, and open if it was to be opened, or its transfer has ended without it. */
  isReady: PromiseWithResolvers<void>;
}

export async function createOpenedCopies(deps: {
  userData: string;
  documents: Pick<Documents, 'list' | 'write'>;
  catalogue: Pick<Catalogue, 'getMany'>;
  onRowsChanged: (listener: (serviceId: string) => void) => () => void;
  connections: Pick<Connections, 'factsOf'>;
  engine: Pick<Engine, 'enqueue' | 'actions' | 'recordsOf' | 'ofPath' | 'onChanged' | 'onEnded'>;
  desktop: Pick<Desktop, 'openFile'>;
  /** The bytes of an object from a file of this computer that still has them; null: there is none. */
  readLocal: (object: ObjectRecord) => Promise<Uint8Array | null>;
  log: Log;
  onLeft: (folder: string) => void;
}): Promise<OpenedCopies> {
  const { catalogue, connections, engine, desktop, log } = deps;
  const copies = new Map<string, Copy>();
  const files = await openCopyFiles(deps);

  async function show(path: string): Promise<void> {
    await chmod(path, 0o400);
    if (!(await desktop.openFile(path)))
      throw new AppFailure({ code: 'fileNotOpened', problem: 'noApp', isCopy: true });
  }

  async function rowOf(objectId: number): Promise<ObjectRecord> {
    const [row] = await catalogue.getMany([objectId]);
    if (row?.kind !== 'data') throw new AppFailure({ code: 'notFound', what: 'object' });
    return row;
  }

  async function fileNameOf({ serviceId, identifier, sourceName }: ObjectRecord): Promise<string> {
    const { separator } = await connections.factsOf(serviceId);
    return identifier.split(separator).at(-1) || sourceName || '';
  }

  /** A copy for the same use that is being downloaded, or still has the bytes of the object. */
  async function findCopy(row: ObjectRecord, fileName: string, use: Copy['copyFor']): Promise<Copy | null> {
    for (const copy of copies.values()) {
      if (copy.objectId !== row.id || copy.copyFor !== use || basename(copy.path) !== fileName) continue;
      if (copy.sha256 === null) return copy;
      const isStill = copy.sha256 === row.sha256 && (await digestOf(copy.path))?.sha256 === copy.sha256;
      if (isStill) return copy;
    }
    return null;
  }

  async function addCopy(
    { id: objectId, serviceId }: ObjectRecord,
    fileName: string,
    copyFor: Copy['copyFor'],
    sha256: string | null = null,
  ): Promise<Copy> {
    const key = randomUUID();
    const path = await files.makeFolder(key, fileName, sha256);
    const isReady = Promise.withResolvers<void>();
    const copy: Copy = { key, serviceId, objectId, path, copyFor, transferId: null, sha256, isReady };
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
    void look(copy);
    return copy.isReady.promise;
  }

  async function fetch(objectId: number, nameOf: (own: string) => string): Promise<void> {
    const row = await rowOf(objectId);
    const fileName = safeFileName(nameOf(await fileNameOf(row)));
    if (isProgram(fileName))
      throw new AppFailure({ code: 'fileNotOpened', problem: 'program', isCopy: true });
    const found = await findCopy(row, fileName, 'open');
    if (found?.sha256 === null) return found.isReady.promise;
    if (found) return show(found.path);
    return download(await addCopy(row, fileName, 'open'));
  }

  async function take(objectId: number, mayFetch: boolean): Promise<string | null> {
    const row = await rowOf(objectId);
    const fileName = safeFileName(await fileNameOf(row));
    const found = await findCopy(row, fileName, 'takeOut');
    if (found && found.sha256 !== null) return found.path;
    const bytes = await deps.readLocal(row);
    if (bytes !== null) {
      const copy = await addCopy(row, fileName, 'takeOut', row.sha256);
      await writeBytes(copy.path, bytes).catch(async (cause: unknown) => {
        await remove(copy);
        throw cause;
      });
      return copy.path;
    }
    if (!mayFetch) return null;
    const copy = found ?? (await addCopy(row, fileName, 'takeOut'));
    await (found ? copy.isReady.promise : download(copy));
    if (copy.sha256 !== null) return copy.path;
    const [transfer] = copy.transferId === null ? [] : await engine.recordsOf([copy.transferId]);
    // Whoever takes it is told why, and takes it again: nothing of it stays in the list of transfers.
    if (transfer) await files.endTransfer(transfer.id);
    await remove(copy);
    throw new AppFailure(transfer?.state.name === 'failed' ? transfer.state.error : { code: 'cancelled' });
  }

  async function look(copy: Copy): Promise<void> {
    if (copy.transferId === null || copy.sha256 !== null) return;
    const [transfer] = await engine.recordsOf([copy.transferId]);
    await ended(copy, transfer ?? null).catch(copy.isReady.reject);
  }

  async function ended(copy: Copy, transfer: TransferRecord | null): Promise<void> {
    const name = transfer?.state.name;
    if (name === 'done') {
      if (copy.sha256 !== null) return;
      const read = await digestOf(copy.path);
      if (copy.sha256 !== null) return;
      copy.sha256 = read?.sha256 ?? '';
      if (read) {
        const { path, sha256, copyFor } = copy;
        await files.note(copy.key, { path, sha256 });
        if (copyFor === 'open') await show(path);
      }
      copy.isReady.resolve();
    } else if (name === undefined || name === 'cancelled') await remove(copy);
    // The list of transfers shows the reason; retrying there opens the copy.
    else if (name === 'failed' || name === 'lost') copy.isReady.resolve();
  }

  async function remove(copy: Copy): Promise<void> {
    copies.delete(copy.key);
    copy.isReady.resolve();
    if (!(await files.remove({ ...copy, sha256: copy.sha256 || null }))) deps.onLeft(dirname(copy.path));
  }

  async function removeGone(serviceId: string): Promise<void> {
    const own = [...copies.values()].filter((copy) => copy.serviceId === serviceId);
    if (own.length === 0) return;
    const rows = await catalogue.getMany(own.map(({ objectId }) => objectId));
    const there = new Set(rows.filter(({ state }) => state !== 'gone').map(({ id }) => id));
    for (const copy of own) if (!there.has(copy.objectId)) await remove(copy);
  }

  const failed = (cause: unknown) => log.warn('an opened copy could not be looked after', { cause });
  const lookAll = () => {
    for (const copy of copies.values()) look(copy).catch(failed);
  };
  const stops = [
    engine.onEnded(({ id }) => {
      for (const copy of copies.values()) if (copy.transferId === id) look(copy).catch(failed);
    }),
    engine.onChanged(lookAll),
    deps.onRowsChanged((serviceId) => void removeGone(serviceId).catch(failed)),
  ];

  return {
    open: (objectId) => fetch(objectId, (own) => own),
    take,
    async openBoth(objectId, fileName, savePath) {
      const save = await digestOf(savePath);
      if (!save) throw new AppFailure({ code: 'fileGone', fileName });
      const mine = safeFileName(mainTexts.edits.mine({ fileName }));
      const path = await files.makeFolder(randomUUID(), mine, save.sha256);
      if (!(await copyBytes(savePath, save, path))) throw new AppFailure({ code: 'fileGone', fileName });
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
