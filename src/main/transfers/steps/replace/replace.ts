import { toAppError, AppFailure } from '../../../../shared/app-failure.ts';
import type { StepContext } from '../../parts/step-context.ts';
import { workOf, type Next } from '../../model/next.ts';
import { stagedOf } from '../../model/replace-endings.ts';
import type { Replace } from '../../model/replace.ts';
import { maxTakenNames } from '../../model/work.ts';
import { deleteObject } from '../../queue/delete-object.ts';
import type { Step } from '../step.ts';
import { bytesAt, copyBeside, isSame, unlessThere } from '../stored-bytes.ts';
import { sentPlanOf } from '../upload-body.ts';
import { sendFile } from '../upload.ts';
import { answered, endAtThird, giveUp, handleThird, unstage } from './finish.ts';
import { begin, keepNew, keepOld } from './keep.ts';
import { keepManifest, requireParts } from './manifests.ts';
import {
  abandon,
  goOnToStage,
  goOut,
  goTo,
  isReclassification,
  checkAgain,
  nameBeside,
  type Checks,
  type ReplaceStep,
} from './progress.ts';
import { verifyAgain, verifyNew } from './verify.ts';
import {
  busyObjectMs,
  absencesApartMs,
  deleteAgainMs,
  deletedLateMs,
  deletionUndoneMs,
  storedLateMs,
  unacceptedLateMs,
} from '../../model/failure-policy.ts';

/** Maximum DELETE requests, each after the old bytes were seen. */
const maxDeletions = 4;
/** Maximum times that a stored object is stored again after it disappeared. */
const maxStores = 5;

/** In the order in which a Replace goes through them. */
const phases: Record<Replace['phase'], ReplaceStep> = {
  begin,
  keepNew,
  keepOld,
  keepList: keepManifest,
  stage,
  delete: deleteOld,
  absent: confirmAbsent,
  store: storeNew,
  verify: verifyNew,
  again: verifyAgain,
  unstage,
  abandon: giveUp,
  answered,
};

/**
 * Replaces an object (`docs/replace.md`). The service cannot overwrite (409) and deletes with delay, so the object is
 * absent for a moment; but a whole, verified version of it is always on the service, and both versions there or on
 * this disk. The writer of the row is the only one of our transfers that works on the object.
 */
export const replace: Step<'replacing'> = async (context, state) => {
  const progress = workOf(context, 'upload').replace;
  if (!progress) throw new Error('nothing says how far the Replace is');
  const { phase } = progress;
  // The object is not touched any more.
  if (phase === 'unstage' || phase === 'abandon') return phases[phase](context, progress, state);
  const taken = await context.list.takeRow(context.record.id);
  if (taken === null) return checkAgain(state.looks, busyObjectMs);
  const { objectId } = taken;
  const record = { ...context.record, objectId };
  const next = await phases[phase]({ ...context, record }, progress, state);
  return { ...next, change: { objectId, ...next.change } };
};

/**
 * Stages the new bytes beside the object, with the same classification: anything that the service would refuse later
 * it refuses here, while nothing has changed, and from now on a whole copy exists while the object does not. Then
 * looks at the object once more.
 */
async function stage(context: StepContext, progress: Replace, { looks }: Checks): Promise<Next> {
  const { record } = context;
  const { mine, old, staged } = progress;
  if (mine === null || old === null || staged === null) throw new Error('a Replace has kept nothing');
  const delayMs = storedLateMs[looks];
  await requireParts(context, progress);
  const plan = sentPlanOf(context);
  if (plan) await context.parts.plans.change(plan, { beside: staged });
  if (!(await storeMine(context, progress, staged))) {
    const there = await bytesAt(context, staged);
    // An earlier POST of ours may show late.
    if (there === null && delayMs !== undefined) return checkAgain(looks + 1, delayMs);
    if (!isSame(there, mine)) {
      const { refusedNames = 0 } = progress;
      if (refusedNames >= maxTakenNames) throw new AppFailure({ code: 'namesRefused', count: maxTakenNames });
      const other = nameBeside(record.identifier, 'r', mine.sha256);
      const next = goTo(context, progress, { staged: other, refusedNames: refusedNames + 1 });
      if (there !== null) return next;
      return { ...next, replaceCopies: stagedOf(workOf(context, 'upload'), progress) };
    }
  }
  const there = await context.service.head(staged);
  if (!there.present && delayMs !== undefined) return checkAgain(looks + 1, delayMs);
  const storedBytes = there.present ? there.lengthBytes : null;
  const differs = { code: 'storedLengthDiffers', sentBytes: mine.lengthBytes, storedBytes } as const;
  if (!there.present || (storedBytes !== null && storedBytes !== mine.lengthBytes))
    throw new AppFailure(differs);
  context.show.verifying();
  const isReclassified = isReclassification(context);
  // A length vouches for a copy of our own name; without one, only its bytes do.
  if ((isReclassified || storedBytes === null) && !(await isCopyThere(context, progress)))
    throw new AppFailure({ ...differs, storedBytes: null });
  const seen = await context.service.head(record.identifier);
  // Once a DELETE may have been sent, it may have been carried out late.
  if (isReclassified && !seen.present && !progress.isOut) return endAtThird(context, progress);
  if (seen.present && seen.lengthBytes !== null && seen.lengthBytes !== old.lengthBytes)
    return isReclassified
      ? endAtThird(context, progress)
      : abandon(context, progress, { kind: 'asking', there: null, seen });
  // From here on a DELETE may be sent: the object does not count as stored until it is verified again.
  return goOut(context, progress, seen.present ? 'delete' : 'absent');
}

/**
 * Stores the new bytes there, from this computer or from another identifier. false: the identifier exists already.
 * @throws CircuitOpen, AppFailure; fileChanged, objectChanged: they are not what they were when the Replace began
 */
async function storeMine(
  context: StepContext,
  { mine, staged }: Replace,
  identifier: string,
): Promise<boolean> {
  const { service, record } = context;
  const { reclassifies, classification, fileName } = workOf(context, 'upload');
  if (mine === null) throw new Error('a Replace stores what it has not seen');
  const from = identifier !== staged ? staged : reclassifies ? record.identifier : null;
  if (mine.file === null && from !== null) {
    const copied = copyBeside(context, from, mine, identifier, classification);
    return from === staged ? copied : copied.catch(asChanged);
  }
  return unlessThere(async () => {
    const { sent } = await sendFile(context, identifier, (body, options) =>
      service.post(identifier, body, options),
    );
    if (sent.sha256 !== mine.sha256) throw new AppFailure({ code: 'fileChanged', fileName });
  });
}

function asChanged(cause: unknown): never {
  const code = toAppError(cause)?.code;
  if (code === 'digestDiffers' || code === 'missing')
    throw new AppFailure({ code: 'objectChanged', copy: null }, { cause });
  throw cause;
}

/** Whether the copy beside the object is there, whole: once the object is deleted, no other one is sure to be. */
async function isCopyThere(context: StepContext, { mine, staged }: Replace): Promise<boolean> {
  return staged !== null && isSame(await bytesAt(context, staged), mine);
}

/**
 * DELETE (section 4.1), once each time after the old bytes were seen whole, by their digest: what somebody else has
 * stored meanwhile is never deleted knowingly. The record on the disk already says that it may be sent.
 */
async function deleteOld(context: StepContext, progress: Replace): Promise<Next> {
  const { record } = context;
  await requireParts(context, progress);
  const there = await bytesAt(context, record.identifier);
  if (there === null) return goTo(context, progress, { phase: 'absent' });
  // The bytes do not tell whether an object has its new classification: it is deleted and stored again.
  if (isSame(there, progress.mine) && !isReclassification(context))
    return goTo(context, progress, { phase: 'verify' });
  if (!isSame(there, progress.old)) return handleThird(context, progress, there);
  if (progress.refusal) throw new AppFailure(progress.refusal);
  if (progress.deletions >= maxDeletions) throw new AppFailure({ code: 'stillThere' });
  // Days may have passed: without its copy the object is copied again first.
  if (isReclassification(context) && progress.old && !(await isCopyThere(context, progress)))
    return goOnToStage(context, { ...progress, staged: null }, progress.old);
  const { undoManifests } = context.parts;
  const oldFile = progress.old?.file ?? null;
  // Before it is sent: after a kill nobody could tell whose DELETE it was, and the parts of the old file would stay.
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
  // Whatever the answer was, only HEAD tells. A page of something in between is no answer of the service: the DELETE
  // counts as lost, and is sent again.
  const unsure = answer.kind === 'unsure' ? answer.error : null;
  const isRefusal = unsure?.code === 'unexpectedAnswer' && unsure.notService === undefined;
  const refusal = isRefusal ? unsure : undefined;
  return goTo(context, progress, { phase: 'absent', deletions: progress.deletions + 1, refusal });
}

/** Absent only after two 404s, a second apart: a deletion is only initiated (section 4.1). */
async function confirmAbsent(
  context: StepContext,
  progress: Replace,
  { looks, absences }: Checks,
): Promise<Next> {
  const seen = await context.service.head(context.record.identifier);
  if (!seen.present) {
    if (absences === 0) return checkAgain(looks, absencesApartMs, 1);
    return goTo(context, progress, { phase: 'store', refusal: undefined });
  }
  const isOther = seen.lengthBytes !== null && seen.lengthBytes !== progress.old?.lengthBytes;
  const lateMs = progress.refusal ? unacceptedLateMs : deletedLateMs;
  const delayMs = progress.deletions === 0 || isOther ? undefined : lateMs[looks];
  if (delayMs !== undefined) return checkAgain(looks + 1, delayMs);
  // Examine the object again before anything is done about it.
  const next = goTo(context, progress, { phase: 'delete' });
  return isOther || progress.deletions === 0 || progress.refusal ? next : { ...next, delayMs: deleteAgainMs };
}

/**
 * POST (section 4.1), which never overwrites. When the answer does not tell, the stored bytes do.
 * @throws AppFailure exists: refused for ten minutes, and nothing is shown there
 */
async function storeNew(context: StepContext, progress: Replace, { looks }: Checks): Promise<Next> {
  const { identifier } = context.record;
  if (progress.stores >= maxStores) throw new AppFailure({ code: 'lateDeletion' });
  const stored = { phase: 'verify', stores: progress.stores + 1 } as const;
  await requireParts(context, progress);
  if (await storeMine(context, progress, identifier)) return goTo(context, progress, stored);
  const there = await bytesAt(context, identifier);
  if (there === null) {
    // It is being deleted, or the token may not see it.
    const delayMs = deletedLateMs[looks];
    if (delayMs === undefined) throw new AppFailure({ code: 'exists', status: 409, message: '' });
    return checkAgain(looks + 1, delayMs);
  }
  if (isSame(there, progress.mine) && !isReclassification(context)) return goTo(context, progress, stored);
  if (!isSame(there, progress.old)) return handleThird(context, progress, there);
  return { ...goTo(context, progress, { phase: 'delete' }), delayMs: deletionUndoneMs };
}
