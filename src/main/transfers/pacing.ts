import type { Clock } from '../ports.ts';
import { untilAborted } from './until-aborted.ts';

/** One pace for everything that talks to a profile's service: when it says "too many requests", all slow down. */
export interface Pacer {
  /** Nothing of this profile is sent for `delayMs` from now; a later end already set stays. */
  holdBack(profileId: string, delayMs: number): void;
  /** Wall clock, ms, until which the profile is held back; null when it is not. */
  heldUntilMs(profileId: string): number | null;
  /** Resolves when the profile may send; rejects with the signal's reason. */
  turn(profileId: string, signal: AbortSignal): Promise<void>;
  /** The person does not want to wait: "Try now". */
  release(profileId: string): void;
}

export type CreatePacer = (clock: Clock) => Pacer;

interface Hold {
  /** Of the clock that never goes back: the wall clock may jump. */
  endMs: number;
  readonly released: AbortController;
  /** One promise and one timer, however many wait. */
  readonly over: Promise<void>;
}

export const createPacer: CreatePacer = (clock) => {
  const holds = new Map<string, Hold>();

  async function wait(profileId: string, released: AbortSignal): Promise<void> {
    for (;;) {
      const leftMs = (holds.get(profileId)?.endMs ?? 0) - clock.monotonicMs();
      if (leftMs <= 0 || released.aborted) break;
      await clock.delay(leftMs, released).catch(() => undefined);
    }
    // A release has taken the hold away already, and another may stand in its place.
    if (!released.aborted) holds.delete(profileId);
  }

  return {
    holdBack(profileId, delayMs) {
      const endMs = clock.monotonicMs() + delayMs;
      const hold = holds.get(profileId);
      if (hold) {
        hold.endMs = Math.max(hold.endMs, endMs);
        return;
      }
      const released = new AbortController();
      // The wait begins after the hold is there to be read.
      const over = Promise.resolve().then(() => wait(profileId, released.signal));
      holds.set(profileId, { endMs, released, over });
    },
    heldUntilMs(profileId) {
      const hold = holds.get(profileId);
      return hold ? clock.nowMs() + Math.max(hold.endMs - clock.monotonicMs(), 0) : null;
    },
    async turn(profileId, signal) {
      signal.throwIfAborted();
      for (let hold = holds.get(profileId); hold; hold = holds.get(profileId)) {
        await untilAborted(hold.over, signal);
      }
    },
    release(profileId) {
      const hold = holds.get(profileId);
      holds.delete(profileId);
      hold?.released.abort();
    },
  };
};
