import { mkdir, rename, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { WatchChoices, WatchedFolder } from '../../../src/shared/domain/watch.ts';
import { ignoreDefault, settleSeconds } from '../../../src/shared/domain/watch.ts';
import { createGrants } from '../../../src/main/local-files/grants.ts';
import { createWatchedFolders, type WatchedFolders } from '../../../src/main/watch/watched-folders.ts';
import { serviceId } from '../transfers/world-acts.ts';
import { World } from '../transfers/world.ts';

/** Watched folders over the engine in virtual time, restarted with it after each kill. */
export interface WatchWorld {
  readonly world: World;
  readonly folder: string;
  /** Of the latest start. */
  readonly watches: () => WatchedFolders;
  /** The window's grant for a chosen path. */
  readonly grant: (path: string) => string;
  readonly add: (choices?: Partial<WatchChoices>, withExisting?: boolean, folder?: string) => Promise<string>;
  readonly call: <T>(work: (handlers: WatchedFolders['handlers']) => T | Promise<T>) => Promise<T>;
  readonly list: () => Promise<WatchedFolder[]>;
  /** Writes a file below the folder, with a unique modification time. */
  readonly write: (path: string, text: string) => Promise<void>;
  /** Changes only a file's modification time. */
  readonly touch: (path: string) => Promise<void>;
  readonly disconnect: () => Promise<void>;
  readonly connect: () => Promise<void>;
  /** The stored texts by identifier. */
  readonly stored: () => Record<string, string>;
  leave(): Promise<void>;
}

export const choicesDefault: WatchChoices = {
  into: '',
  template: '{path}',
  classification: null,
  ifExists: 'newVersion',
  request: 'direct',
  ignore: [...ignoreDefault],
  settleSeconds: settleSeconds.usual,
};

export async function beginWatchWorld(): Promise<WatchWorld> {
  let watches: WatchedFolders | null = null;
  const grants = createGrants();
  let top = '';
  const world = await World.begin(async ({ folder, clock, ...below }) => {
    top = folder;
    await mkdir(join(folder, 'user data'), { recursive: true });
    watches = await createWatchedFolders({
      ...below,
      grants,
      clock,
      desktop: { showInFolder: () => undefined },
      paths: { userData: join(folder, 'user data'), home: folder },
      log: { info: () => undefined, warn: () => undefined, error: (message) => world.problems.push(message) },
      publisher: { publish: () => undefined },
      onChanged: () => undefined,
      revision: () => 0,
      follows: true,
    });
  });
  const folder = join(top, 'watched');
  await mkdir(folder);
  const started = (): WatchedFolders => {
    if (watches === null) throw new Error('not started');
    return watches;
  };
  let ticks = 0;
  async function touch(path: string): Promise<void> {
    ticks += 1;
    await utimes(join(folder, path), 1_700_000_000 + ticks, 1_700_000_000 + ticks);
  }
  const call: WatchWorld['call'] = (work) => world.settle((async () => work(started().handlers))());
  return {
    world,
    folder,
    watches: started,
    call,
    grant: (path) => grants.grant([path])[0] ?? '',
    async add(choices = {}, withExisting = true, path = folder) {
      const [grant = ''] = grants.grant([path]);
      const input = { serviceId, grant, choices: { ...choicesDefault, ...choices }, withExisting };
      return (await call((handlers) => handlers['watch.add'](input))).id;
    },
    list: async () => (await call((handlers) => handlers['watch.list']({ serviceId }))).folders,
    async write(path, text) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
      await touch(path);
    },
    touch,
    disconnect: () => rename(folder, `${folder} (away)`),
    connect: () => rename(`${folder} (away)`, folder),
    stored: () =>
      Object.fromEntries(
        [...world.service.versions.keys()].toSorted().flatMap((identifier) => {
          const bytes = world.service.get(identifier);
          return bytes === undefined ? [] : [[identifier, Buffer.from(bytes).toString()]];
        }),
      ),
    async leave() {
      await world.settle(started().close());
      await world.leave();
    },
  };
}
