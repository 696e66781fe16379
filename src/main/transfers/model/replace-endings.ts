import type { Next, WorkOf } from './next.ts';
import type { Replace } from './replace.ts';
import type { TransferRecord } from './record.ts';
import type { ReplaceCopy } from './transition.ts';

/** How a Replace ends, and what it leaves on the service. Pure: `steps/replace` and `run/terminal-transitions.ts` decide when. */

/** @param isGone whether the copies beside the object are gone */
export function finished(work: TransferRecord['work'], progress: Replace, isGone: boolean): Next {
  if (work.kind !== 'upload') throw new Error('only uploads replace');
  const { old, beside } = progress;
  const kept = old?.file ?? null;
  const replaced = { kept, beside: kept === null ? beside : null };
  const { classification } = work;
  const before =
    old === null || old.classification === classification ? {} : { classifiedFrom: old.classification };
  const how = work.reclassifies ? { classification, ...before } : { replaced };
  return {
    state: { name: 'done', outcome: { kind: 'stored', verifiedBy: 'digest', ...how }, savedPath: null },
    change: { work: withoutReplace(work) },
    replaceCopies: [...(isGone ? [] : stagedOf(work, progress)), ...oldBesideOf(progress).map(staying)],
  };
}

/** Ends an abandoned Replace as `end` says. @param isGone as for `finished` */
export function abandoned(
  { work, route }: Pick<TransferRecord, 'work' | 'route'>,
  progress: Replace,
  isGone: boolean,
): Next {
  if (work.kind !== 'upload') throw new Error('only uploads replace');
  const { end } = progress;
  const change = { work: withoutReplace(work) };
  const replaceCopies = isGone ? [] : besidesOf(work, progress);
  switch (end?.kind) {
    case 'asking':
      return {
        state: { name: 'asking', seen: end.seen, there: end.there, why: 'changed' },
        change: { work: { ...change.work, ifExists: 'ask' } },
        row: { kind: 'leave', history: null },
        replaceCopies,
      };
    case 'same':
      return {
        state: { name: 'done', outcome: { kind: 'skipped', isIdentical: true }, savedPath: null },
        change,
        row: { kind: 'skipped', seen: end.seen },
        replaceCopies,
      };
    case 'failed':
      return {
        state: { name: 'failed', error: end.error },
        change,
        row: { kind: 'leave', history: { action: 'uploadFailed', detail: end.error.code } },
        replaceCopies,
      };
    case 'goOn':
      return { ...sendAsUsual({ work, route }), replaceCopies };
    case 'cancelled':
    case undefined:
      return {
        state: { name: 'cancelled' },
        change,
        row: { kind: 'leave', history: { action: 'uploadFailed', detail: 'cancelled' } },
        replaceCopies,
      };
  }
}

/** Continues as an ordinary upload: nothing is in its way, or the user has decided what to do if something is. */
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

function withoutReplace(work: WorkOf<'upload'>): WorkOf<'upload'> {
  const { replace: _, ...rest } = work;
  return rest;
}

/** Our identifiers beside the object, and what they may hold. */
function besidesOf(work: WorkOf<'upload'>, progress: Replace): ReplaceCopy[] {
  return [...stagedOf(work, progress), ...oldBesideOf(progress)];
}

export function stagedOf({ classification }: WorkOf<'upload'>, { mine, staged }: Replace): ReplaceCopy[] {
  return staged !== null && mine !== null ? [replaceCopyOf(staged, mine, classification)] : [];
}

/**
 * A manifest whose undo copy is local is excluded: it stays for as long as the undo copy, and is deleted with it
 * (`parts/undo-manifests.ts`).
 */
export function oldBesideOf({ old, beside }: Replace): ReplaceCopy[] {
  return beside !== null && old !== null && old.file === null
    ? [replaceCopyOf(beside, old, old.classification)]
    : [];
}

function replaceCopyOf(
  identifier: string,
  { lengthBytes, sha256 }: Pick<ReplaceCopy, 'lengthBytes' | 'sha256'>,
  classification: string | null,
): ReplaceCopy {
  return { identifier, lengthBytes, sha256, classification };
}

export function staying(copy: ReplaceCopy): ReplaceCopy {
  return { ...copy, stays: true };
}
