import { provenDigest } from '../../shared/domain/claims.ts';
import type { ObjectRecord } from '../../shared/domain/object.ts';
import { previewMaxBytes } from '../../shared/domain/preview.ts';
import { Mutex, untilAborted } from '../lib/async.ts';
import type { SharedPiece } from '../local-files/buffer-pool.ts';
import type { ReadAnswer, ReadOrder } from '../local-files/read-worker.ts';
import { createWorkerPool } from '../local-files/worker-pool.ts';

/** A drive that takes longer, such as one that is not connected any more, counts as not there; in ms. */
const limitMs = 3_000;

export interface LocalCopies {
  /**
   * The bytes of an object from the first of these files that still has them; null: none has, or it is too large or too slow. Follows no
   * link.
   * @param pathsOf finds the absolute paths of these files; not called if no file could be read
   */
  read(
    object: Pick<ObjectRecord, 'id' | 'lengthBytes' | 'sha256' | 'claimed'>,
    pathsOf: (id: number) => Promise<readonly string[]>,
  ): Promise<Uint8Array<ArrayBuffer> | null>;
  readonly close: () => Promise<void>;
}

/** Reads files one by one on a thread of its own: a drive that hangs holds up nothing but this. */
export function openLocalCopies(): LocalCopies {
  const readers = createWorkerPool<ReadOrder, ReadAnswer>('read', 4);
  const mutex = new Mutex();
  /** Kept, as the garbage collector does not count shared memory. */
  let memory: SharedPiece | null = null;
  let lastId = 0;

  async function readSame(path: string, sha256: string): Promise<Uint8Array<ArrayBuffer> | null> {
    memory ??= new Uint8Array(new SharedArrayBuffer(previewMaxBytes));
    const answer = await readers.free().ask({ id: (lastId += 1), kind: 'read', path, memory });
    const whole = 'file' in answer ? answer.file.whole : null;
    return whole?.sha256 === sha256 ? new Uint8Array(whole.bytes) : null;
  }

  return {
    async read(object, pathsOf) {
      const { id, lengthBytes } = object;
      // By somebody's word, any file of this computer could be the object.
      const sha256 = provenDigest(object);
      if (sha256 === null || lengthBytes === null || lengthBytes > previewMaxBytes) return null;
      const paths = await pathsOf(id);
      const signal = AbortSignal.timeout(limitMs);
      const found = mutex.runExclusive(async () => {
        for (const path of paths) {
          // Nobody waits any more.
          if (signal.aborted) break;
          const bytes = await readSame(path, sha256);
          if (bytes !== null) return bytes;
        }
        return null;
      });
      return untilAborted(found, signal).catch(() => null);
    },
    close: readers.close,
  };
}
