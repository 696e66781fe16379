import type { Priority } from '../../../shared/domain/transfer.ts';

/** Of those that wait, in the order in which they go. */
export type Queued = { id: number; priority: Priority };

/** Where something goes: before this one; null: behind all of its priority. */
export type Target = { before: number | null; place: number };

/** What is moved together: those of a priority. */
export type Block = { priority: Priority; ids: ReadonlySet<number> };

/** What stays while a block is moved, and where the block stands among it now: before the `start`th of these. */
export function around(queued: readonly Queued[], { priority, ids }: Block) {
  const isMoved = (each: Queued) => each.priority === priority && ids.has(each.id);
  const first = queued.findIndex(isMoved);
  const others = queued.filter((each) => !isMoved(each));
  const isWhole = queued.slice(first, first + queued.length - others.length).every(isMoved);
  return { others, start: first, isWhole };
}

/**
 * Where a block comes to stand when it is put before the `at`th of the others, kept among its own priority; null where
 * nothing changes, or where the one that would follow is not known.
 * @param queued a piece of the order, without holes
 * @param endsHere whether the piece holds the end of the order
 */
export function targetAt(
  queued: readonly Queued[],
  block: Block,
  at: number,
  endsHere: boolean,
): (Target & { at: number }) | null {
  const { others, start } = around(queued, block);
  if (start === -1) return null;
  const isMine = (each: Queued) => each.priority === block.priority;
  const first = others.findIndex(isMine);
  if (first === -1) return null;
  const last = others.findLastIndex(isMine);
  const kept = Math.min(Math.max(at, first), last + 1);
  const next = others[kept];
  if (next === undefined && !endsHere) return null;
  return { before: next !== undefined && isMine(next) ? next.id : null, place: kept + 1, at: kept };
}
