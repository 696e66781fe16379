import type { ObjectKind } from '../../../shared/domain/object.ts';
import { maxPollDelayMs } from '../model/back-off.ts';

/** When to poll a deferred request again, learned from how long this service takes. */
export interface PollInterval {
  /** @param tookMs from start to completion, as far as known */
  readonly learn: (tookMs: number) => void;
  /** @param ageMs since the request was started; 0: before the first poll */
  readonly nextMs: (ageMs: number) => number;
  /** The age at which a request is likely to be complete; 0: nothing is known yet. */
  readonly likelyMs: () => number;
}

const leastMs = 500;
/** The first poll comes soon, whatever was learned. */
const firstMs = 1_000;
/** Weight of the newest sample in the moving average. */
const share = 0.2;

/** Completion is noticed within about a quarter of the time the request took, with some jitter. */
export function createPollInterval(random: () => number): PollInterval {
  let learnedMs: number | null = null;
  return {
    learn(tookMs) {
      learnedMs = learnedMs === null ? tookMs : learnedMs + (tookMs - learnedMs) * share;
    },
    likelyMs: () => learnedMs ?? 0,
    nextMs(ageMs) {
      const quarterMs = Math.max(learnedMs ?? 0, ageMs) / 4;
      const evenMs = Math.min(Math.max(quarterMs, leastMs), ageMs === 0 ? firstMs : maxPollDelayMs);
      return Math.min(evenMs * (0.85 + 0.3 * random()), maxPollDelayMs);
    },
  };
}

/** Poll intervals by service and kind: the times of secrets and of large files say nothing about each other. */
export type PollIntervals = (serviceId: string, kind: ObjectKind) => PollInterval;

export function createPollIntervals(random: () => number): PollIntervals {
  const known = new Map<string, PollInterval>();
  return (serviceId, kind) => {
    const key = `${kind} ${serviceId}`;
    const pollInterval = known.get(key) ?? createPollInterval(random);
    known.set(key, pollInterval);
    return pollInterval;
  };
}
