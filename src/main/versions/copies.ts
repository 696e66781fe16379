import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { mkdir, readdir, rm } from '../local-files/fs.ts';

/**
 * Private copies of versions on their way back to the service, each in a folder of its own that is open to this person alone. No program
 * is given one, so all that is in one whose transfer is known came from the service, and it can be removed unread.
 */
export interface Copies {
  /** Where the next one goes. */
  newPath(): Promise<string>;
  /** Those of this run and of earlier ones. */
  all(): Promise<string[]>;
  remove(path: string): Promise<void>;
  readonly folder: string;
  /** Of these names in the folder, those that were not made in this run. */
  othersOf(names: readonly string[]): { name: string; path: string }[];
}

export function createCopies(folder: string): Copies {
  const pathIn = (name: string) => join(folder, name, 'version');
  const made = new Set<string>();
  return {
    async newPath() {
      const name = randomUUID();
      made.add(name);
      const path = pathIn(name);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      return path;
    },
    all: async () => (await readdir(folder).catch(() => [])).map((name) => pathIn(name)),
    remove: (path) => rm(dirname(path), { recursive: true, force: true }),
    folder,
    othersOf: (names) =>
      names.filter((name) => !made.has(name)).map((name) => ({ name, path: pathIn(name) })),
  };
}
