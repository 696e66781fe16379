import { busyObjectMs } from '../../model/back-off.ts';
import type { Replace } from '../../model/record.ts';
import type { Step } from '../step.ts';
import { workOf } from '../../model/next.ts';
import { confirmAbsent, deleteOld } from './delete-old.ts';
import { answered, giveUp, unstage } from './finish.ts';
import { begin, keepNew, keepOld } from './keep.ts';
import { keepList } from './lists.ts';
import { lookAgain, type ReplaceStep } from './progress.ts';
import { stage } from './stage.ts';
import { storeNew, verifyAgain, verifyNew } from './store-new.ts';

const steps: Record<Replace['phase'], ReplaceStep> = {
  begin,
  keepNew,
  keepOld,
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
 * Replaces an object (`docs/replace.md`). The service has no overwriting (409) and deletes with delay, so there is a moment
 * without the object; but none without a whole, verified version of it on the service, nor without both versions there or, on
 * the disk, here. Whoever has the row's writer is the only one of us at the object.
 */
export const replace: Step<'replacing'> = async (context, state) => {
  const progress = workOf(context, 'upload').replace;
  if (!progress) throw new Error('nothing says how far the Replace is');
  const { phase } = progress;
  // Nothing of the object is touched any more.
  if (phase === 'unstage' || phase === 'abandon') return steps[phase](context, progress, state);
  const taken = await context.store.takeRow(context.record.id);
  if (taken === null) return lookAgain(state.looks, busyObjectMs);
  const { objectId } = taken;
  const record = { ...context.record, objectId };
  const next = await steps[phase]({ ...context, record }, progress, state);
  return { ...next, change: { objectId, ...next.change } };
};
