import type { Clock, Log } from '../../ports.ts';
import type { Connections } from '../../connections/connections.ts';
import type { Entry } from '../model/active-transfer.ts';
import type { Gates } from '../queue/circuit-breakers.ts';
import type { Journal } from './write-batcher.ts';
import type { Limits } from '../queue/limits/limits.ts';
import type { TransferStore } from '../model/store-types.ts';

/** What most parts of the engine take; what only some need is handed to those beside it. */
export interface Context {
  readonly store: TransferStore;
  readonly journal: Journal;
  readonly connections: Connections;
  readonly gates: Gates;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly log: Log;
  readonly closing: AbortSignal;
  /** Everything in work, by record. */
  readonly active: ReadonlyMap<number, Entry>;
}
