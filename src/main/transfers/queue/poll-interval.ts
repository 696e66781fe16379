import { deferredWindowMs } from '../../../shared/domain/limits.ts';
import type { ObjectKind } from '../../../shared/domain/object.ts';
import type { ActiveTransfer } from '../model/active-transfer.ts';
import { maxPollDelayMs } from '../model/failure-policy.ts';
import type { Moment } from '../model/dual-clock.ts';
import { deferredOf, type TransferRecord } from '../model/record.ts';

/** What a due time is set for. */
type Parked = Pick<ActiveTransfer, 'dueMs'> & {
  readonly record: Pick<TransferRecord, 'id' | 'state' | 'trouble'>;
};

/**
 * When to poll a deferred request again (sections 3 and 4.2), learned from how long this service takes. A few requests,
 * the scouts, are polled soon and often; all others wait until they are likely to be complete.
 */
export interface PollInterval {
  /**
   * A request is complete, which happened between two ages: at the poll before, and at this one. Only what was polled
   * by this process counts: nobody polled before it was started.
   */
  readonly learn: (id: number, leastMs: number, mostMs: number) => void;
  /** @param ageMs since the request was started; 0: before the first poll */
  readonly nextMs: (id: number, ageMs: number) => number;
  /** The age at which a request is likely to be complete; 0: nothing is known yet. */
  readonly likelyMs: () => number;
  /** A request has ended or was put back. */
  readonly ended: (id: number) => void;
  /**
   * Makes requests due earlier: all that wait, once it is known how long they take; until then, as many as are needed to
   * replace scouts that have ended.
   * @param nowMs monotonic clock, as `dueMs`
   */
  readonly hasten: (parked: Iterable<Parked>, now: Moment, nowMs: number) => void;
}

const leastMs = 150;
/** The first poll of a scout comes soon, whatever was learned. */
const firstMs = 1_000;
/** Weight of the newest sample in the moving average. */
const share = 0.2;
const maxScouts = 8;
/** Completed requests until their time counts as known: the first of several scouts is quicker than most. */
const leastSamples = 3;
/** How long requests wait for scouts. A scout older than this lets another one scout, too. */
const patienceMs = deferredWindowMs / 10;

/**
 * Completion is noticed within about a third of the time the request took, half of that on average.
 * @param scouts how many are polled often at the same time
 */
export function createPollInterval(random: () => number, scouts = maxScouts): PollInterval {
  let meanMs: number | null = null;
  let samples = 0;
  let learnedMs: number | null = null;
  const young = new Set<number>();
  const old = new Set<number>();
  /** Their next poll was chosen before anything was known. */
  const waiting = new Set<number>();
  const informed = new Set<number>();
  const groups = [young, old, waiting, informed];

  function isScout(id: number, ageMs: number): boolean {
    const isOld = ageMs >= patienceMs;
    if (isOld && young.delete(id)) old.add(id);
    if (young.has(id) || old.has(id)) return true;
    if (young.size + (isOld ? old.size : 0) >= scouts) return false;
    move(id, isOld ? old : young);
    return true;
  }

  function move(id: number, to: Set<number> | null): void {
    for (const group of groups) group.delete(id);
    to?.add(id);
  }

  function scoutMs(ageMs: number): number {
    const shareMs = Math.max(learnedMs ?? 0, ageMs) * 0.3;
    const evenMs = Math.min(Math.max(shareMs, leastMs), ageMs === 0 ? firstMs : maxPollDelayMs);
    return Math.min(evenMs * (0.85 + 0.3 * random()), maxPollDelayMs);
  }

  function waitMs(ageMs: number): number {
    const likelyInMs =
      learnedMs === null ? patienceMs * (1 - 0.2 * random()) - ageMs : untilLikelyMs(learnedMs, ageMs);
    // More often towards the end of the window, so that the result can still be fetched.
    const longestMs = Math.max((deferredWindowMs - ageMs) / 4, maxPollDelayMs);
    return Math.min(Math.max(likelyInMs, ageMs * (0.25 + 0.08 * random()), leastMs), longestMs);
  }

  function untilLikelyMs(tookMs: number, ageMs: number): number {
    return tookMs * (1.05 + 0.2 * random()) - ageMs;
  }

  function hastenOne(entry: Parked, ageMs: number, nowMs: number): void {
    if (learnedMs === null) isScout(entry.record.id, ageMs);
    else move(entry.record.id, informed);
    // Those overdue are spread a little: more of them are complete at their first poll.
    const delayMs =
      learnedMs === null
        ? Math.min(scoutMs(ageMs), firstMs)
        : Math.max(untilLikelyMs(learnedMs, ageMs), ageMs * 0.12 * random());
    entry.dueMs = Math.min(entry.dueMs, nowMs + delayMs);
  }

  return {
    learn(id, leastAgeMs, mostAgeMs) {
      const isPolledHere = groups.some((group) => group.has(id));
      move(id, null);
      if (!isPolledHere) return;
      // It completed at an unknown age between the two: as expected, if that lies between them.
      const expectedMs = meanMs ?? (leastAgeMs + mostAgeMs) / 2;
      const sampleMs = Math.min(Math.max(expectedMs, leastAgeMs), mostAgeMs);
      samples += 1;
      meanMs = expectedMs + (sampleMs - expectedMs) * Math.max(share, 1 / samples);
      if (samples >= leastSamples) learnedMs = meanMs;
    },
    likelyMs: () => learnedMs ?? 0,
    nextMs(id, ageMs) {
      if (isScout(id, ageMs)) return scoutMs(ageMs);
      move(id, learnedMs === null ? waiting : informed);
      return waitMs(ageMs);
    },
    ended: (id) => move(id, null),
    hasten(parked, now, nowMs) {
      const free = learnedMs === null ? scouts - young.size : Infinity;
      if (waiting.size === 0 || free <= 0) return;
      const ageOf = ({ record }: Parked) =>
        now.steadyMs - (deferredOf(record)?.startedAt.steadyMs ?? now.steadyMs);
      [...parked]
        // A failed poll has its own delay.
        .filter(({ record }) => waiting.has(record.id) && record.trouble === null)
        .filter((entry) => learnedMs !== null || ageOf(entry) < patienceMs)
        .toSorted((a, b) => ageOf(a) - ageOf(b))
        .slice(0, free)
        .forEach((entry) => hastenOne(entry, ageOf(entry), nowMs));
    },
  };
}

/** Poll intervals by service and kind: the times of secrets and of large files say nothing about each other. */
export type PollIntervals = (serviceId: string, kind: ObjectKind) => PollInterval;

export function createPollIntervals(random: () => number): PollIntervals {
  const known = new Map<string, PollInterval>();
  return (serviceId, kind) => {
    const key = `${kind} ${serviceId}`;
    // The user waits for each secret.
    const pollInterval =
      known.get(key) ?? createPollInterval(random, kind === 'secret' ? Infinity : maxScouts);
    known.set(key, pollInterval);
    return pollInterval;
  };
}
