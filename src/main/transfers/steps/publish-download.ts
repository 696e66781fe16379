import { basename } from 'node:path';
import { finishTemporaryFile } from '../../local-files/finish-temporary-file.ts';
import { inPartsOf } from '../chunks/chunk-plans.ts';
import { workOf } from '../model/next.ts';
import { isAsItIs } from './download-target.ts';
import type { Step } from './step.ts';

/** Gives the temporary file its name, or finds the file under the name it got before a kill. */
export const publish: Step<'publishing'> = async (
  context,
  { whole, verifiedBy, replaces, epoch, deferred },
) => {
  const { record, files, chunks } = context;
  context.show.verifying();
  const temporaryFile = files.temporaryFiles.get(record.id);
  const published = temporaryFile
    ? await temporaryFile.publish()
    : await finishTemporaryFile(whole, replaces);
  files.temporaryFiles.delete(record.id);
  // Lost in a power cut: request the bytes once more.
  if (published === null) return { state: deferred ? { name: 'completed', deferred } : { name: 'waiting' } };
  if (!published.isDurable) files.onUnflushed(record.id);
  const { lengthBytes, sha256 } = whole;
  const fileName = basename(published.path);
  const { copyFor } = workOf(context, 'download');
  // A private copy is not shown to the person as a file.
  const savedPath = copyFor === undefined ? published.path : null;
  const outcome = { kind: 'saved', fileName, verifiedBy, ...(copyFor && { copyFor }) } as const;
  const list = chunks.plans.ofKind(record.id, 'download');
  return {
    state: { name: 'done', outcome, savedPath },
    change: { totalBytes: lengthBytes },
    row: isAsItIs(record)
      ? { kind: 'note', history: { action: 'downloaded' } }
      : {
          kind: 'downloaded',
          lengthBytes,
          sha256,
          epoch,
          isFresh: record.route === 'direct',
          ...(list && { inParts: inPartsOf(list) }),
        },
    isBehind: true,
  };
};
