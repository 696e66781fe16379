import type { JobSummary } from '../../shared/domain/job.ts';
import type { Cause, TransferSummary } from '../../shared/domain/transfer.ts';
import type { Context } from './context.ts';
import { isAhead, windowLeftMs, type Entry } from './entry.ts';
import type { Pauses } from './pauses.ts';
import type { Progress } from './progress.ts';
import type { TransferRecord } from './record.ts';
import { standstillOf } from './standstill.ts';
import type { Tab, TransferCounts } from './store-types.ts';
import { groupOfEntry, groupOfState, tabOf, transferStateOf } from './view.ts';

/** What the window says of all of them: counts of the file and of what is in work, and what holds several up. */
export interface TransferSummaries {
  /** @param revision of the list */
  readonly transfers: (revision: number) => Promise<TransferSummary>;
  readonly jobs: (revision: number) => Promise<JobSummary>;
  /** What is in work and not just taken ahead, by group. */
  readonly inWork: (tab: Tab) => Map<string, Entry[]>;
}

/** More would be no overview. */
const mostCauses = 100;

export function createSummaries(context: Context, pauses: Pauses, progress: Progress): TransferSummaries {
  const { active, store, gates, journal, limits } = context;

  function inWork(tab: Tab): Map<string, Entry[]> {
    const groups = new Map<string, Entry[]>();
    for (const entry of active.values()) {
      if (isAhead(entry) || tabOf(entry.record) !== tab || entry.record.direction === 'delete') continue;
      const name = groupOfEntry(entry, standstillOf(context, pauses, entry.record, entry));
      const members = groups.get(name) ?? [];
      members.push(entry);
      groups.set(name, members);
    }
    return groups;
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

  async function transfers(revision: number): Promise<TransferSummary> {
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

  async function jobs(revision: number): Promise<JobSummary> {
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

  return { transfers, jobs, inWork };
}
