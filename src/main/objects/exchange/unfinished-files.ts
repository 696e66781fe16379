import { dirname } from 'node:path';
import { existsSync, rm } from '../../local-files/fs.ts';
import type { Documents } from '../../database/documents.ts';

const collection = 'unfinishedFiles';

/** Files that are being written, noted so that the next start takes away what a crash leaves of them. */
export class UnfinishedFiles {
  readonly #documents: Documents;

  constructor(documents: Documents) {
    this.#documents = documents;
  }

  /** Runs `work`, which makes a file at `path` and gives it another name. It is not there afterwards, in any case. */
  async run<T>(path: string, work: () => Promise<T>): Promise<T> {
    await this.#documents.put(collection, path, true);
    try {
      return await work();
    } finally {
      await this.#remove(path);
    }
  }

  /** Takes away what an earlier run has left. */
  async removeOld(): Promise<void> {
    for (const { key } of await this.#documents.list(collection)) await this.#remove(key);
  }

  /** Never rejects: a file that stays, or whose drive is not there now, is looked for again another time. */
  async #remove(path: string): Promise<void> {
    try {
      await rm(path, { force: true });
      if (existsSync(dirname(path))) await this.#documents.delete(collection, path);
    } catch {
      return;
    }
  }
}
