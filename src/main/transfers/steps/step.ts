import type { Next } from '../model/next.ts';
import type { ChunkContext } from '../chunks/chunk-context.ts';
import type { StateName, StateOf } from '../model/state.ts';
import type { SecretMemory } from '../queue/secret-memory.ts';
import type { PollInterval } from '../queue/poll-interval.ts';
import type { Moment } from '../model/dual-clock.ts';

/** The inputs of a step. A step only reads; its result says what to write. */
export interface StepContext extends ChunkContext {
  readonly requests: DeferredRequests;
}

export interface DeferredRequests {
  readonly now: () => Moment;
  readonly pollInterval: PollInterval;
  readonly secrets: SecretMemory;
}

export type Step<N extends StateName> = (context: StepContext, state: StateOf<N>) => Promise<Next>;
