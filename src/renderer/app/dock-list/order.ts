import type { Priority } from '../../../shared/domain/transfer.ts';

/** Of those that wait, in the order in which they go. */
export type Queued = { id: number; priority: Priority };

/** Where something goes: before this one; null: behind all of its priority. */
export type Target = { before: number | null; place: number };

/**
 * Where `id` comes to stand when it is put before the `at`th of the others, kept among its own priority; null where
 * nothing changes, or where the one that would follow is not known.
 * @param queued a piece of the order, without holes
 * @param endsHere whether the piece holds the end of the order
 */
export function targetAt(
  queued: readonly Queued[],
  id: number,
  at: number,
  endsHere: boolean,
): (Target & { at: number }) | null {
  const from = queued.findIndex((each) => each.id === id);
  const mine = queued[from];
  if (mine === undefined) return null;
  const others = queued.filter((each) => each.id !== id);
  const isMine = (each: Queued) => each.priority === mine.priority;
  const first = others.findIndex(isMine);
  if (first === -1) return null;
  const last = others.findLastIndex(isMine);
  const kept = Math.min(Math.max(at, first), last + 1);
  const next = others[kept];
  if (next === undefined && !endsHere) return null;
  return { before: next !== undefined && isMine(next) ? next.id : null, place: kept + 1, at: kept };
}
