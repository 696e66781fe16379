import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Clock, Log } from '../ports.ts';
import type { Connections } from '../profiles/connections.ts';
import type { Way } from '../transfers/look.ts';
import type { Pacer } from '../transfers/pacing.ts';
import type { Records } from '../transfers/records.ts';
import type { JobList } from './job-list.ts';
import type { Journal } from './journal.ts';
import type { Lane, Lanes } from './lanes.ts';

/** What the parts of the jobs share. */
export interface Context {
  readonly catalogue: Catalogue;
  readonly connections: Connections;
  readonly pacer: Pacer;
  readonly clock: Clock;
  readonly log: Log;
  readonly records: Records;
  readonly journal: Journal;
  readonly list: JobList;
  readonly lanes: Lanes;
  readonly closing: AbortSignal;
}

/** What a step of a job needs of the outside. */
export interface StepWay extends Way {
  readonly lane: Lane;
}
