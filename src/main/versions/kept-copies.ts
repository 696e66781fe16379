import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { ObjectRecord } from '../../shared/domain/object.ts';
import { AppFailure } from '../../shared/errors.ts';
import { mkdir, open, readdir, rm } from '../files/fs.ts';

/** Bytes of objects on their way back to the service, in a folder of this person's alone. */
export interface KeptCopies {
  /** Writes them whole, compared with what the list knows of the object, and durable. @throws AppFailure downloadLengthDiffers, digestDiffers */
  keep(of: ObjectRecord, body: AsyncIterable<Uint8Array>): Promise<string>;
  remove(path: string): Promise<void>;
  /** Removes what a crash has left. @param isWanted whether a transfer means to send it */
  sweep(isWanted: (path: string) => Promise<boolean>): Promise<void>;
}

export function createKeptCopies(folder: string): KeptCopies {
  const remove = (path: string) => rm(path, { force: true });

  return {
    async keep({ lengthBytes, sha256 }, body) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const path = join(folder, randomUUID());
      const file = await open(path, 'wx', 0o600);
      const hash = createHash('sha256');
      let receivedBytes = 0;
      try {
        for await (const piece of body) {
          await file.writeFile(piece);
          hash.update(piece);
          receivedBytes += piece.length;
        }
        const actual = hash.digest('hex');
        if (lengthBytes !== null && receivedBytes !== lengthBytes)
          throw new AppFailure({ code: 'downloadLengthDiffers', expectedBytes: lengthBytes, receivedBytes });
        if (sha256 !== null && actual !== sha256)
          throw new AppFailure({ code: 'digestDiffers', expected: sha256, actual });
        await file.sync();
      } catch (cause) {
        await file.close();
        await remove(path);
        throw cause;
      }
      await file.close();
      return path;
    },
    remove,
    async sweep(isWanted) {
      const names = await readdir(folder).catch(() => []);
      for (const name of names) {
        const path = join(folder, name);
        if (!(await isWanted(path))) await remove(path);
      }
    },
  };
}
