import { randomUUID } from 'node:crypto';
import { basename, resolve } from 'node:path';
import type { Handlers } from '../../shared/contract.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import type { WatchedFolder } from '../../shared/domain/watch.ts';
import type { Documents } from '../database/documents.ts';
import type { WatchedFiles } from '../database/watched-files.ts';
import type { Connections } from '../connections/connections.ts';
import { KeyedMutex, Mutex } from '../lib/async.ts';
import type { Grants } from '../local-files/grants.ts';
import { shortenHome } from '../local-files/shorten-home.ts';
import type { Clock, Desktop, Paths } from '../ports.ts';
import { filesAtOnce, ignoresOf, listExisting, rememberExisting } from './existing-files.ts';
import { identityOf } from './folder-identity.ts';
import type { SendDeps } from './send-settled.ts';
import { requireValid, requireWatchable } from './watchable.ts';
import { openWatchBook, watchedFolders, type WatchRecord } from './watch-record.ts';
import { startWatch, type WatchRun } from './watch-run.ts';

type Name = 'list' | 'look' | 'add' | 'change' | 'locate' | 'setOn' | 'remove' | 'show';

/** Folders of this computer whose new and changed files are uploaded. */
export interface WatchedFolders {
  readonly handlers: Pick<Handlers, `watch.${Name}`>;
  /** Reads all of them now. */
  wake(): void;
  /** Forgets those of a service that is being removed. */
  removeService(serviceId: string): Promise<void>;
  close(): Promise<void>;
}

/** Files counted before a folder is added, at most. */
const countMax = 100_000;

/**
 * Goes on with the folders of the last run.
 * @param deps.follows false: a command has the database open for a moment, and follows no folder
 */
export async function createWatchedFolders(
  deps: SendDeps & {
    documents: Pick<Documents, 'list' | 'write'>;
    watched: WatchedFiles;
    connections: Pick<Connections, 'factsOf' | 'originOf' | 'serviceIds'>;
    grants: Grants;
    desktop: Pick<Desktop, 'showInFolder'>;
    paths: Pick<Paths, 'userData' | 'home'>;
    clock: Clock;
    onChanged: () => void;
    revision: () => number;
    follows: boolean;
  },
): Promise<WatchedFolders> {
  const { documents, watched, connections, grants, desktop, paths, clock, log, onChanged } = deps;
  const book = await openWatchBook(documents, (id) => connections.serviceIds().includes(id), log);
  const runs = new Map<string, WatchRun>();
  const mutex = new KeyedMutex<string>();
  /** Holds while folders are added or removed. */
  const membership = new Mutex();

  function get(id: string): WatchRecord {
    const record = book.get(id);
    if (!record) throw new AppFailure({ code: 'notFound', what: 'watch' });
    return record;
  }

  function ofService(serviceId: string): WatchRecord[] {
    const all = book.values().filter((record) => record.serviceId === serviceId);
    return all.toSorted((a, b) => a.addedAtMs - b.addedAtMs);
  }

  /** At another address it is another service, which the person has not asked for. */
  function hasMoved({ serviceId, origin }: WatchRecord): boolean {
    return connections.originOf(serviceId) !== origin;
  }

  function start(record: WatchRecord): void {
    if (!deps.follows || !record.isOn) return;
    runs.set(record.id, startWatch({ ...deps, onSent, hasMoved }, record));
  }

  async function onSent(id: string, count: number): Promise<void> {
    await book.update(id, (record = get(id)) => ({
      ...record,
      uploads: record.uploads + count,
      lastUploadAtMs: clock.nowMs(),
    }));
    onChanged();
  }

  async function stop(id: string): Promise<void> {
    await runs.get(id)?.stop();
    runs.delete(id);
  }

  /** Changes a folder, which is followed anew. @throws AppFailure notFound (watch) */
  function change(id: string, apply: (record: WatchRecord) => WatchRecord): Promise<void> {
    return mutex.runExclusive(id, async () => {
      get(id);
      await stop(id);
      try {
        if (apply(get(id)).origin !== get(id).origin) await forgetUndone(id);
        await book.update(id, (record = get(id)) => apply(record));
      } finally {
        start(get(id));
        onChanged();
      }
    });
  }

  function remove(id: string): Promise<void> {
    const work = async () => {
      get(id);
      await stop(id);
      await book.delete(id);
      await forgetOthers();
      onChanged();
    };
    return membership.runExclusive(() => mutex.runExclusive(id, work));
  }

  /** Also the files of a folder whose adding a kill has ended. Folders of another version, which cannot be read, keep theirs. */
  async function forgetOthers(): Promise<void> {
    await watched.retain((await documents.list(watchedFolders)).map(({ key }) => key));
  }

  /** What did not get to the former address: its uploads were cancelled when the address changed. */
  async function forgetUndone(id: string): Promise<void> {
    const sent = (await watched.of(id)).flatMap(({ transferId }) => transferId ?? []);
    for (let from = 0; from < sent.length; from += filesAtOnce) {
      const records = await deps.engine.recordsOf(sent.slice(from, from + filesAtOnce));
      const undone = records.filter(({ state }) => state.name !== 'done');
      await watched.forget(
        id,
        undone.map((transfer) => transfer.id),
      );
    }
  }

  async function requireFree(serviceId: string, folder: string, exceptId?: string): Promise<void> {
    const others = ofService(serviceId).flatMap((record) => (record.id === exceptId ? [] : [record.folder]));
    await requireWatchable(folder, paths.userData, others);
  }

  function describe(record: WatchRecord): WatchedFolder {
    const { id, serviceId, folder, choices, uploads, lastUploadAtMs } = record;
    const looked = hasMoved(record) ? null : (runs.get(id)?.looked() ?? null);
    const state = !record.isOn ? 'off' : hasMoved(record) ? 'moved' : (looked?.state ?? 'starting');
    return {
      id,
      serviceId,
      name: nameOf(folder),
      label: shortenHome(folder, paths.home),
      choices,
      state,
      uploads,
      lastUploadAtMs,
      settling: looked?.settling ?? 0,
      skippedCount: looked?.skippedCount ?? 0,
      skipped: [...(looked?.skipped ?? [])],
      error: looked?.error ?? null,
    };
  }

  await forgetOthers();
  for (const record of book.values()) start(record);

  return {
    handlers: {
      'watch.list': ({ serviceId }) => ({
        revision: deps.revision(),
        folders: ofService(serviceId).map(describe),
      }),
      'watch.look': async ({ serviceId, grant, ignore }) => {
        const folder = resolve(grants.resolve(grant));
        requireValid({ template: '{path}', ignore });
        await requireFree(serviceId, folder);
        const ignores = await ignoresOf(connections, serviceId, folder, ignore);
        const { length: count } = await listExisting(folder, ignores, {
          max: countMax,
          onRefused: () => undefined,
        });
        return {
          name: nameOf(folder),
          label: shortenHome(folder, paths.home),
          files: Math.min(count, countMax),
          isMore: count > countMax,
        };
      },
      'watch.add': ({ serviceId, grant, choices, withExisting }) =>
        membership.runExclusive(async () => {
          const folder = resolve(grants.resolve(grant));
          requireValid(choices);
          await requireFree(serviceId, folder);
          const record: WatchRecord = {
            id: randomUUID(),
            serviceId,
            origin: connections.originOf(serviceId),
            folder,
            identity: await identityOf(folder),
            choices,
            addedAtMs: clock.nowMs(),
            isOn: true,
            uploads: 0,
            lastUploadAtMs: null,
          };
          if (!withExisting) await rememberExisting(deps, record);
          await book.set(record.id, record);
          grants.forget([grant]);
          start(record);
          onChanged();
          return { id: record.id };
        }),
      'watch.change': async ({ id, choices }) => {
        requireValid(choices);
        await change(id, (record) => ({ ...record, choices }));
        return undefined;
      },
      'watch.locate': async ({ id, grant }) => {
        const folder = resolve(grants.resolve(grant));
        await membership.runExclusive(async () => {
          await requireFree(get(id).serviceId, folder, id);
          const identity = await identityOf(folder);
          await change(id, (record) => ({ ...record, folder, identity }));
        });
        grants.forget([grant]);
        return undefined;
      },
      'watch.setOn': async ({ id, isOn }) => {
        const before = get(id);
        const isOther = isOn && describe(before).state === 'another';
        const identity = isOther ? await identityOf(before.folder) : null;
        await change(id, (record) => {
          const origin = isOn ? connections.originOf(record.serviceId) : record.origin;
          return { ...record, isOn, origin, identity: identity ?? record.identity };
        });
        return undefined;
      },
      'watch.remove': async ({ id }) => {
        await remove(id);
        return undefined;
      },
      'watch.show': async ({ id }) => {
        desktop.showInFolder(get(id).folder);
        return undefined;
      },
    },
    wake() {
      for (const run of runs.values()) run.wake();
    },
    async removeService(serviceId) {
      for (const { id } of ofService(serviceId)) await remove(id);
    },
    async close() {
      await membership.runExclusive(async () => undefined);
      await Promise.all([...runs.keys()].map((id) => stop(id)));
    },
  };
}

/** A drive has no other name than its path. */
function nameOf(folder: string): string {
  return basename(folder) || folder;
}
