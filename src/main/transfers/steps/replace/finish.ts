import { toAppError } from '../../../../shared/errors.ts';
import type { KeptBytes } from '../../../kept/sealed-source.ts';
import { remedyFor } from '../../failure-policy.ts';
import type { Replace, TransferRecord } from '../../record.ts';
import { GateClosed } from '../../service-gate.ts';
import { workOf, type Next, type StepContext, type WorkOf } from '../../step.ts';
import type { Leftover } from '../../store-types.ts';
import { headObject } from '../../head-object.ts';
import { isListSent, storedAs } from './lists.ts';
import { goTo, lookAgain, sendAsUsual, withoutReplace, type Looked, type ReplaceStep } from './progress.ts';

/** After DELETE of what stood beside; then the list has it, and it is deleted like any object. */
const goneMs = [1_000, 2_000, 4_000, 8_000, 15_000];
/** What was on its way when it was given up, and is not there. */
const lateMs = [2_000, 5_000, 15_000, 30_000, 60_000, 120_000];

/** The new object is proven: what stood beside it goes, and what was replaced stays for as long as it is kept. */
export const unstage: ReplaceStep = async (context, progress, looked) => {
  const { record, kept } = context;
  if (progress.mine && progress.keeps === 'here')
    await kept.finish(record.id, progress.mine, storedAs(context, progress.mine).patch);
  const isGone = await takeAway(context, [progress.staged], looked, false);
  if (typeof isGone === 'object') return isGone;
  return finished(context.record.work, progress, isGone);
};

/** @param isGone what stood beside the object is */
export function finished(work: StepContext['record']['work'], progress: Replace, isGone: boolean): Next {
  if (work.kind !== 'upload') throw new Error('only uploads replace');
  const { old, beside } = progress;
  const kept = old?.file ?? null;
  const replaced = { kept, beside: kept === null ? beside : null };
  return {
    state: { name: 'done', outcome: { kind: 'stored', verifiedBy: 'digest', replaced }, savedPath: null },
    change: { work: withoutReplace(work) },
    leftovers: [...(isGone ? [] : stagedOf(work, progress)), ...oldBesideOf(progress).map(staying)],
  };
}

/** What it has put on the service and here is taken away; then it ends. */
export const giveUp: ReplaceStep = async (context, progress, looked) => {
  const isGone = await takeAway(context, [progress.staged, progress.beside], looked, mayCome(progress));
  if (typeof isGone === 'object') return isGone;
  if (progress.end?.kind !== 'goOn') await context.kept.drop(context.record.id);
  return abandoned(context.record, progress, isGone);
};

/** How a Replace that is given up ends, with nothing of it left here. */
export function abandoned(
  { work, route }: Pick<TransferRecord, 'work' | 'route'>,
  progress: Replace,
  isGone: boolean,
): Next {
  if (work.kind !== 'upload') throw new Error('only uploads replace');
  const { end } = progress;
  const change = { work: withoutReplace(work) };
  const leftovers = isGone ? [] : besidesOf(work, progress);
  switch (end?.kind) {
    case 'asking':
      return {
        state: { name: 'asking', seen: end.seen, there: end.there, why: 'changed' },
        change: { work: { ...change.work, ifExists: 'ask' } },
        row: { kind: 'leave', history: null },
        leftovers,
      };
    case 'same':
      return {
        state: { name: 'done', outcome: { kind: 'skipped', isIdentical: true }, savedPath: null },
        change,
        row: { kind: 'skipped', seen: end.seen },
        leftovers,
      };
    case 'failed':
      return {
        state: { name: 'failed', error: end.error },
        change,
        row: { kind: 'leave', history: { action: 'uploadFailed', detail: end.error.code } },
        leftovers,
      };
    case 'goOn':
      return { ...sendAsUsual({ work, route }), leftovers };
    case 'cancelled':
    case undefined:
      return {
        state: { name: 'cancelled' },
        change,
        row: { kind: 'leave', history: { action: 'uploadFailed', detail: 'cancelled' } },
        leftovers,
      };
  }
}

/** Identifiers of ours beside the object, and what they may hold. */
function besidesOf(work: WorkOf<'upload'>, progress: Replace): Leftover[] {
  return [...stagedOf(work, progress), ...oldBesideOf(progress)];
}

export function stagedOf({ classification }: WorkOf<'upload'>, { mine, staged }: Replace): Leftover[] {
  return staged !== null && mine !== null ? [leftoverOf(staged, mine, classification)] : [];
}

/** A list of parts that is kept here too lies there for as long as that, and goes with it (`parts/kept-lists`). */
function oldBesideOf({ old, beside }: Replace): Leftover[] {
  return beside !== null && old !== null && old.file === null
    ? [leftoverOf(beside, old, old.classification)]
    : [];
}

function leftoverOf(
  identifier: string,
  { lengthBytes, sha256 }: KeptBytes,
  classification: string | null,
): Leftover {
  return { identifier, lengthBytes, sha256, classification };
}

/**
 * Names of ours alone: their DELETE may be sent again. false: it stays, for now.
 * @param mayCome the POST of one that is not there may still be carried out
 */
async function takeAway(
  context: StepContext,
  names: readonly (string | null)[],
  { looks, absences }: Looked,
  mayCome: boolean,
): Promise<boolean | Next> {
  const wasAwaited = absences > 0;
  let isThere = false;
  let isMissing = false;
  try {
    for (const name of names) {
      if (name === null) continue;
      if (looks === 0 && !(await remove(context, name))) isMissing = true;
      const { present } = await headObject(context, name);
      if (!present) continue;
      isThere = true;
      if (wasAwaited) await remove(context, name);
    }
  } catch (cause) {
    const error = toAppError(cause);
    // The service's own trouble passes; what it refuses does not.
    if (cause instanceof GateClosed || !error || remedyFor(error, 1, 0).kind !== 'fail') throw cause;
    return false;
  }
  if (isThere) {
    const again = wasAwaited ? 0 : looks;
    const delayMs = goneMs[again];
    return delayMs === undefined ? false : lookAgain(again + 1, delayMs);
  }
  const isAwaited = wasAwaited || (mayCome && isMissing);
  const delayMs = isAwaited ? lateMs[looks] : undefined;
  return delayMs === undefined ? true : lookAgain(looks + 1, delayMs, 1);
}

/** Answers whether it was there. */
async function remove({ client, send, signal }: StepContext, name: string): Promise<boolean> {
  try {
    await send(() => client.deleteData(name, { signal }));
    return true;
  } catch (cause) {
    if (toAppError(cause)?.code === 'missing') return false;
    throw cause;
  }
}

/** Whether a POST of what it has put beside the object may still be carried out. */
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
 * A person has said what becomes of an object that somebody else has stored while it was being replaced. Replace: what is there
 * is what is replaced now. Anything else: what was kept stays, here as versions and on the service as objects, and the new bytes
 * go where the answer says.
 */
export const answered: ReplaceStep = async (context, progress) => {
  const { record, kept } = context;
  const work = workOf(context, 'upload');
  const { mine, staged } = progress;
  const leftovers = oldBesideOf(progress).map(staying);
  if (work.ifExists === 'replace') {
    await kept.release(record.id, 'old');
    const again = { phase: 'begin', old: null, beside: null, isOut: false, deletions: 0, stores: 0 } as const;
    return { ...goTo(context, progress, again), leftovers };
  }
  // A list of parts says nothing under another identifier: the file is sent again, in parts of its own.
  const isList = isListSent(context);
  await kept.release(record.id, isList ? 'old' : null);
  if (isList) await kept.drop(record.id);
  const source = !isList && mine !== null && mine.file !== null ? { kept: { ...mine, file: mine.file } } : {};
  const isHere = isList || 'kept' in source;
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
    leftovers: [...leftovers, ...stays],
  };
};

function staying(leftover: Leftover): Leftover {
  return { ...leftover, stays: true };
}
