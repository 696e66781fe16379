import { randomUUID } from 'node:crypto';
import { basename, resolve } from 'node:path';
import type { Handlers } from '../../shared/contract.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import type { WatchedFolder } from '../../shared/domain/watch.ts';
import type { Documents } from '../database/documents.ts';
import type { WatchedFiles } from '../database/watched-files.ts';
import type { Connections } from '../connections/connections.ts';
import type { Host } from '../host.ts';
import { KeyedMutex, Mutex, untilAborted } from '../lib/async.ts';
import { Revision } from '../lib/revision.ts';
import type { Grants } from '../local-files/grants.ts';
import { shortenHome } from '../local-files/shorten-home.ts';
import type { Clock, Desktop, Paths } from '../ports.ts';
import {
  createRealPaths,
  type FolderIdentity,
  identityOf,
  requireValid,
  requireWatchable,
} from './watched-folder.ts';
import { countExisting, ignoresOf, listAll, remember } from './existing-files.ts';
import type { SendDeps } from './send-settled.ts';
import { openWatchBook, watchedFolders, type WatchRecord } from './watch-record.ts';
import { startWatch, type WatchRun } from './watch-run.ts';

type Name = 'list' | 'inspect' | 'add' | 'change' | 'locate' | 'setOn' | 'remove' | 'show';

/** Folders of this computer whose new and changed files are uploaded. */
export interface WatchedFolders {
  readonly handlers: Pick<Handlers, `watch.${Name}`>;
  /** Reads all folders soon. */
  wake(): void;
  /** Forgets the folders of a service that is being removed. */
  removeService(serviceId: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * Continues with the folders of the last run.
 * @param deps.follows false: in a command, which has the database open only for a moment
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
  /** Held while a folder and its files are recorded or forgotten. Access no drive while holding it: it may hang. */
  const membership = new Mutex();
  /** Folders that are being added or located. */
  const coming = new Set<Pick<WatchRecord, 'serviceId' | 'folder'>>();
  const closing = new AbortController();
  const own = { connections, realPathOf: createRealPaths() };

  function get(id: string): WatchRecord {
    const record = book.get(id);
    if (!record) throw new AppFailure({ code: 'notFound', what: 'watch' });
    return record;
  }

  function ofService(serviceId: string): WatchRecord[] {
    const all = book.values().filter((record) => record.serviceId === serviceId);
    return all.toSorted((a, b) => a.addedAtMs - b.addedAtMs);
  }

  /** Another origin means another service, to which the person has not agreed. */
  function hasAddressChanged({ serviceId, origin }: WatchRecord): boolean {
    return connections.originOf(serviceId) !== origin;
  }

  function start(record: WatchRecord): void {
    if (!deps.follows || !record.isOn || closing.signal.aborted) return;
    runs.set(record.id, startWatch({ ...deps, ...own, onSent, hasAddressChanged }, record));
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

  /** Changes a folder's record, and restarts its following. @throws AppFailure notFound (watch) */
  function change(id: string, apply: (record: WatchRecord) => WatchRecord): Promise<void> {
    return mutex.runExclusive(id, async () => {
      get(id);
      await stop(id);
      try {
        // Another origin means another service, where none of the files are stored.
        if (apply(get(id)).origin !== get(id).origin) await watched.forget(id, 'all');
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

  /** Forgets files without a folder, also after a kill while one was added. Records that this version cannot read keep theirs. */
  async function forgetOthers(): Promise<void> {
    await watched.retain((await documents.list(watchedFolders)).map(({ key }) => key));
  }

  /** Checks a folder to be watched, and reserves it until `work` is done. @throws AppFailure folderNotWatched */
  async function whileFree<T>(
    { serviceId, folder }: Pick<WatchRecord, 'serviceId' | 'folder'>,
    exceptId: string | null,
    work: (identity: FolderIdentity) => Promise<T>,
  ): Promise<T> {
    const others = [...ofService(serviceId).filter(({ id }) => id !== exceptId), ...coming];
    const taken = others.flatMap((other) => (other.serviceId === serviceId ? other.folder : []));
    const place = { serviceId, folder };
    coming.add(place);
    const looking = async () => {
      const { downloadFolder } = await connections.factsOf(serviceId);
      await requireWatchable(folder, { userData: paths.userData, downloadFolder, others: taken });
      return work(await identityOf(folder));
    };
    try {
      return await untilAborted(looking(), closing.signal);
    } finally {
      coming.delete(place);
    }
  }

  function describe(record: WatchRecord): WatchedFolder {
    const { id, serviceId, folder, choices, uploads, lastUploadAtMs } = record;
    const checked = hasAddressChanged(record) ? null : (runs.get(id)?.checked() ?? null);
    const state = !record.isOn ? 'off' : hasAddressChanged(record) ? 'moved' : (checked?.state ?? 'starting');
    return {
      id,
      serviceId,
      name: nameOf(folder),
      label: shortenHome(folder, paths.home),
      choices,
      state,
      uploads,
      lastUploadAtMs,
      settling: checked?.settling ?? 0,
      skippedCount: checked?.skippedCount ?? 0,
      skipped: [...(checked?.skipped ?? [])],
      error: checked?.error ?? null,
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
      'watch.inspect': async ({ serviceId, grant, ignore }) => {
        const folder = resolve(grants.resolve(grant));
        requireValid({ template: '{path}', ignore });
        return whileFree({ serviceId, folder }, null, async () => ({
          name: nameOf(folder),
          label: shortenHome(folder, paths.home),
          ...(await countExisting(own, folder, ignore)),
        }));
      },
      'watch.add': async ({ serviceId, grant, choices, withExisting }) => {
        const folder = resolve(grants.resolve(grant));
        requireValid(choices);
        const origin = connections.originOf(serviceId);
        return whileFree({ serviceId, folder }, null, async (identity) => {
          const existing = withExisting
            ? []
            : await listAll(folder, await ignoresOf(own, folder, choices.ignore));
          const record: WatchRecord = {
            id: randomUUID(),
            serviceId,
            origin,
            folder,
            identity,
            choices,
            addedAtMs: clock.nowMs(),
            isOn: true,
            uploads: 0,
            lastUploadAtMs: null,
          };
          await membership.runExclusive(async () => {
            // The service may have been removed while the folder was read.
            connections.originOf(serviceId);
            await remember(watched, record.id, existing);
            await book.set(record.id, record);
            start(record);
          });
          grants.forget([grant]);
          onChanged();
          return { id: record.id };
        });
      },
      'watch.change': async ({ id, choices }) => {
        requireValid(choices);
        await change(id, (record) => ({ ...record, choices }));
        return undefined;
      },
      'watch.locate': async ({ id, grant }) => {
        const folder = resolve(grants.resolve(grant));
        await whileFree({ serviceId: get(id).serviceId, folder }, id, (identity) =>
          change(id, (record) => ({ ...record, folder, identity })),
        );
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
      const all = await membership.runExclusive(async () => ofService(serviceId));
      for (const { id } of all) await remove(id);
    },
    async close() {
      closing.abort();
      await membership.runExclusive(async () => undefined);
      await Promise.all([...runs.keys()].map((id) => stop(id)));
    },
  };
}

/** The root of a drive has no base name. */
function nameOf(folder: string): string {
  return basename(folder) || folder;
}

export async function watch(host: Host): Promise<WatchedFolders['handlers']> {
  const { database, isApp, publisher } = host;
  const revision = new Revision((current) => publisher.publish('watch.changed', { revision: current }));
  host.onClose(() => revision.cancel());
  const own = await createWatchedFolders({
    ...host,
    watched: database.watched,
    onChanged: () => revision.increase(),
    revision: () => revision.current,
    follows: isApp,
  });
  host.onClose(() => own.close());
  host.onServiceRemoved((serviceId) => own.removeService(serviceId));
  host.onWake(() => own.wake());
  host.onFocus(() => own.wake());
  return own.handlers;
}
