import { randomUUID } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { safeFileName } from '../../shared/domain/file-name.ts';
import { isProgram } from '../../shared/domain/program.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import type { Catalogue } from '../objects/catalogue.ts';
import type { Documents } from '../database/documents.ts';
import { openCollection } from '../database/collection.ts';
import { chmod, mkdir, rm } from '../local-files/fs.ts';
import { removeEmptyFolders, type OwnFolder } from '../transfers/undo/unknown-files.ts';
import type { Desktop, Log } from '../ports.ts';
import type { Connections } from '../connections/connections.ts';
import { mainTexts } from '../texts.ts';
import type { Engine } from '../transfers/engine.ts';
import { isFinished, type TransferRecord } from '../transfers/model/record.ts';
import { copyBytes, digestOf, statOf } from './file-bytes.ts';
import { removeCopy, removingSuffix } from './remove-copy.ts';

/** By folder name. sha256 null: it was not opened yet. */
const copySchema = z.object({ path: z.string(), sha256: z.string().nullable() });

/**
 * Objects opened for viewing: each in a folder of its own, removed with its row and at the next start. A copy that a
 * program changed stays, and so do files beside it: `onLeft` reports where.
 */
export interface OpenedCopies {
  /** Resolves when it is open, or when its transfer reports the failure. @throws AppFailure notFound, fileNotOpened */
  open(objectId: number): Promise<void>;
  /** Opens the object as the service has it, and what the person saved of it. @throws like `open` */
  openBoth(objectId: number, fileName: string, savePath: string): Promise<void>;
  removeService(serviceId: string): Promise<void>;
  readonly own: OwnFolder;
  close(): void;
}

type Gone = z.infer<typeof copySchema> & { readonly key: string };

interface Copy {
  readonly key: string;
  readonly serviceId: string;
  readonly objectId: number;
  readonly path: string;
  transferId: number | null;
  /** Digest of the complete copy; null: it is being downloaded. */
  sha256: string | null;
  isOpened: PromiseWithResolvers<void>;
}

export async function createOpenedCopies(deps: {
  userData: string;
  documents: Pick<Documents, 'list' | 'write'>;
  catalogue: Pick<Catalogue, 'getMany'>;
  onRowsChanged: (listener: (serviceId: string) => void) => () => void;
  connections: Pick<Connections, 'factsOf'>;
  engine: Pick<Engine, 'enqueue' | 'actions' | 'recordsOf' | 'ofPath' | 'onChanged' | 'onEnded'>;
  desktop: Pick<Desktop, 'openFile'>;
  log: Log;
  onLeft: (folder: string) => void;
}): Promise<OpenedCopies> {
  const { catalogue, connections, engine, desktop, log } = deps;
  const top = join(deps.userData, 'opened');
  const copies = new Map<string, Copy>();
  /** Copies of this run, and kept ones of earlier runs. */
  const stored = await openCollection(deps.documents, 'openedCopies', copySchema);
  const all = { recursive: true, force: true, maxRetries: 3 } as const;

  // Copies of the last run are removed; nobody waits for its downloads any more.
  const before = stored.entries().map(([key, copy]): Gone => ({ key, ...copy }));
  for (const { path } of before) {
    const transfer = await engine.ofPath(path);
    if (transfer && !isFinished(transfer)) await endTransfer(transfer.id);
  }
  const own: OwnFolder = {
    folder: top,
    async unknownOf(names) {
      const ours = new Set(stored.entries().flatMap(([key]) => [key, `${key}${removingSuffix}`]));
      return names.filter((name) => !ours.has(name));
    },
    isSealed: false,
  };
  await removeEmptyFolders(own);
  // In the background: reading large copies takes a while.
  void removeAll(before);

  async function removeAll(some: readonly Gone[]): Promise<void> {
    let left = 0;
    for (const copy of some) if (!(await removeFiles(copy))) left += 1;
    if (left === 0) return;
    log.warn('opened copies were changed, or have files beside them, and stay', { count: left });
    deps.onLeft(top);
  }

  /** What stays is checked again at the next start. false: its content is not what was opened */
  async function removeFiles({ key, path, sha256 }: Gone): Promise<boolean> {
    try {
      if (sha256 === null) await rm(join(top, key), all);
      else {
        const { kind } = await removeCopy(join(top, key, basename(path)), [sha256], false);
        if (kind !== 'removed') return kind === 'inUse';
      }
      await stored.delete(key);
    } catch (cause) {
      log.warn('an opened copy could not be removed', { cause });
    }
    return true;
  }

  async function endTransfer(id: number): Promise<void> {
    await engine.actions.cancel({ kind: 'ids', ids: [id] });
    await engine.actions.drop({ kind: 'ids', ids: [id] });
  }

  /** Recorded before the folder exists, so that it never counts as unknown. */
  async function makeFolder(key: string, fileName: string, sha256: string | null): Promise<string> {
    const path = join(top, key, fileName);
    await stored.set(key, { path, sha256 });
    await mkdir(join(top, key), { recursive: true, mode: 0o700 });
    return path;
  }

  async function show(path: string): Promise<void> {
    await chmod(path, 0o400);
    if (!(await desktop.openFile(path)))
      throw new AppFailure({ code: 'fileNotOpened', problem: 'noApp', isCopy: true });
  }

  async function fetch(objectId: number, nameOf: (own: string) => string): Promise<void> {
    const [row] = await catalogue.getMany([objectId]);
    if (row?.kind !== 'data') throw new AppFailure({ code: 'notFound', what: 'object' });
    const { serviceId, identifier, sourceName } = row;
    const { separator } = await connections.factsOf(serviceId);
    const fileName = safeFileName(nameOf(identifier.split(separator).at(-1) || sourceName || ''));
    if (isProgram(fileName))
      throw new AppFailure({ code: 'fileNotOpened', problem: 'program', isCopy: true });
    for (const copy of copies.values()) {
      if (copy.objectId !== objectId || !copy.path.endsWith(fileName)) continue;
      if (copy.sha256 === null) return copy.isOpened.promise;
      const isStill = copy.sha256 === row.sha256 && (await digestOf(copy.path))?.sha256 === copy.sha256;
      if (isStill) return show(copy.path);
    }
    const key = randomUUID();
    const path = await makeFolder(key, fileName, null);
    const isOpened = Promise.withResolvers<void>();
    const copy: Copy = { key, serviceId, objectId, path, transferId: null, sha256: null, isOpened };
    copies.set(key, copy);
    try {
      copy.transferId = await engine.enqueue.copy(objectId, path, 'open');
    } catch (cause) {
      await remove(copy);
      throw cause;
    }
    void look(copy);
    return isOpened.promise;
  }

  async function look(copy: Copy): Promise<void> {
    if (copy.transferId === null || copy.sha256 !== null) return;
    const [transfer] = await engine.recordsOf([copy.transferId]);
    await ended(copy, transfer ?? null).catch(copy.isOpened.reject);
  }

  async function ended(copy: Copy, transfer: TransferRecord | null): Promise<void> {
    const name = transfer?.state.name;
    if (name === 'done') {
      if (copy.sha256 !== null) return;
      const read = await digestOf(copy.path);
      if (copy.sha256 !== null) return;
      copy.sha256 = read?.sha256 ?? '';
      if (read) {
        const { path, sha256 } = copy;
        await stored.set(copy.key, { path, sha256 });
        await show(path);
      }
      copy.isOpened.resolve();
    } else if (name === undefined || name === 'cancelled') await remove(copy);
    // The list of transfers shows the reason; retrying there opens the copy.
    else if (name === 'failed' || name === 'lost') copy.isOpened.resolve();
  }

  async function remove(copy: Copy): Promise<void> {
    copies.delete(copy.key);
    copy.isOpened.resolve();
    if (!(await removeFiles({ ...copy, sha256: copy.sha256 || null }))) deps.onLeft(dirname(copy.path));
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
    async openBoth(objectId, fileName, savePath) {
      const save = await digestOf(savePath);
      if (!save) throw new AppFailure({ code: 'fileGone', fileName });
      const mine = safeFileName(mainTexts.edits.mine({ fileName }));
      const path = await makeFolder(randomUUID(), mine, save.sha256);
      if (!(await copyBytes(savePath, save, path))) throw new AppFailure({ code: 'fileGone', fileName });
      if ((await statOf(path)) !== null) await show(path);
      await fetch(objectId, () => mainTexts.edits.theirs({ fileName }));
    },
    async removeService(serviceId) {
      for (const copy of copies.values()) if (copy.serviceId === serviceId) await remove(copy);
    },
    own,
    close() {
      for (const stop of stops) stop();
    },
  };
}
