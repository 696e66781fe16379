import type { Direction, Tab, TransferState } from '../../../shared/domain/transfer.ts';
import type {
  Cause,
  DirectionCounts,
  TabSummary,
  TransferGroup,
  TransferSummary,
} from '../../../shared/domain/transfer-summary.ts';
import type { Context } from '../run/context.ts';
import { isAhead, isRechecking, type ActiveTransfer } from '../model/active-transfer.ts';
import type { Pauses } from '../queue/pauses.ts';
import { hasBytesToMove, type Progress } from './progress.ts';
import { storedTabOf, type TransferRecord } from '../model/record.ts';
import type { TransferCounts } from '../model/store-queries.ts';
import { groupOfEntry, groupOfState, shownStateOf, waitingReasonOf } from './view.ts';

/** More causes than this would not be an overview. */
const maxCauses = 100;

/** Summary of all transfers: counts from the database and the active transfers, and common causes of delay. */
export function createSummaries(context: Context, pauses: Pauses, progress: Progress) {
  const { active, store, breakers, limits } = context;

  /** Active transfers by group, prefetched ones excluded. */
  function inWork(tab: Tab): Map<TransferGroup, ActiveTransfer[]> {
    const groups = new Map<TransferGroup, ActiveTransfer[]>();
    for (const entry of active.values()) {
      if (isAhead(entry) || storedTabOf(entry.record) !== tab) continue;
      const name = groupOfEntry(entry, waitingReasonOf(context, pauses, entry.record, entry));
      const members = groups.get(name) ?? [];
      members.push(entry);
      groups.set(name, members);
    }
    return groups;
  }

  function isPausedByUser(serviceId: string): boolean {
    const { all, serviceIds, byHour } = pauses.current();
    return all || serviceIds.includes(serviceId) || (byHour && limits.changesAtMs() === null);
  }

  /** Whether it continues without the person. */
  function goesOn(entry: ActiveTransfer, isPaused: Pauses['isPaused']): boolean {
    const { record, run } = entry;
    if (run !== null) return true;
    const { waitingFor } = waitingReasonOf(context, pauses, record, entry);
    if (waitingFor === 'paused') return !record.isPaused && !isPaused(record.serviceId);
    return waitingFor !== 'token' && waitingFor !== 'answer';
  }

  /**
   * Records in work are counted by what holds up each of them, the others by what holds up their service.
   * @param isPaused the pauses that count
   */
  function countGoingOn(
    all: readonly TransferCounts[],
    inTabs: readonly ReturnType<typeof inWork>[],
    isPaused: Pauses['isPaused'],
  ): number {
    const isRefused = (serviceId: string) => breakers.of(serviceId).state() === 'refused';
    const isHeld = (serviceId: string) => isRefused(serviceId) || isPaused(serviceId);
    let count = 0;
    for (const { serviceId, tab, state, isPaused: isPausedAlone, count: more } of all) {
      if (groupOfState(state) !== 'waiting') continue;
      // Nothing pauses deletions, or the use of a secret.
      const isOpen = tab === 'none' ? !isRefused(serviceId) : !isPausedAlone && !isHeld(serviceId);
      if (isOpen) count += more;
    }
    for (const working of inTabs) {
      for (const [group, members] of working) {
        for (const entry of members) {
          if (!isHeld(entry.record.serviceId)) count -= 1;
          if (group !== 'needsYou' && group !== 'done' && goesOn(entry, isPaused)) count += 1;
        }
      }
    }
    return Math.max(count, 0);
  }

  async function summary(revision: number): Promise<TransferSummary> {
    const [all, causes] = await Promise.all([store.counts(), store.causes()]);
    const ofTab = (tab: Tab) => {
      const working = inWork(tab);
      const stored = all.filter((counted) => counted.tab === tab);
      const { counts, byState, toOpen } = countTab(stored, working);
      const own = causes.filter((cause) => cause.tab === tab);
      const { failed = 0, lost = 0, done = 0, asking = 0 } = byState;
      const summed: TabSummary = {
        counts,
        active: counts.closing + counts.moving + counts.waiting + asking,
        failed,
        lost,
        done,
        unanswered: asking,
        promptsToOpen: toOpen,
        byDirection: {
          upload: countDirection('upload', stored, working),
          download: countDirection('download', stored, working),
        },
        causes: causesOf(breakers, stored, working, own),
      };
      return { summed, working };
    };
    const transfers = ofTab('transfers');
    const jobs = ofTab('jobs');
    const moving = transfers.working.get('moving') ?? [];
    const inTabs = [transfers.working, jobs.working];
    const countShown = (entries: readonly ActiveTransfer[], states: readonly TransferState[]) =>
      entries.filter((entry) => states.includes(shownStateOf(entry.record, entry))).length;
    return {
      revision,
      transfers: transfers.summed,
      jobs: jobs.summed,
      ...progress.overall(all.filter(hasBytesToMove)),
      tokenRefused: [...breakers.all()]
        .filter(([, breaker]) => breaker.state() === 'refused')
        .map(([serviceId]) => serviceId),
      paused: pauses.current(),
      verifying: countShown(moving, ['verifying']),
      movingJobs: countShown(jobs.working.get('moving') ?? [], ['uploading', 'downloading']),
      finishing: [...active.values()].filter(
        ({ run, record }) => run !== null && pauses.isPaused(record.serviceId),
      ).length,
      limit: limits.current(),
      goingOn: countGoingOn(all, inTabs, isPausedByUser),
      unpaused: countGoingOn(all, inTabs, pauses.isPaused),
    };
  }

  return { summary, inWork };
}

/** Combines the counts of the database with the active transfers, which count by their state in memory. */
function countTab(
  all: readonly TransferCounts[],
  working: ReadonlyMap<TransferGroup, readonly ActiveTransfer[]>,
) {
  const counts = { closing: 0, needsYou: 0, moving: 0, waiting: 0, done: 0 };
  const byState: Partial<Record<TransferRecord['state']['name'], number>> = {};
  let toOpen = 0;
  for (const { state, asksForWatched, count } of all) {
    const group = groupOfState(state);
    counts[group] += count;
    byState[state] = (byState[state] ?? 0) + count;
    if (state === 'asking' && !asksForWatched) toOpen += count;
  }
  for (const [group, members] of working) {
    counts.waiting -= members.length;
    counts[group] += members.length;
  }
  counts.waiting = Math.max(counts.waiting, 0);
  return { counts, byState, toOpen };
}

function countDirection(
  direction: Direction,
  all: readonly TransferCounts[],
  working: ReadonlyMap<TransferGroup, readonly ActiveTransfer[]>,
): DirectionCounts {
  const own = new Map(
    [...working].map(([group, members]) => [
      group,
      members.filter(({ record }) => record.direction === direction),
    ]),
  );
  const { counts, byState } = countTab(
    all.filter((counted) => counted.direction === direction),
    own,
  );
  const rechecking = (own.get('moving') ?? []).filter(isRechecking).length;
  const moving = counts.moving + counts.closing - rechecking;
  return { done: byState.done ?? 0, moving, waiting: counts.waiting };
}

/** Common causes of waiting or failed transfers: errors of whole services first, which hold up everything of theirs. */
function causesOf(
  breakers: Context['breakers'],
  stored: readonly TransferCounts[],
  working: ReadonlyMap<TransferGroup, readonly ActiveTransfer[]>,
  own: Awaited<ReturnType<Context['store']['causes']>>,
): Cause[] {
  const held = [...breakers.all()].flatMap(([serviceId, breaker]): Cause[] => {
    const error = breaker.trouble();
    if (!error) return [];
    const waiting = stored.filter(
      (counted) => counted.serviceId === serviceId && groupOfState(counted.state) === 'waiting',
    );
    const inHand = [...working.values()].flat().filter(({ record }) => record.serviceId === serviceId);
    const countOf = (counted: readonly TransferCounts[], without: readonly ActiveTransfer[]) =>
      counted.reduce((sum, { count }) => sum + count, 0) - without.length;
    const alone = countOf(
      waiting.filter(({ isAlone }) => isAlone),
      inHand.filter(({ record }) => record.batch === undefined),
    );
    return [
      {
        serviceId,
        group: 'waiting',
        code: error.code,
        count: countOf(waiting, inHand),
        error,
        retryAtMs: breaker.heldUntilMs(),
        ...(alone <= 0 && { isOfBatches: true }),
      },
    ];
  });
  const isHeld = new Set(held.map(({ serviceId }) => serviceId));
  const others = own
    .filter((cause) => !(cause.group === 'waiting' && isHeld.has(cause.serviceId)))
    .map(({ serviceId, group, code, count, error }): Cause => ({
      serviceId,
      group,
      code,
      count,
      error,
      retryAtMs: null,
    }));
  return [...held, ...others].filter(({ count }) => count > 1).slice(0, maxCauses);
}
