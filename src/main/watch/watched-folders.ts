import { randomUUID } from 'node:crypto';
import { basename, relative, resolve, sep } from 'node:path';
import type { Handlers } from '../../shared/contract.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import { compileFilter } from '../../shared/domain/pattern.ts';
import type { WatchChoices, WatchedFolder } from '../../shared/domain/watch.ts';
import type { Documents } from '../database/documents.ts';
import type { RememberedFile, WatchedFile, WatchedFiles } from '../database/watched-files.ts';
import type { Connections } from '../connections/connections.ts';
import { KeyedMutex, Mutex } from '../lib/async.ts';
import type { Grants } from '../local-files/grants.ts';
import { shortenHome } from '../local-files/shorten-home.ts';
import type { Clock, Desktop, Paths } from '../ports.ts';
import { belowOf, readFolder } from '../upload-plan/read-files.ts';
import { compileIgnore, followFolder, type FollowedFolder, type Looked } from './follow-folder.ts';
import { sendSettled, type SendDeps } from './send-settled.ts';
import { contains, requireValid, requireWatchable } from './watchable.ts';
import { openWatchBook, watchedFolders, type WatchRecord } from './watch-record.ts';

type Name = 'list' | 'look' | 'add' | 'change' | 'setOn' | 'remove' | 'show';

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

interface Running {
  readonly off: AbortController;
  readonly ended: Promise<void>;
  readonly looked: () => Looked | null;
  readonly wake: () => void;
}

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
  const runs = new Map<string, Running>();
  const mutex = new KeyedMutex<string>();
  const adding = new Mutex();

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

  /** Besides the person's patterns: what Coffer saves here itself. */
  async function ignoresOf(serviceId: string, folder: string, { ignore }: Pick<WatchChoices, 'ignore'>) {
    const { downloadFolder } = await connections.factsOf(serviceId);
    const own = contains(downloadFolder, folder)
      ? null
      : relative(folder, downloadFolder).split(sep).join('/');
    const ignores = compileIgnore(ignore.flatMap((pattern) => compileFilter(pattern, '/') ?? []));
    return (below: string, isFolder: boolean) => below === own || ignores(below, isFolder);
  }

  function start(record: WatchRecord): void {
    if (!deps.follows || !record.isOn || hasMoved(record)) return;
    const { id } = record;
    const off = new AbortController();
    let looked: Looked | null = null;
    let followed: FollowedFolder | null = null;
    const follow = async () => {
      const known = new Map<string, RememberedFile>();
      followed = followFolder({
        folder: record.folder,
        clock,
        signal: off.signal,
        settleMs: record.choices.settleSeconds * 1000,
        ignores: await ignoresOf(record.serviceId, record.folder, record.choices),
        isKnown: (path, { sizeBytes, mtimeMs }) => {
          const before = known.get(path);
          return before?.isUnsent === false && before.sizeBytes === sizeBytes && before.mtimeMs === mtimeMs;
        },
        async send(files) {
          if (!hasMoved(record))
            return sendSettled(deps, record, files, known, (count) => countSent(id, count));
          off.abort();
          onChanged();
          return new Map();
        },
        async recall() {
          for (const file of await watched.of(id)) known.set(file.path, file);
        },
        onLooked(now) {
          if (JSON.stringify(now) === JSON.stringify(looked)) return;
          looked = now;
          onChanged();
        },
        onFailed: (cause) => log.warn('files of a watched folder were not sent', { id, cause }),
      });
      await followed.ended;
    };
    runs.set(id, {
      off,
      looked: () => looked,
      wake: () => followed?.wake(),
      ended: follow().catch((cause: unknown) => log.error('a watched folder is not followed', { id, cause })),
    });
  }

  async function countSent(id: string, count: number): Promise<void> {
    await book.update(id, (record = get(id)) => ({
      ...record,
      uploads: record.uploads + count,
      lastUploadAtMs: clock.nowMs(),
    }));
    onChanged();
  }

  async function stop(id: string): Promise<void> {
    const run = runs.get(id);
    run?.off.abort();
    await run?.ended;
    runs.delete(id);
  }

  /** Changes a folder, which is followed anew. @throws AppFailure notFound (watch) */
  function change(id: string, apply: (record: WatchRecord) => WatchRecord): Promise<void> {
    return mutex.runExclusive(id, async () => {
      get(id);
      await stop(id);
      try {
        await book.update(id, (record = get(id)) => apply(record));
      } finally {
        start(get(id));
        onChanged();
      }
    });
  }

  function remove(id: string): Promise<void> {
    return mutex.runExclusive(id, async () => {
      get(id);
      await stop(id);
      await book.delete(id);
      await forgetOthers();
      onChanged();
    });
  }

  /** Also the files of a folder whose adding a kill has ended. Folders of another version, which cannot be read, keep theirs. */
  async function forgetOthers(): Promise<void> {
    await watched.retain((await documents.list(watchedFolders)).map(({ key }) => key));
  }

  async function rememberExisting(
    id: string,
    folder: string,
    ignores: (below: string, isFolder: boolean) => boolean,
  ): Promise<void> {
    const found: WatchedFile[] = [];
    const { signal } = new AbortController();
    await readFolder(folder, {
      signal,
      skipsAccess: true,
      ignores,
      onFound(files) {
        for (const file of files) {
          const { sizeBytes, mtimeMs, trouble } = file;
          if (trouble === null) found.push({ path: belowOf(file), sizeBytes, mtimeMs, transferId: null });
        }
      },
      onRefused: () => undefined,
    });
    await watched.remember(id, found);
  }

  async function requireFree(serviceId: string, folder: string): Promise<void> {
    const others = ofService(serviceId).map((record) => record.folder);
    await requireWatchable(folder, paths.userData, others);
  }

  function describe(record: WatchRecord): WatchedFolder {
    const { id, serviceId, folder, choices, uploads, lastUploadAtMs } = record;
    const looked = runs.get(id)?.looked() ?? null;
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
        const enough = new AbortController();
        let files = 0;
        await readFolder(folder, {
          signal: enough.signal,
          skipsAccess: true,
          ignores: await ignoresOf(serviceId, folder, { ignore }),
          onFound(found) {
            files += found.filter(({ trouble }) => trouble === null).length;
            if (files > countMax) enough.abort();
          },
          onRefused: () => undefined,
        });
        const isMore = files > countMax;
        return {
          name: nameOf(folder),
          label: shortenHome(folder, paths.home),
          files: Math.min(files, countMax),
          isMore,
        };
      },
      'watch.add': ({ serviceId, grant, choices, withExisting }) =>
        adding.runExclusive(async () => {
          const folder = resolve(grants.resolve(grant));
          requireValid(choices);
          await requireFree(serviceId, folder);
          const origin = connections.originOf(serviceId);
          const id = randomUUID();
          if (!withExisting) await rememberExisting(id, folder, await ignoresOf(serviceId, folder, choices));
          const record: WatchRecord = {
            id,
            serviceId,
            origin,
            folder,
            choices,
            addedAtMs: clock.nowMs(),
            isOn: true,
            uploads: 0,
            lastUploadAtMs: null,
          };
          await book.set(id, record);
          grants.forget([grant]);
          start(record);
          onChanged();
          return { id };
        }),
      'watch.change': async ({ id, choices }) => {
        requireValid(choices);
        await change(id, (record) => ({ ...record, choices }));
        return undefined;
      },
      'watch.setOn': async ({ id, isOn }) => {
        await change(id, (record) => {
          const origin = isOn ? connections.originOf(record.serviceId) : record.origin;
          return { ...record, isOn, origin };
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
      await adding.runExclusive(async () => undefined);
      await Promise.all([...runs.keys()].map((id) => stop(id)));
    },
  };
}

/** A drive has no other name than its path. */
function nameOf(folder: string): string {
  return basename(folder) || folder;
}
