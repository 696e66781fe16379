import { AppFailure } from '../../shared/app-failure.ts';
import { sourceFailureOf } from './file-system.ts';
import { identityOf, isAsExpected, isSameState, type Expected } from './file-state.ts';
import { borrowPiece, returnPiece, threadFromBytes } from './buffer-pool.ts';
import type { ReadFile } from './read-whole.ts';
import { statSmallFile, readSmallFile } from './small-files.ts';
import { untilAborted } from '../lib/async.ts';
import type { SourceFile } from './source-file.ts';

/** Like `openSource`, for a file of at most one piece, which is read when it is opened. */
export async function openSmallSource(
  path: string,
  fileName: string,
  expected: Expected,
): Promise<SourceFile> {
  const memory = expected.sizeBytes > threadFromBytes ? borrowPiece() : null;
  const giveBack = () => memory && returnPiece(memory);
  let read: ReadFile;
  try {
    read = await readSmallFile(path, memory);
  } catch (cause) {
    giveBack();
    throw sourceFailureOf(cause, fileName);
  }
  const { stats, isSpecial, whole } = read;
  const identity = identityOf(stats);
  if (isSpecial || whole === null || !isAsExpected(identity, expected)) {
    giveBack();
    throw new AppFailure({ code: isSpecial ? 'fileSpecial' : 'fileChanged', fileName });
  }
  const { sizeBytes } = identity;
  const pieces = memory?.subarray(0, sizeBytes) ?? null;
  let isOut = false;
  /** Part of the memory may still be in use by the connection. */
  let isLeaving = false;
  let isClosed = false;

  async function hasChanged(): Promise<boolean> {
    // Deleting the file changes nothing that was read; another file under its name counts as a change.
    const now = await statSmallFile(path).catch(() => null);
    return now !== null && !isSameState(stats, now);
  }

  return {
    sizeBytes,
    identity,
    async body({ take, onProgress, signal }) {
      isOut = false;
      const room = take?.(sizeBytes);
      signal.throwIfAborted();
      if (room) {
        await untilAborted(room, signal).catch((cause: unknown) => {
          throw signal.aborted ? signal.reason : cause;
        });
        // The file was read before that.
        if (await hasChanged()) throw new AppFailure({ code: 'fileChanged', fileName });
      }
      isOut = true;
      onProgress(sizeBytes);
      if (!pieces) return whole.bytes;
      isLeaving = true;
      return inPieces(pieces, () => (isLeaving = false));
    },
    sha256: async () => (isOut ? whole.sha256 : null),
    hasChanged,
    async close() {
      if (!isClosed && !isLeaving) giveBack();
      isClosed = true;
    },
  };
}

/** A request for the next piece shows that one has been sent. Nothing shows that for the last, so it is a copy. */
async function* inPieces(bytes: Uint8Array, onLeft: () => void): AsyncGenerator<Uint8Array> {
  const lastStart = bytes.length - (bytes.length % threadFromBytes || threadFromBytes);
  for (let start = 0; start < lastStart; start += threadFromBytes)
    yield bytes.subarray(start, start + threadFromBytes);
  const last = Buffer.from(bytes.subarray(lastStart));
  onLeft();
  yield last;
}
