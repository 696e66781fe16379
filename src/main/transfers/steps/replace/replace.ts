import { busyObjectMs } from '../../model/failure-policy.ts';
import type { Replace } from '../../model/replace.ts';
import type { Step } from '../step.ts';
import { workOf } from '../../model/next.ts';
import { confirmAbsent, deleteOld } from './delete-old.ts';
import { answered, giveUp, unstage } from './finish.ts';
import { begin, keepNew, keepOld } from './keep.ts';
import { beginReclassifying, isReclassification, readOwn } from './reclassify.ts';
import { keepList } from './lists.ts';
import { lookAgain, type ReplaceStep } from './progress.ts';
import { stage } from './stage.ts';
import { storeNew, verifyAgain, verifyNew } from './store-new.ts';

function ofEither(usual: ReplaceStep, ofOwnBytes: ReplaceStep): ReplaceStep {
  return (context, ...rest) => (isReclassification(context) ? ofOwnBytes : usual)(context, ...rest);
}

const steps: Record<Replace['phase'], ReplaceStep> = {
  begin: ofEither(begin, beginReclassifying),
  keepNew,
  keepOld: ofEither(keepOld, readOwn),
  keepList,
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
  if (phase === 'unstage' || phase === 'abandon') return steps[phase](context, progress, state);
  const taken = await context.list.takeRow(context.record.id);
  if (taken === null) return lookAgain(state.looks, busyObjectMs);
  const { objectId } = taken;
  const record = { ...context.record, objectId };
  const next = await steps[phase]({ ...context, record }, progress, state);
  return { ...next, change: { objectId, ...next.change } };
};
