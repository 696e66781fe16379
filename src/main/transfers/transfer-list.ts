import type { Job, JobGroup, JobSummary } from '../../shared/domain/job.ts';
import {
  prioritySchema,
  type Cause,
  type CauseKey,
  type Transfer,
  type TransferGroup,
  type TransferSummary,
} from '../../shared/domain/transfer.ts';
import type { Input, ObjectFailure, Output } from '../../shared/contract.ts';
import type { Context } from './context.ts';
import type { Entry } from './entry.ts';
import type { Pauses } from './pauses.ts';
import type { Progress } from './progress.ts';
import { deferredOf, isFinished, type TransferRecord } from './record.ts';
import { standstillOf } from './standstill.ts';
import type { Held, StoredGroup, Tab } from './store-types.ts';
import { createSummaries } from './transfer-summaries.ts';
import { describeJob, describeTransfer, tabOf } from './view.ts';

/** What the window sees: one list, from the file and what is in work, with two filters. */
export interface TransferList {
  readonly page: (input: Input<'transfers.page'>) => Promise<Output<'transfers.page'>>;
  readonly jobsPage: (input: Input<'jobs.page'>) => Promise<Output<'jobs.page'>>;
  /** Those of these that are still there, in the order in which they go. */
  readonly picked: (ids: readonly number[]) => Promise<Output<'transfers.picked'>['rows']>;
  readonly jobsPicked: (ids: readonly number[]) => Promise<Output<'jobs.picked'>['rows']>;
  /** Direct and deferred ones alike; what is no longer there is left out. */
  readonly ofIds: (ids: readonly number[]) => Promise<Transfer[]>;
  summary(): Promise<TransferSummary>;
  jobSummary(): Promise<JobSummary>;
  /** Unfinished ones over these rows. */
  readonly overlay: (objectIds: readonly number[]) => Promise<Map<number, Transfer>>;
  /** What failed last of an object, as the list shows it; null: nothing there does. */
  readonly failureOf: (objectId: number) => Promise<ObjectFailure | null>;
  /** It changed: a page asked for before is old. */
  revise(): number;
}

const transferGroups: readonly TransferGroup[] = ['needsYou', 'moving', 'waiting', 'done'];
const jobGroups: readonly JobGroup[] = ['closing', 'needsYou', 'running', 'waiting', 'done'];
/** Where the file has them; what was taken ahead of its turn still waits. */
const storedGroups: Readonly<Record<string, readonly StoredGroup[]>> = {
  needsYou: ['needsYou'],
  waiting: ['running', 'waiting'],
  done: ['done'],
};

export function createTransferList(context: Context, pauses: Pauses, progress: Progress): TransferList {
  const { active, store, gates, journal, clock } = context;
  const summaries = createSummaries(context, pauses, progress);
  const summary = () => summaries.transfers(revision);
  const jobSummary = () => summaries.jobs(revision);
  let revision = 0;

  const source = (record: TransferRecord, entry: Entry | null) => ({
    record: entry?.record ?? record,
    entry,
    standstill: standstillOf(context, pauses, entry?.record ?? record, entry),
    nowMs: clock.nowMs(),
  });
  const sourceOf = (record: TransferRecord) => source(record, active.get(record.id) ?? null);

  async function sourcesOf(ids: readonly number[]) {
    const rankOf = ({ priority }: TransferRecord) => prioritySchema.options.indexOf(priority);
    const records = await store.getMany(ids);
    return records
      .toSorted((a, b) => rankOf(a) - rankOf(b) || a.orderKey - b.orderKey)
      .map((record) => sourceOf(record));
  }

  function order(group: string, members: readonly Entry[]): Entry[] {
    const startOf = ({ record }: Entry) => deferredOf(record)?.startedAt.steadyMs ?? Infinity;
    if (group === 'closing' || group === 'running') {
      return members.toSorted((a, b) => startOf(a) - startOf(b) || a.record.id - b.record.id);
    }
    if (group === 'done' || group === 'needsYou')
      return members.toSorted((a, b) => b.record.id - a.record.id);
    return members.toSorted((a, b) => a.record.id - b.record.id);
  }

  async function page(
    tab: Tab,
    groups: readonly string[],
    {
      offset,
      limit,
      filter = '',
      cause,
    }: { offset: number; limit: number; filter?: string; cause?: CauseKey | undefined },
    causes: readonly Cause[],
  ) {
    const working = summaries.inWork(tab);
    const exceptIds = [...working.values()].flat().map(({ record }) => record.id);
    const wanted = filter.trim().toLowerCase();
    const rows: ReturnType<typeof source>[] = [];
    const counts: Record<string, number> = {};
    let skip = offset;
    for (const group of groups) {
      const isMeant = ({ record }: Entry) =>
        cause === undefined && (wanted === '' || record.identifier.toLowerCase().includes(wanted));
      const members = order(group, working.get(group) ?? []).filter(isMeant);
      for (const entry of members.slice(skip, skip + limit - rows.length))
        rows.push(source(entry.record, entry));
      skip = Math.max(0, skip - members.length);
      counts[group] = members.length;
      if (cause && cause.group !== group) continue;
      const only = cause && heldBy(cause);
      const except =
        cause || wanted !== ''
          ? []
          : causes.filter((each) => each.group === group && each.count > 1).map(heldBy);
      for (const storedGroup of storedGroups[group] ?? []) {
        const left = limit - rows.length;
        const query = {
          tab,
          group: storedGroup,
          offset: skip,
          limit: left,
          filter: wanted,
          exceptIds,
          only,
          except,
        };
        const found = await store.page(query);
        for (const record of found.records) rows.push(sourceOf(record));
        skip = Math.max(0, skip - found.total);
        counts[group] += found.total;
      }
    }
    return { rows, counts, total: groups.reduce((sum, group) => sum + (counts[group] ?? 0), 0) };
  }

  /** A trouble of the service holds up everything of it that waits. */
  function heldBy({ profileId, group, code }: CauseKey): Held {
    const isOfService = group === 'waiting' && gates.of(profileId).trouble()?.code === code;
    return { profileId, code: isOfService ? null : code };
  }

  return {
    async page(input) {
      const asked = await summary();
      const { rows, counts, total } = await page('transfers', transferGroups, input, asked.causes);
      return {
        summary: asked,
        counts: countsOf(transferGroups, counts),
        total,
        offset: input.offset,
        rows: rows.map(describeTransfer),
      };
    },
    async jobsPage(input) {
      const asked = await jobSummary();
      const { rows, counts, total } = await page('jobs', jobGroups, input, asked.causes);
      const now = journal.now();
      return {
        summary: asked,
        counts: countsOf(jobGroups, counts),
        total,
        offset: input.offset,
        rows: rows.map((row): Job => describeJob(row, now)),
      };
    },
    async picked(ids) {
      return (await sourcesOf(ids)).map((each) => {
        const { id, profileId, identifier, state, waitingFor, priority } = describeTransfer(each);
        return { id, profileId, identifier, state, waitingFor, priority };
      });
    },
    async jobsPicked(ids) {
      const now = journal.now();
      return (await sourcesOf(ids)).map((each) => {
        const { id, profileId, identifier, kind, state, waitingFor, priority } = describeJob(each, now);
        return { id, profileId, identifier, kind, state, waitingFor, priority };
      });
    },
    async ofIds(ids) {
      return (await store.getMany(ids)).map((record) => describeTransfer(sourceOf(record)));
    },
    summary,
    jobSummary,
    async overlay(objectIds) {
      const over = new Map<number, Transfer>();
      for (const record of await store.ofObjects(objectIds)) {
        const now = sourceOf(record);
        if (record.objectId === null || record.direction === 'delete' || isFinished(now.record)) continue;
        over.set(record.objectId, describeTransfer(now));
      }
      return over;
    },
    async failureOf(objectId) {
      const record = await store.failedOf(objectId);
      if (record === null || active.has(record.id)) return null;
      const { id, direction, error, activityToken, finishedAtMs, replacing } = describeTransfer(
        sourceOf(record),
      );
      if (error === null) return null;
      return {
        list: tabOf(record),
        id,
        direction,
        error,
        activityToken,
        finishedAtMs,
        ...(replacing && { replacing }),
      };
    },
    revise: () => (revision += 1),
  };
}

function countsOf<G extends string>(
  groups: readonly G[],
  counts: Readonly<Record<string, number>>,
): Record<G, number> {
  return Object.fromEntries(groups.map((group) => [group, counts[group] ?? 0])) as Record<G, number>;
}
