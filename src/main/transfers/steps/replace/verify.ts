import type { StepContext } from '../../parts/step-context.ts';
import { lateDeletionMs, storedLateMs } from '../../model/failure-policy.ts';
import { workOf, type Next } from '../../model/next.ts';
import type { Replace } from '../../model/replace.ts';
import { bytesAt, isSame } from '../stored-bytes.ts';
import { handleThird } from './finish.ts';
import { requireComplete, storedAs } from './manifests.ts';
import { checkAgain, goTo, isReclassification, type Checks } from './progress.ts';

/** Verifies by HEAD and by the digest. From then on the list shows the new object; one in parts once these are checked, too. */
export async function verifyNew(context: StepContext, progress: Replace, { looks }: Checks): Promise<Next> {
  const found = await checkNew(context, progress, looks);
  if (found !== null) return found;
  const nextAtMs = context.clock.nowMs() + lateDeletionMs;
  const next = goTo(context, progress, { phase: 'again' });
  const { patch, manifest } = await factsOf(context, progress);
  return {
    ...next,
    change: { ...next.change, nextAtMs },
    ...(manifest === undefined && { row: { kind: 'verified', patch } }),
    delayMs: lateDeletionMs,
  };
}

/** Verifies again a minute later, when a late deletion would have shown. Only then the Replace is over. */
export async function verifyAgain(context: StepContext, progress: Replace, { looks }: Checks): Promise<Next> {
  const { record, clock } = context;
  const { activityToken, nextAtMs } = record;
  // After a kill too, whatever the wall clock does.
  const leftMs = Math.min((nextAtMs ?? 0) - clock.nowMs(), lateDeletionMs);
  if (leftMs > 0) return { ...checkAgain(looks, leftMs), change: { nextAtMs: clock.nowMs() + leftMs } };
  const found = await checkNew(context, progress, looks);
  // It does not count as stored any more.
  if (found !== null) return { row: { kind: 'replacing' }, ...found };
  await requireComplete(context, progress);
  const { patch, manifest } = await factsOf(context, progress);
  const action = isReclassification(context) ? 'reclassified' : 'replaced';
  return {
    ...goTo(context, progress, { phase: 'unstage' }),
    row: {
      kind: 'stored',
      patch,
      history: { action, activityToken },
      ...(manifest !== undefined && { manifest }),
    },
  };
}

/** What the list says of the new object. */
async function factsOf(context: StepContext, { mine }: Replace) {
  const { record, list, clock, service } = context;
  const { classification, fileName } = workOf(context, 'upload');
  if (mine === null) throw new Error('a Replace has stored what it has not seen');
  const stored = storedAs(context, mine);
  const [row] = await list.rows([record.objectId ?? 0]);
  const isShown = row?.record.state === 'stored' && row.record.sha256 === mine.sha256;
  const checkedAtMs = service.momentOf(clock.nowMs());
  const patch = {
    state: 'stored',
    ...stored.patch,
    classification,
    ...(!isReclassification(context) && { sourceName: fileName }),
    // A second look does not make it newer.
    storedAtMs: isShown ? row.record.storedAtMs : checkedAtMs,
    checkedAtMs,
    activityToken: record.activityToken,
  } as const;
  return { patch, manifest: 'manifest' in stored ? stored.manifest : undefined };
}

/** null: the new object is there, whole. */
async function checkNew(context: StepContext, progress: Replace, looks: number): Promise<Next | null> {
  const { identifier } = context.record;
  context.show.verifying();
  const seen = await context.service.head(identifier);
  if (!seen.present) {
    const delayMs = storedLateMs[looks];
    if (delayMs !== undefined) return checkAgain(looks + 1, delayMs);
    return goTo(context, progress, { phase: 'store' });
  }
  const there = await bytesAt(context, identifier);
  if (there === null) return goTo(context, progress, { phase: 'verify' });
  return isSame(there, progress.mine) ? null : handleThird(context, progress, there);
}
