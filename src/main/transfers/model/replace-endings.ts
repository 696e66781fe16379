import type { Next, WorkOf } from './next.ts';
import type { Replace, TransferRecord } from './record.ts';
import type { Leftover } from './store-types.ts';

/** How a Replace ends, and what of it stays on the service. Pure: `steps/replace` and `endings.ts` decide when. */

/** @param isGone what stood beside the object is */
export function finished(work: TransferRecord['work'], progress: Replace, isGone: boolean): Next {
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

/** Goes on as any upload: nothing is in its way, or somebody has said what becomes of it then. */
export function sendAsUsual({ work, route }: Pick<TransferRecord, 'work' | 'route'>): Next {
  if (work.kind !== 'upload') throw new Error('only uploads replace');
  return {
    state: { name: route === 'direct' ? 'sending' : 'waiting' },
    change: { work: withoutReplace(work) },
    row: { kind: 'leave', history: null },
    keepsClaim: true,
    delayMs: 0,
  };
}

/** Without what a Replace has made of it. */
function withoutReplace(work: WorkOf<'upload'>): WorkOf<'upload'> {
  const { replace: _, ...rest } = work;
  return rest;
}

/** Identifiers of ours beside the object, and what they may hold. */
function besidesOf(work: WorkOf<'upload'>, progress: Replace): Leftover[] {
  return [...stagedOf(work, progress), ...oldBesideOf(progress)];
}

export function stagedOf({ classification }: WorkOf<'upload'>, { mine, staged }: Replace): Leftover[] {
  return staged !== null && mine !== null ? [leftoverOf(staged, mine, classification)] : [];
}

/** A list of parts that is kept here too lies there for as long as that, and goes with it (`parts/kept-lists`). */
export function oldBesideOf({ old, beside }: Replace): Leftover[] {
  return beside !== null && old !== null && old.file === null
    ? [leftoverOf(beside, old, old.classification)]
    : [];
}

function leftoverOf(
  identifier: string,
  { lengthBytes, sha256 }: Pick<Leftover, 'lengthBytes' | 'sha256'>,
  classification: string | null,
): Leftover {
  return { identifier, lengthBytes, sha256, classification };
}

export function staying(leftover: Leftover): Leftover {
  return { ...leftover, stays: true };
}
