import type { Priority } from '../../../shared/domain/transfer.ts';

/** A waiting transfer; lists of these are in queue order. */
export type Queued = { id: number; priority: Priority };

/** Destination: before this transfer; null: last of its priority. `place` is 1-based. */
export type Target = { before: number | null; place: number };

/** Transfers of one priority that move together. */
export type Block = { priority: Priority; ids: ReadonlySet<number> };

/** The transfers that stay while a block moves; the block now stands before the `start`th of them. */
export function around(queued: readonly Queued[], { priority, ids }: Block) {
  const isMoved = (each: Queued) => each.priority === priority && ids.has(each.id);
  const first = queued.findIndex(isMoved);
  const others = queued.filter((each) => !isMoved(each));
  const isWhole = queued.slice(first, first + queued.length - others.length).every(isMoved);
  return { others, start: first, isWhole };
}

/**
 * Destination of a block dropped before the `at`th of the others, clamped to its own priority. null when the block or
 * the entry that would follow is not loaded, or when its priority has no other entries.
 * @param queued a contiguous part of the queue
 * @param endsHere whether it includes the end of the queue
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
