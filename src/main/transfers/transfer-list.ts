import type { Job, JobGroup, JobSummary } from '../../shared/domain/job.ts';
import {
  prioritySchema,
  type Cause,
  type CauseKey,
  type Transfer,
  type TransferGroup,
  type TransferSummary,
} from '../../shared/domain/transfer.ts';
import type { Input, Output } from '../../shared/contract.ts';
import type { Context } from './context.ts';
import { isAhead, windowLeftMs, type Entry } from './entry.ts';
import { deferredOf, isFinished, type TransferRecord } from './record.ts';
import type { Pauses } from './pauses.ts';
import type { Progress } from './progress.ts';
import type { Held, StoredGroup, Tab, TransferCounts } from './store-types.ts';
import {
  describeJob,
  describeTransfer,
  groupOfEntry,
  groupOfState,
  tabOf,
  transferStateOf,
  type Standstill,
} from './view.ts';

/** What the window sees: one list, from the file and what is in work, with two filters. */
export interface TransferList {
  readonly page: (input: Input<'transfers.page'>) => Promise<Output<'transfers.page'>>;
  readonly jobsPage: (input: Input<'jobs.page'>) => Promise<Output<'jobs.page'>>;
  /** Those of these that are still there, in the order in which they go. */
  readonly picked: (ids: readonly number[]) => Promise<Output<'transfers.picked'>['rows']>;
  readonly jobsPicked: (ids: readonly number[]) => Promise<Output<'jobs.picked'>['rows']>;
  summary(): Promise<TransferSummary>;
  jobSummary(): Promise<JobSummary>;
  /** Unfinished ones over these rows. */
  readonly overlay: (objectIds: readonly number[]) => Promise<Map<number, Transfer>>;
  /** It changed: a page asked for before is old. */
  revise(): number;
}

/** More would be no overview. */
const mostCauses = 100;
const transferGroups: readonly TransferGroup[] = ['needsYou', 'moving', 'waiting', 'done'];
const jobGroups: readonly JobGroup[] = ['closing', 'needsYou', 'running', 'waiting', 'done'];
/** Where the file has them; what was taken ahead of its turn still waits. */
const storedGroups: Readonly<Record<string, readonly StoredGroup[]>> = {
  needsYou: ['needsYou'],
  waiting: ['running', 'waiting'],
  done: ['done'],
};

export function createTransferList(context: Context, pauses: Pauses, progress: Progress): TransferList {
  const { active, store, gates, journal, limits, clock } = context;
  let revision = 0;

  function standstillOf(record: TransferRecord, entry: Entry | null): Standstill {
    if (record.state.name === 'asking') return { waitingFor: 'answer', untilMs: null, error: null };
    const gate = gates.of(record.profileId);
    const state = gate.state();
    if (state === 'refused') return { waitingFor: 'token', untilMs: null, error: gate.trouble() };
    const isNew = record.state.name === 'waiting' || entry === null || isAhead(entry);
    if (isNew && (record.isPaused || pauses.isPaused(record.profileId)) && record.kind === 'data')
      return { waitingFor: 'paused', untilMs: null, error: null };
    const heldUntilMs = gate.heldUntilMs();
    if (heldUntilMs !== null && heldUntilMs > clock.nowMs()) {
      return {
        waitingFor: state === 'unreachable' ? 'network' : 'retry',
        untilMs: heldUntilMs,
        error: gate.trouble(),
      };
    }
    const ownMs = entry ? clock.nowMs() + Math.max(entry.dueMs - clock.monotonicMs(), 0) : record.nextAtMs;
    if (record.trouble && ownMs !== null && ownMs > clock.nowMs()) {
      return { waitingFor: 'retry', untilMs: ownMs, error: record.trouble };
    }
    return { waitingFor: 'turn', untilMs: deferredOf(record) ? ownMs : null, error: null };
  }

  const source = (record: TransferRecord, entry: Entry | null) => ({
    record: entry?.record ?? record,
    entry,
    standstill: standstillOf(entry?.record ?? record, entry),
  });
  const sourceOf = (record: TransferRecord) => source(record, active.get(record.id) ?? null);

  async function sourcesOf(ids: readonly number[]) {
    const rankOf = ({ priority }: TransferRecord) => prioritySchema.options.indexOf(priority);
    const records = await store.getMany(ids);
    return records
      .toSorted((a, b) => rankOf(a) - rankOf(b) || a.orderKey - b.orderKey)
      .map((record) => sourceOf(record));
  }

  /** What is in work and not just taken ahead, by group. */
  function inWork(tab: Tab): Map<string, Entry[]> {
    const groups = new Map<string, Entry[]>();
    for (const entry of active.values()) {
      if (isAhead(entry) || tabOf(entry.record) !== tab || entry.record.direction === 'delete') continue;
      const name = groupOfEntry(entry);
      const members = groups.get(name) ?? [];
      members.push(entry);
      groups.set(name, members);
    }
    return groups;
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
    const working = inWork(tab);
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

  /** Counts of the file and of what is in work; a record in work is told from its state here, not there. */
  function countGroups(tab: Tab, all: readonly TransferCounts[]) {
    const groups: Record<string, number> = {};
    const byState: Partial<Record<TransferRecord['state']['name'], number>> = {};
    let unfinishedBytes = 0;
    for (const { state, count, totalBytes } of all.filter((counted) => counted.tab === tab)) {
      const group = groupOfState(state);
      groups[group] = (groups[group] ?? 0) + count;
      byState[state] = (byState[state] ?? 0) + count;
      if (group === 'waiting' || state === 'asking') unfinishedBytes += totalBytes;
    }
    for (const [group, members] of inWork(tab)) {
      groups['waiting'] = (groups['waiting'] ?? 0) - members.length;
      groups[group] = (groups[group] ?? 0) + members.length;
    }
    return { groups, byState, unfinishedBytes };
  }

  async function summary(): Promise<TransferSummary> {
    const [all, causes] = await Promise.all([store.counts(), store.causes()]);
    const { groups, byState, unfinishedBytes } = countGroups('transfers', all);
    const failed = byState.failed ?? 0;
    const needsYou = groups['needsYou'] ?? 0;
    const unfinished = (groups['waiting'] ?? 0) + (groups['moving'] ?? 0);
    const inHand = inWork('transfers').get('moving') ?? [];
    const verifying = inHand.filter((entry) => transferStateOf(entry.record, entry) === 'verifying').length;
    const finishing = [...active.values()].filter(
      ({ run, record }) => run !== null && pauses.isPaused(record.profileId),
    ).length;
    return {
      revision,
      counts: {
        needsYou,
        moving: groups['moving'] ?? 0,
        waiting: Math.max(groups['waiting'] ?? 0, 0),
        done: groups['done'] ?? 0,
      },
      failed,
      done: byState.done ?? 0,
      unanswered: byState.asking ?? 0,
      ...progress.overall(unfinished, unfinishedBytes),
      tokenRefused: [...gates.all()]
        .filter(([, gate]) => gate.state() === 'refused')
        .map(([profileId]) => profileId),
      paused: pauses.current(),
      verifying,
      finishing,
      causes: causesOf('transfers', all, causes),
      limit: limits.current(),
    };
  }

  /** What several wait for or failed of: a trouble of their service first, which holds up all of it. */
  function causesOf(
    tab: Tab,
    all: readonly TransferCounts[],
    own: Awaited<ReturnType<typeof store.causes>>,
  ): Cause[] {
    const held = [...gates.all()].flatMap(([profileId, gate]): Cause[] => {
      const error = gate.trouble();
      if (!error) return [];
      const count = all
        .filter((counted) => counted.profileId === profileId && counted.tab === tab)
        .filter(({ state }) => groupOfState(state) === 'waiting')
        .reduce((sum, counted) => sum + counted.count, 0);
      const inHand = [...inWork(tab).values()]
        .flat()
        .filter(({ record }) => record.profileId === profileId).length;
      const retryAtMs = gate.heldUntilMs();
      return [{ profileId, group: 'waiting', code: error.code, count: count - inHand, error, retryAtMs }];
    });
    const isHeld = new Set(held.map(({ profileId }) => profileId));
    const others = own
      .filter((cause) => cause.tab === tab && !(cause.group === 'waiting' && isHeld.has(cause.profileId)))
      .map(({ profileId, group, code, count, error }): Cause => ({
        profileId,
        group,
        code,
        count,
        error,
        retryAtMs: null,
      }));
    return [...held, ...others].filter(({ count }) => count > 1).slice(0, mostCauses);
  }

  async function jobSummary(): Promise<JobSummary> {
    const [all, causes] = await Promise.all([store.counts(), store.causes()]);
    const { groups, byState } = countGroups('jobs', all);
    const now = journal.now();
    let nextLeftMs = Infinity;
    for (const { record } of active.values())
      nextLeftMs = Math.min(nextLeftMs, windowLeftMs(record, now) ?? Infinity);
    const [closing, running, waiting] = ['closing', 'running', 'waiting'].map((name) => groups[name] ?? 0);
    return {
      revision,
      counts: {
        closing: closing ?? 0,
        needsYou: groups['needsYou'] ?? 0,
        running: running ?? 0,
        waiting: Math.max(waiting ?? 0, 0),
        done: groups['done'] ?? 0,
      },
      active: (closing ?? 0) + (running ?? 0) + Math.max(waiting ?? 0, 0) + (byState.asking ?? 0),
      lost: byState.lost ?? 0,
      failed: byState.failed ?? 0,
      done: byState.done ?? 0,
      causes: causesOf('jobs', all, causes),
      nextWindowEndsAtMs: nextLeftMs === Infinity ? null : now.wallMs + nextLeftMs,
    };
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
    revise: () => (revision += 1),
  };
}

function countsOf<G extends string>(
  groups: readonly G[],
  counts: Readonly<Record<string, number>>,
): Record<G, number> {
  return Object.fromEntries(groups.map((group) => [group, counts[group] ?? 0])) as Record<G, number>;
}
