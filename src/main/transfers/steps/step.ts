import type { Settings } from '../../../shared/domain/settings.ts';
import type { Log } from '../../ports.ts';
import type { Next } from '../model/next.ts';
import type { ChunkContext } from '../chunks/chunk-context.ts';
import type { StateName, StateOf } from '../model/state.ts';
import type { TransferStore } from '../model/store-types.ts';
import type { SecretMemory } from '../queue/secret-memory.ts';
import type { PollInterval } from '../queue/poll-interval.ts';
import type { Moment } from '../model/dual-clock.ts';

/** What a step works with. A step only reads: what is to be written is in its result. */
export interface StepContext extends ChunkContext {
  readonly store: Pick<
    TransferStore,
    'takeIdentifier' | 'takeRow' | 'versions' | 'isBeingStored' | 'takeVersion'
  >;
  readonly settings: () => Pick<Settings, 'skipIdentical' | 'versionReach'>;
  readonly log: Log;
  readonly now: () => Moment;
  /** Id of this data folder, created once. */
  readonly installId: string;
  readonly pollInterval: PollInterval;
  readonly secrets: SecretMemory;
}

export type Step<N extends StateName> = (context: StepContext, state: StateOf<N>) => Promise<Next>;
