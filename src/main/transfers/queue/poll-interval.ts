import type { ObjectKind } from '../../../shared/domain/object.ts';
import { maxPollDelayMs } from '../model/back-off.ts';

/** When to look at a job again, by how long this service has been taking. */
export interface PollInterval {
  /** @param tookMs from the start of a request to its completion, as far as it can be told */
  readonly learn: (tookMs: number) => void;
  /** @param ageMs since the request was started; 0: the first look */
  readonly nextMs: (ageMs: number) => number;
  /** A request that is as old as this is likely to be complete; 0: nothing is known yet. */
  readonly likelyMs: () => number;
}

const leastMs = 500;
/** The first look comes soon, whatever was learned. */
const firstMs = 1_000;
/** So much of the newest is believed. */
const share = 0.2;

/** A completed request is found out about within a quarter of the time it took, give or take a little chance. */
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

/** How long a service takes for deferred requests; a secret says nothing of a large file, nor the other way round. */
export type Spacings = (serviceId: string, kind: ObjectKind) => PollInterval;

export function createSpacings(random: () => number): Spacings {
  const known = new Map<string, PollInterval>();
  return (serviceId, kind) => {
    const key = `${kind} ${serviceId}`;
    const pollInterval = known.get(key) ?? createPollInterval(random);
    known.set(key, pollInterval);
    return pollInterval;
  };
}
