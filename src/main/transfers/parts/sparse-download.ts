import { basename, dirname } from 'node:path';
import { AppFailure } from '../../../shared/app-failure.ts';
import { safeFileName } from '../../../shared/domain/file-name.ts';
import { constants, open, type FileHandle } from '../../local-files/fs.ts';
import { openDigest } from '../../local-files/digest.ts';
import {
  waitingFiles,
  writeAll,
  type FileSystem,
  codeOf,
  knowsNoSync,
  targetFailureOf,
} from '../../local-files/file-system.ts';
import { borrowPiece, pieceBytes, returnPiece, type SharedPiece } from '../../local-files/buffer-pool.ts';
import { inodeAt, placeUnderFreeName } from '../../local-files/publish-file.ts';
import { makeTemporaryFile } from '../../local-files/temporary-file.ts';
import type { TemporaryFile, Target } from '../../local-files/temporary-file.ts';
import type { TransferRecord } from '../model/record.ts';
import type { PartPlans } from './part-plans.ts';

/** A file that parts are written into at their offsets, and that may be continued after a kill. */
export interface SparseDownload extends Pick<TemporaryFile, 'path' | 'sync' | 'publish' | 'discard'> {
  readonly inode: string;
  /** No file of an earlier run was there. */
  readonly isNew: boolean;
  /** The piece may be reused when it resolves. */
  writeAt(piece: Uint8Array, atBytes: number): Promise<void>;
  /** Flushes what was written to the disk. */
  flush(): Promise<void>;
  /** SHA-256 in hex of the whole file, read back. Rejects with the signal's reason. */
  digest(signal: AbortSignal): Promise<string>;
  /** Closes the file and keeps it for the next attempt. */
  leave(): Promise<void>;
}

/**
 * @param inode of the file that an earlier run left under this name; only that very file is continued. null: unknown
 * @throws AppFailure diskFull, folderGone, folderReadOnly; EEXIST when somebody else has the name
 */
export async function openSparseDownload(
  target: Target,
  temporaryName: string,
  sizeBytes: number,
  inode: string | null,
): Promise<SparseDownload> {
  let opened: FileHandle | null = null;
  let isNew = false;
  const reopening: FileSystem = {
    ...waitingFiles,
    async open(path, flags, mode) {
      // Only the folder is opened for reading, to be flushed.
      if (flags === 'r') return open(path, flags);
      opened = inode === null ? null : await reopen(path, inode);
      isNew = opened === null;
      opened ??= await open(path, 'wx+', mode);
      return opened;
    },
  };
  const temporaryFile = await makeTemporaryFile(target, temporaryName, reopening, () => ({
    write: () => Promise.reject(new Error('It is written at places')),
    finish: () => Promise.resolve(''),
    stop: () => Promise.resolve(),
  }));
  const handle = opened as FileHandle | null;
  if (handle === null) throw new Error('a temporary file was made and is not open');
  const guard = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (cause) {
      throw targetFailureOf(cause, target.folder.split(/[\\/]/).at(-1) ?? '');
    }
  };
  const stats = await handle.stat({ bigint: true });
  if (Number(stats.size) !== sizeBytes) await guard(() => handle.truncate(sizeBytes));

  return {
    path: temporaryFile.path,
    inode: String(stats.ino),
    isNew,
    writeAt: (piece, atBytes) => guard(() => writeAll(handle, piece, atBytes)),
    flush: () =>
      guard(async () => {
        try {
          await handle.datasync();
        } catch (cause) {
          if (!knowsNoSync(cause)) throw cause;
        }
      }),
    async digest(signal) {
      const digest = openDigest();
      const ring = [borrowPiece(), borrowPiece()] as const;
      try {
        let before: Promise<void> = Promise.resolve();
        for (let atBytes = 0, turn = 0; atBytes < sizeBytes; turn += 1) {
          signal.throwIfAborted();
          const memory = ring[turn % 2] as SharedPiece;
          const piece = memory.subarray(0, Math.min(pieceBytes, sizeBytes - atBytes));
          const { bytesRead } = await handle.read(piece, 0, piece.length, atBytes);
          if (bytesRead === 0) throw new AppFailure({ code: 'partGone', fileName: target.fileName });
          await before;
          before = digest.add(piece.subarray(0, bytesRead));
          atBytes += bytesRead;
        }
        await before;
        return await digest.end();
      } finally {
        digest.drop();
        for (const memory of ring) returnPiece(memory);
      }
    },
    sync: () => temporaryFile.sync(),
    publish: () => temporaryFile.publish(),
    discard: () => temporaryFile.discard(),
    leave: () => handle.close(),
  };
}

/** null: it does not exist, or is another file. */
async function reopen(path: string, inode: string): Promise<FileHandle | null> {
  const flags = constants.O_RDWR | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const handle = await open(path, flags).catch((cause: unknown) => {
    if (['ENOENT', 'ELOOP', 'EACCES', 'ENXIO', 'EISDIR'].includes(codeOf(cause) ?? '')) return null;
    throw cause;
  });
  if (handle === null) return null;
  const stats = await handle.stat({ bigint: true });
  if (stats.isFile() && String(stats.ino) === inode) return handle;
  await handle.close();
  return null;
}

/**
 * Saves an incomplete download under a name that says so; missing bytes are zeros.
 * @param word is put before the extension: `film (incomplete).mov`
 * @throws AppFailure notFound when there is no such download, or its file is gone; diskFull, folderGone,
 * folderReadOnly
 */
export async function saveIncomplete(
  plans: PartPlans,
  { id, state }: TransferRecord,
  name: string,
  word: string,
): Promise<{ fileName: string }> {
  const plan = plans.ofKind(id, 'download');
  const found = plan && (await inodeAt(plan.of.temporaryPath));
  const isOurs = found?.isFile() && (plan?.of.inode === null || String(found.ino) === plan?.of.inode);
  if (!plan || !found || !isOurs || state.name !== 'failed')
    throw new AppFailure({ code: 'notFound', what: 'transfer' });
  const folder = dirname(plan.of.temporaryPath);
  const dot = name.lastIndexOf('.');
  const end = dot > 0 ? dot : name.length;
  const fileName = safeFileName(`${name.slice(0, end)} (${word})${name.slice(end)}`);
  try {
    const placed = await placeUnderFreeName(plan.of.temporaryPath, found, folder, fileName);
    await plans.end(id);
    return { fileName: basename(placed.path) };
  } catch (cause) {
    throw targetFailureOf(cause, basename(folder));
  }
}
