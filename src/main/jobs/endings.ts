import type { JobState } from '../../shared/domain/job.ts';
import { AppFailure, type AppError } from '../../shared/errors.ts';
import type { ObjectChange } from '../catalogue/catalogue.ts';
import { changesOfMissing } from '../transfers/outcome.ts';
import type { Context } from './context.ts';
import type { Entry, JobRecord } from './entry.ts';
import { changesOfEnding } from './rows.ts';

/** How jobs end: the catalogue first, then the job itself, then whoever waits for it. */
export interface Endings {
  /** With what was asked for. */
  readonly done: (
    entry: Entry,
    changes: readonly ObjectChange[],
    change: Partial<JobRecord>,
  ) => Promise<void>;
  /** @param changes what the catalogue is told; without them, that nothing came of it */
  readonly fail: (
    entry: Entry,
    error: AppError,
    change?: Partial<JobRecord>,
    changes?: readonly ObjectChange[],
  ) => Promise<void>;
  /** A person does not want it, or nobody waits for it any more. */
  readonly cancel: (entry: Entry) => Promise<void>;
  /** The result is out of reach for good. @param error null: nobody answered as long as it could be used */
  readonly lose: (entry: Entry, error: AppError | null) => Promise<void>;
}

export function createEndings(context: Pick<Context, 'catalogue' | 'records' | 'list' | 'clock'>): Endings {
  const { catalogue, records, list, clock } = context;

  async function end(
    entry: Entry,
    state: 'done' | 'failed' | 'lost' | 'cancelled',
    change: Partial<JobRecord>,
  ): Promise<void> {
    entry.tries = 0;
    entry.trouble = null;
    await list.move(entry, state, { ...change, finishedAtMs: clock.nowMs() });
    entry.secret?.fill(0);
    entry.secret = null;
    if (state !== 'done') entry.reader?.reject(new AppFailure(change.error ?? { code: 'cancelled' }));
  }

  async function giveUp(
    entry: Entry,
    state: 'failed' | 'lost' | 'cancelled',
    error: AppError | null,
    change: Partial<JobRecord> = {},
    known?: readonly ObjectChange[],
  ): Promise<void> {
    await records.update(known ?? (await changesOf(entry, state, error)));
    const activityToken =
      error && 'activityToken' in error ? (error.activityToken ?? null) : entry.record.activityToken;
    await end(entry, state, { activityToken, ...change, error });
  }

  async function changesOf(entry: Entry, state: JobState, error: AppError | null): Promise<ObjectChange[]> {
    const changes = await changesOfEnding(catalogue, entry, error);
    const { objectId } = entry.record;
    if (error?.code !== 'missing' || state !== 'failed' || objectId === null) return changes;
    const [row] = await catalogue.getMany([objectId]);
    return [...changes, ...changesOfMissing(row, clock.nowMs())];
  }

  return {
    async done(entry, changes, change) {
      await records.update(changes);
      await end(entry, 'done', { error: null, ...change });
    },
    fail: (entry, error, change, changes) => giveUp(entry, 'failed', error, change, changes),
    cancel: (entry) => giveUp(entry, 'cancelled', null),
    lose: (entry, error) => giveUp(entry, 'lost', error),
  };
}
