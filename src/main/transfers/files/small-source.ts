import { AppFailure } from '../../../shared/errors.ts';
import { sourceFailureOf } from './failures.ts';
import { identityOf, isAsExpected, isSameState, type Expected } from './file-state.ts';
import { pieceBytes } from './memory.ts';
import { lookAtSmallFile, readSmallFile } from './small-files.ts';
import type { SourceFile } from './source.ts';
import { untilAborted } from './until-aborted.ts';

/** A file of one piece at the most, read when it is opened. As `openSource` otherwise. */
export async function openSmallSource(
  path: string,
  fileName: string,
  expected: Expected,
): Promise<SourceFile> {
  const { stats, isSpecial, whole } = await readSmallFile(path, pieceBytes).catch((cause: unknown) => {
    throw sourceFailureOf(cause, fileName);
  });
  if (isSpecial) throw new AppFailure({ code: 'fileSpecial', fileName });
  const identity = identityOf(stats);
  if (whole === null || !isAsExpected(identity, expected))
    throw new AppFailure({ code: 'fileChanged', fileName });
  const { sizeBytes } = identity;
  const bytes = Buffer.from(whole.bytes.buffer);
  let isOut = false;

  async function hasChanged(): Promise<boolean> {
    // A name that is gone is no change of what was read; another file under it is.
    const now = await lookAtSmallFile(path).catch(() => null);
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
        // It was read before that.
        if (await hasChanged()) throw new AppFailure({ code: 'fileChanged', fileName });
      }
      isOut = true;
      onProgress(sizeBytes);
      return bytes;
    },
    sha256: async () => (isOut ? whole.sha256 : null),
    hasChanged,
    close: async () => undefined,
  };
}
