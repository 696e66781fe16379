import { basename } from 'node:path';
import { AppFailure } from '../../shared/app-failure.ts';
import { provenDigest } from '../../shared/domain/unverified.ts';
import type { ObjectRecord } from '../../shared/domain/object.ts';
import { previewMaxBytes } from '../../shared/domain/preview.ts';
import { Mutex, untilAborted } from '../lib/async.ts';
import type { SharedPiece } from './buffer-pool.ts';
import { identityOf } from './file-state.ts';
import { lstat, type BigIntStats } from './fs.ts';
import type { ReadAnswer, ReadOrder } from './read-worker.ts';
import { digestOf } from './source.ts';
import { createWorkerPool } from './worker-pool.ts';

type Wanted = Pick<ObjectRecord, 'id' | 'lengthBytes' | 'sha256' | 'unverified'>;
/** Finds the absolute paths of files that may have the bytes of an object; not called if the bytes could not be verified. */
type PathsOf = (id: number) => Promise<readonly string[]>;

/** A file, and the state in which it was read. */
export interface FoundFile {
  readonly path: string;
  readonly stats: BigIntStats;
}

export interface LocalCopies {
  /**
   * The bytes of an object from the first of these files that still has them; null: none has, or it is too large or too slow. Follows no
   * link.
   */
  read(object: Wanted, pathsOf: PathsOf): Promise<Uint8Array<ArrayBuffer> | null>;
  /**
   * The first of these files that still has the bytes of an object of any size; null: none has. Reading a large file takes long, so the
   * next call cancels this one. @throws AppFailure cancelled
   */
  find(object: Wanted, pathsOf: PathsOf): Promise<FoundFile | null>;
  readonly close: () => Promise<void>;
}

/**
 * Accesses drives first on threads of their own, so that one that hangs blocks nothing else.
 * @param limitMs a drive that takes longer, for example because it was disconnected, counts as missing
 */
export function openLocalCopies(limitMs = 3_000): LocalCopies {
  const readers = createWorkerPool<ReadOrder, ReadAnswer>('read', 4);
  const mutex = new Mutex();
  /** Reused, because the garbage collector does not count shared memory. */
  let memory: SharedPiece | null = null;
  let lastId = 0;
  let search = new AbortController();

  async function readSame(path: string, sha256: string): Promise<Uint8Array<ArrayBuffer> | null> {
    memory ??= new Uint8Array(new SharedArrayBuffer(previewMaxBytes));
    const answer = await readers.free().ask({ id: (lastId += 1), kind: 'read', path, memory });
    const whole = 'file' in answer ? answer.file.whole : null;
    return whole?.sha256 === sha256 ? new Uint8Array(whole.bytes) : null;
  }

  /** Whether the drive answers in time, and the file has this size. */
  async function hasSize(path: string, sizeBytes: number): Promise<boolean> {
    const answer = readers.free().ask({ id: (lastId += 1), kind: 'stat', path });
    const known = await untilAborted(answer, AbortSignal.timeout(limitMs)).catch(() => null);
    return known !== null && 'stats' in known && known.stats?.size === BigInt(sizeBytes);
  }

  return {
    async read(object, pathsOf) {
      const { id, lengthBytes } = object;
      // With an unverified digest, somebody else could make any file of this computer pass as the object.
      const sha256 = provenDigest(object);
      if (sha256 === null || lengthBytes === null || lengthBytes > previewMaxBytes) return null;
      const paths = await pathsOf(id);
      const signal = AbortSignal.timeout(limitMs);
      const found = mutex.runExclusive(async () => {
        for (const path of paths) {
          // The caller has stopped waiting.
          if (signal.aborted) break;
          const bytes = await readSame(path, sha256);
          if (bytes !== null) return bytes;
        }
        return null;
      });
      return untilAborted(found, signal).catch(() => null);
    },
    async find(object, pathsOf) {
      const { id, lengthBytes } = object;
      const sha256 = provenDigest(object);
      search.abort();
      search = new AbortController();
      const { signal } = search;
      if (sha256 === null || lengthBytes === null) return null;
      for (const path of await pathsOf(id)) {
        if (!(await hasSize(path, lengthBytes))) continue;
        const stats = await lstat(path, { bigint: true }).catch(() => null);
        // A file that has changed or cannot be read does not match.
        const read =
          stats && (await digestOf(path, basename(path), identityOf(stats), signal).catch(() => null));
        if (stats && read === sha256) return { path, stats };
        if (signal.aborted) throw new AppFailure({ code: 'cancelled' });
      }
      return null;
    },
    async close() {
      search.abort();
      await readers.close();
    },
  };
}
