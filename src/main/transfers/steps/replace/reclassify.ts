import { isClaimed } from '../../../../shared/domain/claims.ts';
import { AppFailure } from '../../../../shared/app-failure.ts';
import { rowOf } from '../../chunks/chunk-context.ts';
import { workOf, type Next } from '../../model/next.ts';
import type { Replace } from '../../model/replace.ts';
import { abandoned, stagedOf, staying } from '../../model/replace-endings.ts';
import type { VaultBytes } from '../../undo/sealed.ts';
import type { StepContext } from '../step.ts';
import { bytesAt, isSame, wholeAt } from '../stored-bytes.ts';
import { absentMs, isAgreed, knownOfOld } from './keep.ts';
import { goOnToStage, goTo, lookAgain, type ReplaceStep } from './progress.ts';

/*
 * Another classification for an object: the service cannot change it (section 4.1), so this is a Replace with the
 * object's own bytes, which are downloaded and uploaded. Nothing is kept on this disk. The copy beside the object has
 * the new classification and is compared whole before the object is deleted: from then on only the copy is sure to
 * exist.
 */

export function isReclassification(context: StepContext): boolean {
  return workOf(context, 'upload').reclassifies === true;
}

/** Looks for the object. @throws AppFailure objectChanged */
export const beginReclassifying: ReplaceStep = async (context, progress, { looks }) => {
  const seen = await context.service.head(context.record.identifier);
  if (seen.present) return goTo(context, progress, { phase: 'keepOld' });
  const delayMs = absentMs[looks];
  if (delayMs !== undefined) return lookAgain(looks + 1, delayMs);
  throw new AppFailure({ code: 'objectChanged', copy: null });
};

/** Reads the object, whose bytes are the old and the new ones. @throws AppFailure objectChanged, partsShared */
export const readOwn: ReplaceStep = async (context, progress) => {
  const bytes = await wholeAt(context, context.record.identifier);
  if (bytes === null || !(await isWanted(context, bytes)))
    throw new AppFailure({ code: 'objectChanged', copy: null });
  const mine = { file: null, ...bytes };
  const { classification } = await knownOfOld(context);
  return goOnToStage(context, { ...progress, mine }, { ...mine, classification });
};

/**
 * Whether these bytes may be reclassified: those the list knows or only claims, or any once the person was told that
 * they differ.
 */
async function isWanted(context: StepContext, bytes: VaultBytes): Promise<boolean> {
  const { agreed, base } = workOf(context, 'upload');
  const listed = (await rowOf(context))?.record;
  const isHearsay = listed !== undefined && isClaimed(listed, 'digest') && base === undefined;
  return agreed !== undefined || isHearsay || isAgreed(context, bytes, bytes);
}

/** Whether the copy beside the object is there, whole: once the object is deleted, no other one is sure to be. */
export async function isCopyThere(context: StepContext, { mine, staged }: Replace): Promise<boolean> {
  return staged !== null && isSame(await bytesAt(context, staged), mine);
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
