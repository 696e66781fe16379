import { dirname } from 'node:path';
import { existsSync, rm } from '../../local-files/fs.ts';
import type { Documents } from '../../database/documents.ts';

const collection = 'unfinishedFiles';

/** Files being written, recorded so that the next start removes what a crash leaves behind. */
export class UnfinishedFiles {
  readonly #documents: Documents;

  constructor(documents: Documents) {
    this.#documents = documents;
  }

  /**
   * Runs `work`, which writes a file at `path` and renames it. Afterwards nothing is left at `path`, whether it
   * succeeds or fails.
   */
  async run<T>(path: string, work: () => Promise<T>): Promise<T> {
    await this.#documents.put(collection, path, true);
    try {
      return await work();
    } finally {
      await this.#remove(path);
    }
  }

  /** Removes what an earlier run left behind. */
  async removeOld(): Promise<void> {
    for (const { key } of await this.#documents.list(collection)) await this.#remove(key);
  }

  /** Never rejects: a file that cannot be removed now, or whose drive is missing, is tried again at the next start. */
  async #remove(path: string): Promise<void> {
    try {
      await rm(path, { force: true });
      if (existsSync(dirname(path))) await this.#documents.delete(collection, path);
    } catch {
      return;
    }
  }
}
