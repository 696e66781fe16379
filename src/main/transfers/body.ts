import { toAppError } from '../../shared/errors.ts';
import { openSource, type SourceFile } from './files/source.ts';
import { untilAborted } from './files/until-aborted.ts';
import { isSent, type Plan } from './parts/journal.ts';
import type { Work } from './record.ts';
import type { StepContext } from './step.ts';

type UploadWork = Extract<Work, { kind: 'upload' }>;

/** The file of an upload. @throws AppFailure fileGone, fileUnreadable, fileSpecial, fileChanged */
export function openFile({ path, fileName, expected }: UploadWork): Promise<SourceFile> {
  return openSource(path, fileName, expected);
}

/** What an upload sends under its identifier: the file, or the list of its parts when they are all there. @throws as `openFile` */
export async function openBody(
  context: Pick<StepContext, 'record' | 'inParts'>,
  work: UploadWork,
): Promise<SourceFile> {
  const plan = sentPlanOf(context);
  return plan ? openList(plan, work) : openFile(work);
}

/** null: it goes as it is, or its parts are not all there. */
export function sentPlanOf({
  record,
  inParts,
}: Pick<StepContext, 'record' | 'inParts'>): Plan<'upload'> | null {
  const plan = inParts.journal.ofKind(record.id, 'upload');
  return plan && isSent(plan) ? plan : null;
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
        // A file that is gone is no change of what was read.
        return toAppError(cause)?.code === 'fileChanged';
      }
    },
    close: async () => undefined,
  };
}
