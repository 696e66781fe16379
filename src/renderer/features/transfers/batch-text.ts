import type { Batch } from '../../../shared/domain/transfer-summary.ts';
import { folderAbove, nameWithin } from '../../../shared/domain/folder.ts';
import { formatList, formatSize } from '../../../shared/i18n/format.ts';
import { batchTexts as texts } from '../../i18n/dock-texts.ts';
import { needsToken } from '../../i18n/cause-text.ts';
import { waitingText } from '../../i18n/waiting-text.ts';
import type { IconName } from '../../ui/icons.tsx';

/** `Uploading 300 files`, `297 of 300 files uploaded` */
export function batchTitle(batch: Batch): string {
  const { action, state, done } = batch;
  const count = countOf(batch);
  if (state !== 'done') return texts[state][action]({ count });
  return done === count ? texts.done[action]({ count }) : texts.partly[action]({ done, count });
}

/** The name of the folder that contains the whole batch; '': none. */
export function batchFolder({ folder }: Batch, separator: string): string {
  return nameWithin(folder, folderAbove(folder, separator), separator);
}

/** Progress, or why it waits. */
export function batchLine(
  batch: Batch,
  nowMs: number,
  { place, isHeld }: { place: number | null; isHeld: boolean },
): string {
  const { state, next, done, cancelled, finishedBytes } = batch;
  const heldUp = triedAgain(batch, isHeld);
  const waits =
    heldUp === null
      ? state === 'waiting' && next
      : ({ waitingFor: 'retry', priority: 'normal', ...heldUp } as const);
  return formatList([
    waits && waitingText({ ...waits, place }, nowMs),
    state !== 'done' && done > 0 && texts.doneSoFar({ done, count: countOf(batch) }),
    state === 'done' && done > 0 && formatSize(finishedBytes),
    cancelled > 0 && texts.cancelled({ count: cancelled }),
  ]);
}

/** The problem that Coffer retries automatically; null: none, paused, or waiting for a new token. */
export function triedAgain({ heldUp }: Batch, isHeld: boolean): NonNullable<Batch['heldUp']> | null {
  if (heldUp === undefined || isHeld) return null;
  return needsToken({ code: heldUp.error.code, error: heldUp.error }) ? null : heldUp;
}

/** Failures and conflict prompts; '': none. */
export function batchTrouble({ failed, asking }: Batch): string {
  return formatList([
    failed > 0 && texts.failed({ count: failed }),
    asking > 0 && texts.asking({ count: asking }),
  ]);
}

export function batchIcon(batch: Batch): { icon: IconName; tone: string } {
  const { state, action, failed, next } = batch;
  const way = action === 'download' ? 'dn' : 'up';
  if (state === 'moving') return { icon: way, tone: 'moving' };
  if (state === 'waiting') {
    return next === null || next.waitingFor === 'turn'
      ? { icon: way, tone: 'idle' }
      : { icon: next.waitingFor === 'paused' ? 'pause' : 'clock', tone: 'wait' };
  }
  // Never green: skipped transfers and those without a digest were not compared.
  return failed > 0 ? { icon: 'warn', tone: 'bad' } : { icon: 'check', tone: 'idle' };
}

function countOf({ open, asking, failed, done, cancelled }: Batch): number {
  return open + asking + failed + done + cancelled;
}
