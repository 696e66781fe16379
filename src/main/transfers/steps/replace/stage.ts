import { AppFailure } from '../../../../shared/app-failure.ts';
import { stagedOf } from '../../model/replace-endings.ts';
import { sentPlanOf } from '../upload-body.ts';
import { workOf } from '../../model/next.ts';
import { maxTakenNames } from '../../model/work.ts';
import { storedLateMs } from '../../model/failure-policy.ts';
import { storeMine } from './bytes.ts';
import { bytesAt, isSame } from '../stored-bytes.ts';
import { endAtThird, isCopyThere, isReclassification } from './reclassify.ts';
import { requireChunks } from './lists.ts';
import { abandon, goOut, goTo, lookAgain, nameBeside, type ReplaceStep } from './progress.ts';

/**
 * Stages the new bytes beside the object, with the same classification: anything that the service would refuse later
 * it refuses here, while nothing has changed, and from now on a whole copy exists while the object does not. Then
 * looks at the object once more.
 */
export const stage: ReplaceStep = async (context, progress, { looks }) => {
  const { record } = context;
  const { mine, old, staged } = progress;
  if (mine === null || old === null || staged === null) throw new Error('a Replace has kept nothing');
  const delayMs = storedLateMs[looks];
  await requireChunks(context, progress);
  const plan = sentPlanOf(context);
  if (plan) await context.chunks.plans.change(plan, { beside: staged });
  if (!(await storeMine(context, progress, staged))) {
    const there = await bytesAt(context, staged);
    // An earlier POST of ours may show late.
    if (there === null && delayMs !== undefined) return lookAgain(looks + 1, delayMs);
    if (!isSame(there, mine)) {
      const { refusedNames = 0 } = progress;
      if (refusedNames >= maxTakenNames) throw new AppFailure({ code: 'namesRefused', count: maxTakenNames });
      const next = goTo(context, progress, {
        staged: nameBeside(record.identifier, 'r', mine.sha256),
        refusedNames: refusedNames + 1,
      });
      return there === null
        ? { ...next, replaceCopies: stagedOf(workOf(context, 'upload'), progress) }
        : next;
    }
  }
  const there = await context.service.head(staged);
  if (!there.present && delayMs !== undefined) return lookAgain(looks + 1, delayMs);
  if (!there.present || (there.lengthBytes !== null && there.lengthBytes !== mine.lengthBytes)) {
    const storedBytes = there.present ? there.lengthBytes : null;
    throw new AppFailure({ code: 'storedLengthDiffers', sentBytes: mine.lengthBytes, storedBytes });
  }
  context.show.verifying();
  const isReclassified = isReclassification(context);
  // A length vouches for a copy of our own name; without one, only its bytes do.
  if ((isReclassified || there.lengthBytes === null) && !(await isCopyThere(context, progress)))
    throw new AppFailure({ code: 'storedLengthDiffers', sentBytes: mine.lengthBytes, storedBytes: null });
  const seen = await context.service.head(record.identifier);
  // Once a DELETE may have been sent, it may have been carried out late.
  if (isReclassified && !seen.present && !progress.isOut) return endAtThird(context, progress);
  if (seen.present && seen.lengthBytes !== null && seen.lengthBytes !== old.lengthBytes)
    return isReclassified
      ? endAtThird(context, progress)
      : abandon(context, progress, { kind: 'asking', there: null, seen });
  // From here on a DELETE may be sent: the object does not count as stored until it is verified again.
  return goOut(context, progress, seen.present ? 'delete' : 'absent');
};
