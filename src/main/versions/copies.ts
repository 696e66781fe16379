import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { ObjectRecord } from '../../shared/domain/object.ts';
import { mkdir, readdir, rm, stat } from '../local-files/fs.ts';
import type { Catalogue } from '../objects/catalogue.ts';
import { digestOf } from '../local-files/file-bytes.ts';
import { type OwnFolder, removeEmptyFolders } from '../transfers/undo/unknown-files.ts';
import type { Clock, Log } from '../ports.ts';
import type { Connections } from '../connections/connections.ts';
import type { Engine } from '../transfers/engine.ts';
import type { TransferRecord } from '../transfers/model/record.ts';

/**
 * Private copies of versions to be stored again, each in a folder of its own that only the owner can open. No program
 * sees them, so the content of a folder whose transfer is known came from the service, and can be removed unread.
 */
function createCopies(folder: string) {
  const pathIn = (name: string) => join(folder, name, 'version');
  const made = new Set<string>();
  return {
    /** The path of the next copy. */
    async newPath() {
      const name = randomUUID();
      made.add(name);
      const path = pathIn(name);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      return path;
    },
    /** Copies of this run and of earlier ones. */
    all: async () => (await readdir(folder).catch(() => [])).map((name) => pathIn(name)),
    remove: (path: string) => rm(dirname(path), { recursive: true, force: true }),
    folder,
    /** Those of the names in the folder that were not created in this run. */
    othersOf: (names: readonly string[]) =>
      names.filter((name) => !made.has(name)).map((name) => ({ name, path: pathIn(name) })),
  };
}

/** A version keeps its own classification; without one, that of the newest version is used. */
const classified = (classification: string | null) => ({
  classification,
  classificationChosen: classification !== null,
});

/** Interval at which a transfer is checked until it has ended, in ms. */
const firstCheckMs = 250;
const longestCheckMs = 5_000;

/**
 * Stores an older version again as the newest: downloads and verifies a copy, and uploads it as the next version.
 * Both are ordinary transfers, which are continued after a kill.
 */
export interface MakeCurrent {
  /** Resolves to the base identifier when the download is in the list of transfers. */
  begin(record: ObjectRecord): Promise<{ base: string }>;
  /** The folder of the copies. */
  readonly own: OwnFolder;
  /** Stops watching; the transfers continue. */
  close(): Promise<void>;
}

export function createMakeCurrent(deps: {
  catalogue: Pick<Catalogue, 'getMany' | 'versions'>;
  connections: Pick<Connections, 'factsOf' | 'originOf'>;
  engine: Pick<Engine, 'enqueue' | 'ofPath' | 'recordsOf'>;
  userDataFolder: string;
  clock: Clock;
  log: Log;
}): MakeCurrent {
  const { catalogue, connections, engine, clock, log } = deps;
  const copies = createCopies(join(deps.userDataFolder, 'versions'));
  const closed = new AbortController();
  const watches = new Set<Promise<void>>();

  function watch(work: Promise<void>): void {
    const done = work
      .catch((cause: unknown) => {
        if (!closed.signal.aborted) log.warn('a version was not made current', { cause });
      })
      .finally(() => watches.delete(done));
    watches.add(done);
  }

  /** null: it failed for good. Other failures may be retried. */
  async function untilDone(id: number): Promise<TransferRecord | null> {
    for (let waitMs = firstCheckMs; ; waitMs = Math.min(waitMs * 2, longestCheckMs)) {
      const [record] = await engine.recordsOf([id]);
      const name = record?.state.name;
      if (record === undefined || name === 'cancelled' || name === 'lost') return null;
      if (name === 'done') return record;
      await clock.delay(waitMs, closed.signal);
    }
  }

  async function copyThenStore({ id }: ObjectRecord): Promise<void> {
    const path = await copies.newPath();
    watch(storeCopy(path, await engine.enqueue.copy(id, path, 'version')));
  }

  async function storeCopy(path: string, copyId: number): Promise<void> {
    const copied = await untilDone(copyId);
    const [record] = copied?.objectId == null ? [] : await catalogue.getMany([copied.objectId]);
    if (!record) return copies.remove(path);
    const { serviceId, identifier, classification, sourceName } = record;
    // The service's address was changed meanwhile: the person did not ask for that one.
    if (connections.originOf(serviceId) !== copied?.origin) return copies.remove(path);
    // The version was replaced since: the list, its classification included, describes other bytes.
    if ((await digestOf(path))?.sha256 !== record.sha256) {
      await copyThenStore(record);
      return copies.remove(path);
    }
    const { base } = await catalogue.versions(serviceId, 'data', identifier);
    const { separator } = await connections.factsOf(serviceId);
    const { size: sizeBytes, mtimeMs } = await stat(path);
    const fileName = sourceName ?? base.split(separator).at(-1) ?? base;
    const item = { path, fileName, identifier: base, sizeBytes, mtimeMs, ...classified(classification) };
    await removeWhenSent(path, await engine.enqueue.save(serviceId, { ...item, ifExists: 'newVersion' }));
  }

  async function removeWhenSent(path: string, uploadId: number): Promise<void> {
    await untilDone(uploadId);
    await copies.remove(path);
  }

  async function goOn(): Promise<void> {
    for (const path of await copies.all()) {
      const record = await engine.ofPath(path);
      // The database may be older than the copy.
      if (record === null) continue;
      watch(record.direction === 'upload' ? removeWhenSent(path, record.id) : storeCopy(path, record.id));
    }
    await removeEmptyFolders(own);
  }

  const own: OwnFolder = {
    folder: copies.folder,
    async unknownOf(names) {
      const unknown: string[] = [];
      for (const { name, path } of copies.othersOf(names))
        if ((await engine.ofPath(path)) === null) unknown.push(name);
      return unknown;
    },
    isSealed: false,
  };
  watch(goOn());

  return {
    async begin(record) {
      const { serviceId, identifier } = record;
      const { base } = await catalogue.versions(serviceId, 'data', identifier);
      await copyThenStore(record);
      return { base };
    },
    own,
    async close() {
      closed.abort();
      await Promise.all(watches);
    },
  };
}
