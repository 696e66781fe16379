import { AppFailure } from '../../../shared/app-failure.ts';
import type { SourceFile } from '../../local-files/source-file.ts';
import type { VaultBytes } from '../undo/sealed-source.ts';
import type { WorkOf } from '../model/next.ts';
import { bytesAt, isSame, provenPieces, wholeAt } from './stored-bytes.ts';
import type { StepContext } from './step.ts';

/*
 * Another identifier for an object: the service can change none (section 4.1), so the object is downloaded and uploaded under the new one,
 * with nothing kept on this disk. The copy is compared whole. Only then is the object deleted, after it was read once more.
 */

type Moves = NonNullable<WorkOf<'upload'>['moves']>;

/**
 * Opens an object as the source of an upload. It is read twice: for its digest, and as it is sent; the last piece follows only if
 * it has not changed between. @throws AppFailure moveChanged: it is gone, or not what the list knows; partsShared; CircuitOpen
 */
export async function openStored(context: StepContext, { identifier, base }: Moves): Promise<SourceFile> {
  const there = await wholeAt(context, identifier);
  if (there === null || (base !== null && !isSame(there, base)))
    throw new AppFailure({ code: 'moveChanged', identifier });
  return sourceOf(context, identifier, there);
}

function sourceOf(context: StepContext, identifier: string, bytes: VaultBytes): SourceFile {
  let isSent = false;
  return {
    sizeBytes: bytes.lengthBytes,
    identity: { sizeBytes: bytes.lengthBytes, mtimeMs: 0, inode: '' },
    async body({ take, onProgress }) {
      const pieces = provenPieces(context, identifier, bytes);
      return (async function* () {
        let sentBytes = 0;
        for await (const piece of pieces) {
          await take?.(piece.length);
          yield piece;
          sentBytes += piece.length;
          onProgress(sentBytes);
        }
        isSent = true;
      })();
    },
    sha256: async () => (isSent ? bytes.sha256 : null),
    hasChanged: async () => false,
    close: async () => undefined,
  };
}

/** Whether what is stored under the new identifier now are the bytes that were sent. */
export async function isMoved(context: StepContext, sha256: string | null): Promise<boolean> {
  return sha256 !== null && (await bytesAt(context, context.record.identifier))?.sha256 === sha256;
}
