import type { Clock, Log } from '../../ports.ts';
import type { Connections } from '../../connections/connections.ts';
import type { ActiveTransfer } from '../model/active-transfer.ts';
import type { CircuitBreakers } from '../queue/circuit-breakers.ts';
import type { WriteBatcher } from './write-batcher.ts';
import type { Limits } from '../queue/limits/limits.ts';
import type { TransferStore } from '../model/store-types.ts';

/** Dependencies that most of the engine needs; the others are passed only where needed. */
export interface Context {
  readonly store: TransferStore;
  readonly batcher: WriteBatcher;
  readonly connections: Connections;
  readonly breakers: CircuitBreakers;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly log: Log;
  readonly closing: AbortSignal;
  /** Active transfers by record id. */
  readonly active: ReadonlyMap<number, ActiveTransfer>;
}
