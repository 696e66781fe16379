import type { Clock } from '../ports.ts';

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
