import { withOwners } from '../../../shared/domain/made-names.ts';
import { toAppError, AppFailure } from '../../../shared/app-failure.ts';
import { untilAborted } from '../../lib/async.ts';
import { openSource } from '../../local-files/source.ts';
import type { SourceFile } from '../../local-files/source-file.ts';
import type { ChunkContext } from '../chunks/chunk-context.ts';
import type { WorkOf } from '../model/next.ts';
import { openStored } from './stored-source.ts';
import type { StepContext } from './step.ts';
import { isSent, type Plan } from '../chunks/chunk-plans.ts';

export type UploadWork = WorkOf<'upload'>;

/**
 * Opens the bytes of an upload: an undo copy, or the person's file.
 * @throws AppFailure fileGone, fileUnreadable, fileSpecial, fileChanged, keptUnreadable, keychain
 */
export function openFile(
  { undoCopies }: Pick<ChunkContext, 'undoCopies'>,
  work: UploadWork,
): Promise<SourceFile> {
  const { path, fileName, expected } = work;
  return work.kept ? undoCopies.open(work.kept) : openSource(path, fileName, expected);
}

/**
 * Opens what an upload sends under its identifier: the file, or its manifest once all chunks are there; for a
 * Replace, the kept copy of either. @throws as `openFile`; AppFailure partsShared: an Undo of a chunked file under
 * another identifier
 */
export async function openUploadBody(context: StepContext, work: UploadWork): Promise<SourceFile> {
  if (work.moves) return openStored(context, work.moves);
  const list = work.kept ? context.chunking.undoManifests.of(work.kept.file) : null;
  // It names chunks of the object that it was kept of, or, for a copy beside an object, of that one.
  if (list && !withOwners(context.record.identifier).includes(list.manifest.base))
    throw new AppFailure({ code: 'partsShared' });
  const mine = work.replace?.mine;
  if (mine && mine.file !== null) return context.undoCopies.open({ ...mine, file: mine.file });
  const plan = sentPlanOf(context);
  return plan ? openList(plan, work) : openFile(context, work);
}

/** null: the file is sent whole, or its chunks are not all there. */
export function sentPlanOf({
  record,
  chunking,
}: Pick<ChunkContext, 'record' | 'chunking'>): Plan<'upload'> | null {
  const plan = chunking.plans.ofKind(record.id, 'upload');
  return plan?.identifier === record.identifier && isSent(plan) ? plan : null;
}

function openList(
  { text, sha256, of: { source } }: Plan<'upload'>,
  { path, fileName }: UploadWork,
): SourceFile {
  const bytes = Buffer.from(text);
  return {
    sizeBytes: bytes.length,
    identity: source,
    async body({ take, onProgress, signal }) {
      await untilAborted(take?.(bytes.length), signal);
      onProgress(bytes.length);
      return bytes;
    },
    sha256: async () => sha256,
    async hasChanged() {
      try {
        await (await openSource(path, fileName, source, null)).close();
        return false;
      } catch (cause) {
        // A deleted file does not count as changed.
        return toAppError(cause)?.code === 'fileChanged';
      }
    },
    close: async () => undefined,
  };
}
