import { AppFailure, toAppError } from '../../../../shared/app-failure.ts';
import type { StepContext } from '../../parts/step-context.ts';
import { remedyFor, besideDeletedLateMs, postLateMs } from '../../model/failure-policy.ts';
import { newReplace, type Replace } from '../../model/replace.ts';
import { abandoned, finished, oldBesideOf, stagedOf, staying } from '../../model/replace-endings.ts';
import { CircuitOpen } from '../../queue/circuit-breaker.ts';
import { workOf, type Next } from '../../model/next.ts';
import { deleteObject } from '../../queue/delete-object.ts';
import { isManifestSent, storedAs } from './manifests.ts';
import { goTo, isReclassification, checkAgain, type Checks, type ReplaceStep } from './progress.ts';
import type { VaultBytes } from '../../undo/sealed.ts';

/** The new object is verified: removes the copy beside it, and keeps the undo copy for its time. */
export const unstage: ReplaceStep = async (context, progress, checked) => {
  const { record, files, parts } = context;
  const { kept: restored } = workOf(context, 'upload');
  if (restored) await parts.undoManifests.noteRestored(restored.file);
  if (progress.mine && progress.keeps === 'here')
    await files.undoCopies.finish(record.id, progress.mine, storedAs(context, progress.mine).patch);
  // A deletion that seemed to have no effect may still come: then the copy is all there is.
  if (isReclassification(context) && progress.deletions > 1) {
    const copies = stagedOf(workOf(context, 'upload'), progress).map(staying);
    return { ...finished(context.record.work, progress, true), replaceCopies: copies };
  }
  const isGone = await takeAway(context, [progress.staged], checked, false);
  if (typeof isGone === 'object') return isGone;
  return finished(context.record.work, progress, isGone);
};

/** Removes what it has put on the service and in the undo store, then ends. */
export const giveUp: ReplaceStep = async (context, progress, checked) => {
  const isGone = await takeAway(context, [progress.staged, progress.beside], checked, mayCome(progress));
  if (typeof isGone === 'object') return isGone;
  if (progress.end?.kind !== 'goOn') await context.files.undoCopies.drop(context.record.id);
  return abandoned(context.record, progress, isGone);
};

/**
 * Only names of our own: their DELETE may be sent again. false: it stays, for now.
 * @param mayCome the POST of an absent name may still be carried out
 */
async function takeAway(
  context: StepContext,
  names: readonly (string | null)[],
  { looks, absences }: Checks,
  mayCome: boolean,
): Promise<boolean | Next> {
  const wasAwaited = absences > 0;
  let isThere = false;
  let isMissing = false;
  try {
    for (const name of names) {
      if (name === null) continue;
      if (looks === 0 && !(await remove(context, name))) isMissing = true;
      const { present } = await context.service.head(name);
      if (!present) continue;
      isThere = true;
      if (wasAwaited) await remove(context, name);
    }
  } catch (cause) {
    const error = toAppError(cause);
    // Trouble of the service passes; a refusal does not.
    if (cause instanceof CircuitOpen || !error || remedyFor(error, 1, 0).kind !== 'fail') throw cause;
    return false;
  }
  if (isThere) {
    const again = wasAwaited ? 0 : looks;
    const delayMs = besideDeletedLateMs[again];
    return delayMs === undefined ? false : checkAgain(again + 1, delayMs);
  }
  const isAwaited = wasAwaited || (mayCome && isMissing);
  const delayMs = isAwaited ? postLateMs[looks] : undefined;
  return delayMs === undefined ? true : checkAgain(looks + 1, delayMs, 1);
}

/** Resolves with whether it existed. */
async function remove(context: StepContext, name: string): Promise<boolean> {
  const answer = await deleteObject(context, name);
  if (answer.kind === 'refused' || answer.kind === 'unsure') throw new AppFailure(answer.error);
  return answer.kind === 'requested';
}

/** Whether a POST of a copy beside the object may still be carried out. */
function mayCome({ end }: Replace): boolean {
  switch (end?.kind) {
    case 'cancelled':
    case undefined:
      return true;
    case 'failed':
      return end.error.code === 'connectionLost' || end.error.code === 'answerTimeout';
    case 'asking':
    case 'same':
    case 'goOn':
      return false;
  }
}

/**
 * Somebody has stored something else: leaves everything in place and prompts, or ends if this is a reclassification.
 */
export function handleThird(context: StepContext, progress: Replace, there: VaultBytes): Next {
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

/** Somebody has stored something else, which stays. So does the copy beside it, the only one of the old bytes. */
export function endAtThird(context: StepContext, progress: Replace): Next {
  const error = { code: 'objectChanged', copy: progress.staged } as const;
  return {
    ...abandoned(context.record, { ...progress, end: { kind: 'failed', error } }, true),
    row: { kind: 'release', state: 'unknown', history: { action: 'uploadFailed', detail: error.code } },
    replaceCopies: stagedOf(workOf(context, 'upload'), progress).map(staying),
  };
}

/**
 * Continues after the prompt about an object that somebody else has stored during the Replace. Replace: that object
 * is replaced now. Any other answer: what was kept stays, here as versions and on the service as objects, and the new
 * bytes go where the answer says.
 */
export const answered: ReplaceStep = async (context, progress) => {
  const { record, files } = context;
  const work = workOf(context, 'upload');
  const { mine, staged } = progress;
  const replaceCopies = oldBesideOf(progress).map(staying);
  if (work.ifExists === 'replace') {
    await files.undoCopies.release(record.id, 'old');
    const again = { ...newReplace(progress.keeps), mine, staged };
    return { ...goTo(context, progress, { ...again, refusal: undefined }), replaceCopies };
  }
  // A manifest is invalid under another identifier: the file is sent again, in parts of its own.
  const isManifest = isManifestSent(context);
  await files.undoCopies.release(record.id, isManifest ? 'old' : null);
  if (isManifest) await files.undoCopies.drop(record.id);
  const source =
    !isManifest && mine !== null && mine.file !== null ? { kept: { ...mine, file: mine.file } } : {};
  const isHere = isManifest || 'kept' in source;
  // Where the new bytes are not here, their copy beside the object is the only one that is surely whole.
  const stays = isHere ? [] : stagedOf(work, progress).map(staying);
  const ended: Replace = {
    ...progress,
    phase: 'abandon',
    staged: isHere ? staged : null,
    beside: null,
    end: { kind: 'goOn' },
  };
  return {
    ...goTo(context, progress, {}),
    change: { work: { ...work, ...source, mayBeThere: false, replace: ended } },
    replaceCopies: [...replaceCopies, ...stays],
  };
};
