import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { mkdir, readdir, rm } from '../local-files/fs.ts';

/**
 * Private copies of versions to be stored again, each in a folder of its own that only the owner can open. No program
 * sees them, so the content of a folder whose transfer is known came from the service, and can be removed unread.
 */
export function createCopies(folder: string) {
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
