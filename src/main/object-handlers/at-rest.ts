import type { ObjectRecord } from '../../shared/domain/object.ts';
import type { Clock } from '../ports.ts';

const lookMs = 200;
/** A person who undoes waits no longer. */
const longestMs = 30_000;

/** Waits until it is so, or the person has waited long enough. */
export async function waitUntil(
  clock: Pick<Clock, 'delay' | 'monotonicMs'>,
  isSo: () => Promise<boolean>,
  mostMs: number = longestMs,
): Promise<void> {
  const untilMs = clock.monotonicMs() + mostMs;
  while (!(await isSo()) && clock.monotonicMs() < untilMs) await clock.delay(lookMs);
}

/** Whether none of these objects is being stored or deleted: what was just done, or just undone, ends first. */
export function areAtRest(rows: readonly Pick<ObjectRecord, 'state'>[]): boolean {
  return rows.every(({ state }) => state !== 'uploading' && state !== 'deleting');
}
