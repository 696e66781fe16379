import { AppFailure, toAppError } from '../../../shared/app-failure.ts';
import type { SourceFile } from '../../local-files/source-file.ts';
import type { WorkOf } from '../model/next.ts';
import type { VaultBytes } from '../undo/sealed.ts';
import type { StepContext } from './step.ts';
import { isSame, provenPieces, wholeAt } from './stored-bytes.ts';

/**
 * Opens an object as the source of an upload. It is read twice: for its digest, and to be sent; the last piece is
 * sent only if both reads agree. @throws AppFailure moveChanged: it is gone, or not what the list knows; partsShared;
 * CircuitOpen
 */
export async function openStored(
  context: StepContext,
  { identifier, base }: NonNullable<WorkOf<'upload'>['moves']>,
): Promise<SourceFile> {
  const there = await wholeAt(context, identifier);
  if (there === null || (base !== null && !isSame(there, base))) throw changed(identifier);
  return sourceOf(context, identifier, there);
}

const changed = (identifier: string) => new AppFailure({ code: 'moveChanged', identifier });

function sourceOf(context: StepContext, identifier: string, bytes: VaultBytes): SourceFile {
  let isSent = false;
  let opened: AsyncGenerator<Uint8Array> | null = null;
  return {
    sizeBytes: bytes.lengthBytes,
    identity: { sizeBytes: bytes.lengthBytes, mtimeMs: 0, inode: '' },
    async body({ take, onProgress }) {
      const pieces = provenPieces(context, identifier, bytes);
      opened = pieces;
      return (async function* () {
        let sentBytes = 0;
        try {
          for await (const piece of pieces) {
            await take?.(piece.length);
            yield piece;
            sentBytes += piece.length;
            onProgress(sentBytes);
          }
          isSent = true;
        } catch (cause) {
          const code = toAppError(cause)?.code;
          throw code === 'digestDiffers' || code === 'missing' ? changed(identifier) : cause;
        }
      })();
    },
    sha256: async () => (isSent ? bytes.sha256 : null),
    hasChanged: async () => false,
    async close() {
      // Ends a download whose rest is not needed. Not awaited: it may wait for a piece.
      void opened?.return(undefined).catch(() => undefined);
    },
  };
}
