import { mkdir, open, readdir, rm, truncate, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { VaultFiles } from '../../../src/main/transfers/undo/vault.ts';

/** The files of an undo store, on a disk that loses what was not synced when the power is cut. */
export interface CuttableFiles {
  readonly files: VaultFiles;
  /** Whether both content and name are synced, so that the file survives a power cut. */
  isDurable(name: string): boolean;
  /** Removes or empties what was not synced, and closes the files of the dead process. */
  cut(): Promise<void>;
}

/** @param onStep called before each change of the disk; never resolves for a dead process */
export function createCuttableFiles(folder: string, onStep: () => Promise<void>): CuttableFiles {
  const contents = new Set<string>();
  const names = new Set<string>();
  const fresh = new Set<string>();
  return {
    isDurable: (name) => contents.has(name) && names.has(name),
    async cut() {
      for (const name of fresh) {
        if (!names.has(name)) await rm(join(folder, name), { force: true });
        else if (!contents.has(name)) await truncate(join(folder, name)).catch(() => undefined);
      }
      fresh.clear();
    },
    files: {
      mkdir,
      async unlink(path) {
        await onStep();
        for (const set of [contents, names, fresh]) set.delete(basename(path));
        await unlink(path);
      },
      async open(path, flags, mode) {
        await onStep();
        const isFolder = path === folder;
        const handle = await open(path, flags, mode);
        if (flags.startsWith('w')) fresh.add(basename(path));
        const isOurs = dirname(path) === folder;
        return {
          stat: (options) => handle.stat(options),
          read: (...args) => handle.read(...args),
          write: async (...args) => {
            await onStep();
            return handle.write(...args);
          },
          async sync() {
            await onStep();
            await handle.sync();
            if (isFolder) for (const name of await readdir(folder)) names.add(name);
            else if (isOurs) contents.add(basename(path));
          },
          datasync: () => handle.datasync(),
          close: () => handle.close(),
        };
      },
    },
  };
}
