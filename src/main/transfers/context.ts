import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Clock, Log } from '../ports.ts';
import type { Connections } from '../profiles/connections.ts';
import type { Pacer } from './pacing.ts';
import type { Queue } from './queue.ts';
import type { Records } from './records.ts';
import type { TransferList } from './transfer-list.ts';

/** What the parts of the transfers share. */
export interface Context {
  readonly catalogue: Catalogue;
  readonly connections: Connections;
  readonly pacer: Pacer;
  readonly clock: Clock;
  readonly log: Log;
  readonly records: Records;
  readonly list: TransferList;
  readonly queue: Queue;
  /** Rows whose uploads are looked after by others. */
  readonly rowsElsewhere: () => ReadonlySet<number>;
  /** Aborted when everything ends. */
  readonly closing: AbortSignal;
}
