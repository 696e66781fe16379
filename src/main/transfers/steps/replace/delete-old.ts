import { AppFailure } from '../../../../shared/app-failure.ts';
import type { VaultBytes } from '../../undo/sealed.ts';
import type { Replace } from '../../model/replace.ts';
import type { StepContext } from '../step.ts';
import { workOf, type Next } from '../../model/next.ts';
import { deleteObject } from '../../queue/delete-object.ts';
import {
  absencesApartMs,
  deleteAgainMs,
  deletedLateMs,
  unacceptedLateMs,
} from '../../model/failure-policy.ts';
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
  const { record } = context;
  await requireChunks(context, progress);
  const there = await bytesAt(context, record.identifier);
  if (there === null) return goTo(context, progress, { phase: 'absent' });
  // The bytes do not tell whether an object has its new classification: it is deleted and stored again.
  if (isSame(there, progress.mine) && !isReclassification(context))
    return goTo(context, progress, { phase: 'verify' });
  if (!isSame(there, progress.old)) return meetThird(context, progress, there);
  if (progress.refusal) throw new AppFailure(progress.refusal);
  if (progress.deletions >= maxDeletions) throw new AppFailure({ code: 'stillThere' });
  // Days may have passed: without its copy the object is copied again first.
  if (isReclassification(context) && progress.old && !(await isCopyThere(context, progress)))
    return goOnToStage(context, { ...progress, staged: null }, progress.old);
  const { undoManifests } = context.chunks;
  const oldFile = progress.old?.file ?? null;
  // Before it is sent: after a kill nobody could tell whose DELETE it was, and the chunks of the old file would stay.
  if (oldFile !== null) await undoManifests.noteReplaced(oldFile);
  const answer = await deleteObject(context, record.identifier);
  const isAnothers = answer.kind === 'refused' || answer.kind === 'missing';
  if (oldFile !== null && isAnothers && progress.deletions === 0) await undoManifests.noteRestored(oldFile);
  if (answer.kind === 'refused') {
    const { error } = answer;
    // The object is unchanged, and will stay so.
    if (progress.deletions === 0) return abandon(context, progress, { kind: 'failed', error });
    throw new AppFailure(error);
  }
  // Whatever the answer was, only HEAD tells.
  const unsure = answer.kind === 'unsure' ? answer.error : null;
  // A page of something in between is no answer of the service: the DELETE counts as lost, and is sent again.
  const isRefusal = unsure?.code === 'unexpectedAnswer' && unsure.notService === undefined;
  const refusal = isRefusal ? unsure : undefined;
  return goTo(context, progress, { phase: 'absent', deletions: progress.deletions + 1, refusal });
};

/** Absent only after two 404s, a second apart: a deletion is only initiated (section 4.1). */
export const confirmAbsent: ReplaceStep = async (context, progress, { looks, absences }) => {
  const seen = await context.service.head(context.record.identifier);
  if (!seen.present) {
    if (absences === 0) return lookAgain(looks, absencesApartMs, 1);
    return goTo(context, progress, { phase: 'store', refusal: undefined });
  }
  const isOther = seen.lengthBytes !== null && seen.lengthBytes !== progress.old?.lengthBytes;
  const lateMs = progress.refusal ? unacceptedLateMs : deletedLateMs;
  const delayMs = progress.deletions === 0 || isOther ? undefined : lateMs[looks];
  if (delayMs !== undefined) return lookAgain(looks + 1, delayMs);
  // Examine the object again before anything is done about it.
  const next = goTo(context, progress, { phase: 'delete' });
  return isOther || progress.deletions === 0 || progress.refusal ? next : { ...next, delayMs: deleteAgainMs };
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
