import { AppFailure } from '../../../../shared/app-failure.ts';
import type { Replace } from '../../model/replace.ts';
import type { StepContext } from '../step.ts';
import { workOf, type Next } from '../../model/next.ts';
import { deletedLateMs, deletionUndoneMs, lateDeletionMs, storedLateMs } from '../../model/failure-policy.ts';
import { storeMine } from './bytes.ts';
import { bytesAt, isSame } from '../stored-bytes.ts';
import { requireComplete, requireChunks, storedAs } from './lists.ts';
import { meetThird } from './delete-old.ts';
import { goTo, lookAgain, type ReplaceStep } from './progress.ts';
import { isReclassification } from './reclassify.ts';

/** Maximum times that a stored object is stored again after it disappeared. */
const maxStores = 5;

/** POST (section 4.1), which never overwrites. When the answer does not tell, the stored bytes do. */
export const storeNew: ReplaceStep = async (context, progress, { looks }) => {
  const { identifier } = context.record;
  if (progress.stores >= maxStores) throw new AppFailure({ code: 'lateDeletion' });
  const stored = { phase: 'verify', stores: progress.stores + 1 } as const;
  await requireChunks(context, progress);
  if (await storeMine(context, progress, identifier)) return goTo(context, progress, stored);
  const there = await bytesAt(context, identifier);
  if (there === null) return waitForRefused(looks);
  if (isSame(there, progress.mine) && !isReclassification(context)) return goTo(context, progress, stored);
  if (!isSame(there, progress.old)) return meetThird(context, progress, there);
  return { ...goTo(context, progress, { phase: 'delete' }), delayMs: deletionUndoneMs };
};

/**
 * The service says that the object exists (409) but does not show it: it is being deleted, or the token may not see
 * it.
 * @throws AppFailure exists, after ten minutes
 */
function waitForRefused(looks: number): Next {
  const delayMs = deletedLateMs[looks];
  if (delayMs === undefined) throw new AppFailure({ code: 'exists', status: 409, message: '' });
  return lookAgain(looks + 1, delayMs);
}

/** Verifies by HEAD and by the digest. */
export const verifyNew: ReplaceStep = async (context, progress, { looks }) => {
  const found = await lookAtNew(context, progress, looks);
  if (found !== null) return found;
  const nextAtMs = context.clock.nowMs() + lateDeletionMs;
  const next = goTo(context, progress, { phase: 'again' });
  return { ...next, change: { ...next.change, nextAtMs }, delayMs: lateDeletionMs };
};

/** Verifies again a minute later, when a late deletion would have shown. Only then the object counts as stored. */
export const verifyAgain: ReplaceStep = async (context, progress, { looks }) => {
  const { record, clock, service } = context;
  // After a kill too, whatever the wall clock does.
  const leftMs = Math.min((record.nextAtMs ?? 0) - clock.nowMs(), lateDeletionMs);
  if (leftMs > 0) {
    const next = lookAgain(looks, leftMs);
    return { ...next, change: { nextAtMs: clock.nowMs() + leftMs } };
  }
  const found = await lookAtNew(context, progress, looks);
  if (found !== null) return found;
  await requireComplete(context, progress);
  const { classification, fileName } = workOf(context, 'upload');
  if (progress.mine === null) throw new Error('a Replace has stored what it has not seen');
  const stored = storedAs(context, progress.mine);
  const isReclassified = isReclassification(context);
  const nowMs = service.momentOf(clock.nowMs());
  return {
    ...goTo(context, progress, { phase: 'unstage' }),
    row: {
      kind: 'stored',
      patch: {
        state: 'stored',
        ...stored.patch,
        classification,
        ...(!isReclassified && { sourceName: fileName }),
        storedAtMs: nowMs,
        checkedAtMs: nowMs,
        activityToken: record.activityToken,
      },
      history: { action: isReclassified ? 'reclassified' : 'replaced', activityToken: record.activityToken },
      ...('manifest' in stored && { manifest: stored.manifest }),
    },
  };
};

/** null: the new object is there, whole. */
async function lookAtNew(context: StepContext, progress: Replace, looks: number): Promise<Next | null> {
  const { identifier } = context.record;
  context.show.verifying();
  const seen = await context.service.head(identifier);
  if (!seen.present) {
    const delayMs = storedLateMs[looks];
    if (delayMs !== undefined) return lookAgain(looks + 1, delayMs);
    return goTo(context, progress, { phase: 'store' });
  }
  const there = await bytesAt(context, identifier);
  if (there === null) return goTo(context, progress, { phase: 'verify' });
  return isSame(there, progress.mine) ? null : meetThird(context, progress, there);
}
