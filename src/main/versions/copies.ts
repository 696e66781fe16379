import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { mkdir, readdir, rm } from '../files/fs.ts';

/**
 * Private copies of versions on their way back to the service, each in a folder of its own that is open to this person alone. No program
 * is given one, so all that is in it came from the service, and it can be removed unread.
 */
export interface Copies {
  /** Where the next one goes. */
  newPath(): Promise<string>;
  /** Those of this run and of earlier ones. */
  all(): Promise<string[]>;
  remove(path: string): Promise<void>;
}

export function createCopies(folder: string): Copies {
  const pathIn = (name: string) => join(folder, name, 'version');
  return {
    async newPath() {
      const path = pathIn(randomUUID());
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      return path;
    },
    all: async () => (await readdir(folder).catch(() => [])).map((name) => pathIn(name)),
    remove: (path) => rm(dirname(path), { recursive: true, force: true }),
  };
}
