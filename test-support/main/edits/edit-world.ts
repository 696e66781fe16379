import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Edit } from '../../../src/shared/domain/edit.ts';
import { createEdits, type Edits } from '../../../src/main/edits/edits.ts';
import { World } from '../transfers/world.ts';

/** Edits over the engine in virtual time, restarted with it after each kill. */
export interface EditWorld {
  readonly world: World;
  /** Of the latest start. */
  readonly handlers: () => Edits['handlers'];
  readonly list: () => Promise<Edit[]>;
  /** Path of an edit's private copy; null: not there now. */
  readonly copyOf: (edit: Pick<Edit, 'id'>) => Promise<string | null>;
  /** Names of the existing folders of edits. */
  readonly folders: () => Promise<string[]>;
  /** Files below the folder of an edit, including incomplete ones. */
  readonly filesOf: (id: string) => Promise<string[]>;
  /** Contents of all files below the folders of edits, or below this folder of them. */
  readonly texts: (folder?: string) => Promise<string[]>;
  /** Warnings and errors that were logged. */
  readonly problems: readonly string[];
  leave(): Promise<void>;
}

export async function beginEditWorld(): Promise<EditWorld> {
  let edits: Edits | null = null;
  let root = '';
  const problems: string[] = [];
  const note = (message: string, details?: object) =>
    void problems.push(`${message} ${String(details && Object.values(details)[0])}`);
  const world = await World.begin(async ({ folder, clock, ...below }) => {
    const userData = join(folder, 'user data');
    root = join(userData, 'edits');
    await mkdir(userData, { recursive: true });
    edits = await createEdits({
      ...below,
      userData,
      clock,
      repository: { get: () => ({}) as never },
      onRowsChanged: () => () => undefined,
      desktop: { openFile: async () => true },
      isApp: false,
      readLocal: async () => null,
      log: { info: () => undefined, warn: note, error: note },
      watchFolder: () => null,
      onLeft: (at) => problems.push(`left in ${at}`),
      onChanged: () => undefined,
      revision: () => 0,
    });
  });
  const started = (): Edits => {
    if (edits === null) throw new Error('no edits yet');
    return edits;
  };
  const filesOf = (id: string) => readdir(join(root, id)).catch(() => []);
  return {
    world,
    problems,
    filesOf,
    handlers: () => started().handlers,
    list: async () =>
      (await world.settle(Promise.resolve(started().handlers['edits.list'](undefined)))).edits,
    async copyOf({ id }) {
      const found = (await filesOf(id)).find((name) => !name.endsWith('.part') && !name.endsWith('.tmp'));
      return found === undefined ? null : join(root, id, found);
    },
    folders: () => readdir(root).catch(() => []),
    async texts(folder = '') {
      const top = join(root, folder);
      const found = await readdir(top, { recursive: true, withFileTypes: true }).catch(() => []);
      const files = found.filter((entry) => entry.isFile());
      // A file may be removed meanwhile.
      return Promise.all(
        files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8').catch(() => '')),
      );
    },
    async leave() {
      const closed = started().close();
      await world.clock.advance(0);
      await closed;
      await world.leave();
    },
  };
}
