import type { StepContext } from '../parts/step-context.ts';
import type { Moment } from '../model/dual-clock.ts';
import type { Next } from '../model/next.ts';
import type { StateName, StateOf } from '../model/state.ts';
import type { PollInterval } from '../queue/poll-interval.ts';
import type { SecretMemory } from '../queue/secret-memory.ts';

/** What only the steps of a deferred request need. */
export interface DeferredContext extends StepContext {
  readonly requests: {
    readonly now: () => Moment;
    readonly pollInterval: PollInterval;
    readonly secrets: SecretMemory;
  };
}

export type Step<N extends StateName> = (context: StepContext, state: StateOf<N>) => Promise<Next>;
export type DeferredStep<N extends StateName> = (
  context: DeferredContext,
  state: StateOf<N>,
) => Promise<Next>;
