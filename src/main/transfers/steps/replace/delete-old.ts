import { toAppError, AppFailure } from '../../../../shared/app-failure.ts';
import { CircuitOpen } from '../../queue/circuit-breaker.ts';
import type { VaultBytes } from '../../undo/sealed-source.ts';
import type { Replace } from '../../model/replace.ts';
import type { StepContext } from '../step.ts';
import { workOf, type Next } from '../../model/next.ts';
import { headObject } from '../../queue/head-object.ts';
import { absencesApartMs, deleteAgainMs, deletedLateMs } from '../../model/late-outcomes.ts';
import { refusedDeletions } from '../../model/failure-policy.ts';
import { notCarriedOut } from '../delete.ts';
import { bytesAt, isSame } from '../stored-bytes.ts';
import { requireChunks } from './lists.ts';
import { abandon, goOnToStage, goTo, lookAgain, type ReplaceStep } from './progress.ts';
import { endAtThird, isCopyThere, isReclassification } from './reclassify.ts';

/** Maximum DELETE requests, each after the old bytes were seen. */
const maxDeletions = 4;

/**
 * DELETE (section 4.1), once each time after the old bytes were seen whole, by their digest: what somebody else has
 * stored meanwhile is never deleted knowingly. The record on the disk already says that it may be sent.
 */
export const deleteOld: ReplaceStep = async (context, progress) => {
  const { record, client, signal, send } = context;
  await requireChunks(context, progress);
  const there = await bytesAt(context, record.identifier);
  if (there === null) return goTo(context, progress, { phase: 'absent' });
  // The bytes do not tell whether an object has its new classification: it is deleted and stored again.
  if (isSame(there, progress.mine) && !isReclassification(context))
    return goTo(context, progress, { phase: 'verify' });
  if (!isSame(there, progress.old)) return meetThird(context, progress, there);
  if (progress.deletions >= maxDeletions) throw new AppFailure({ code: 'stillThere' });
  // Days may have passed: without its copy the object is copied again first.
  if (isReclassification(context) && progress.old && !(await isCopyThere(context, progress)))
    return goOnToStage(context, { ...progress, staged: null }, progress.old);
  const asked = { phase: 'absent', deletions: progress.deletions + 1 } as const;
  const noteReplaced = async () => {
    if (progress.old?.file) await context.chunking.undoManifests.noteReplaced(progress.old.file);
  };
  try {
    await send(() => client.deleteData(record.identifier, { signal }));
    await noteReplaced();
    return goTo(context, progress, asked);
  } catch (cause) {
    const error = toAppError(cause);
    if (cause instanceof CircuitOpen || (error && notCarriedOut.has(error.code))) throw cause;
    if (error && refusedDeletions.has(error.code)) {
      // The object is unchanged, and will stay so.
      if (progress.deletions === 0) return abandon(context, progress, { kind: 'failed', error });
      throw cause;
    }
    if (error && error.code !== 'missing') await noteReplaced();
    // Gone already, or unknown: only HEAD tells.
    if (error) return goTo(context, progress, asked);
    throw cause;
  }
};

/** Absent only after two 404s, a second apart: a deletion is only initiated (section 4.1). */
export const confirmAbsent: ReplaceStep = async (context, progress, { looks, absences }) => {
  const seen = await headObject(context, context.record.identifier);
  if (!seen.present) {
    if (absences === 0) return lookAgain(looks, absencesApartMs, 1);
    return goTo(context, progress, { phase: 'store' });
  }
  const isOther = seen.lengthBytes !== null && seen.lengthBytes !== progress.old?.lengthBytes;
  const delayMs = progress.deletions === 0 || isOther ? undefined : deletedLateMs[looks];
  if (delayMs !== undefined) return lookAgain(looks + 1, delayMs);
  // Examine the object again before anything is done about it.
  const next = goTo(context, progress, { phase: 'delete' });
  return isOther || progress.deletions === 0 ? next : { ...next, delayMs: deleteAgainMs };
};

/**
 * Somebody has stored something else: leaves everything in place and prompts, or ends if this is a reclassification.
 */
export function meetThird(context: StepContext, progress: Replace, there: VaultBytes): Next {
  if (isReclassification(context)) return endAtThird(context, progress);
  const work = workOf(context, 'upload');
  const { lengthBytes, sha256 } = there;
  const replace: Replace | undefined = work.replace && { ...work.replace, phase: 'answered' };
  return {
    state: {
      name: 'asking',
      seen: { present: true, lengthBytes },
      there: { lengthBytes, sha256 },
      why: 'third',
    },
    change: { work: { ...work, ifExists: 'ask', ...(replace && { replace }) } },
  };
}
