import type { Output } from '../../shared/contract.ts';
import {
  isJobFinished,
  jobGroupSchema,
  jobTransitions,
  type Job,
  type JobGroup,
  type JobState,
  type JobSummary,
} from '../../shared/domain/job.ts';
import type { Clock } from '../ports.ts';
import { describe, groupOf, isClosing, windowLeftMs, type Entry, type JobRecord } from './entry.ts';
import type { Journal } from './journal.ts';

type Change = Partial<Omit<JobRecord, 'id' | 'number' | 'state'>>;

/** All jobs. The only place where one changes its state: as the table allows, and on the disk first. */
export interface JobList {
  /** Adds what the journal has. */
  readonly restore: (entries: readonly Entry[]) => void;
  readonly add: (entries: readonly Entry[]) => Promise<void>;
  readonly get: (id: string) => Entry | undefined;
  readonly all: () => Iterable<Entry>;
  /** @throws Error a transition that is not in the table */
  readonly move: (entry: Entry, state: JobState, change?: Change) => Promise<void>;
  /** Everything but the state; on the disk first. */
  readonly note: (entry: Entry, change: Change) => Promise<void>;
  readonly remove: (entries: readonly Entry[]) => Promise<void>;
  /** Judges which windows are closing; a change moves jobs between groups. */
  readonly judgeClosing: () => void;
  readonly touch: () => void;
  readonly page: (offset: number, limit: number, filter: string) => Output<'jobs.page'>;
  readonly summary: () => JobSummary;
  readonly onChanged: (listener: (summary: JobSummary) => void) => () => void;
}

/** Ten a second. */
const leastApartMs = 100;
const groups = jobGroupSchema.options;

export function createJobList(deps: {
  journal: Journal;
  clock: Clock;
  closing: AbortSignal;
  /** What a job's profile says about it. */
  laneOf: (entry: Entry) => { waitingFor: Job['waitingFor']; nextCheckAtMs: number | null };
  /** A job came, or changed its state. */
  onMoved: (entry: Entry) => void;
}): JobList {
  const { journal, clock, closing, laneOf, onMoved } = deps;
  const entries = new Map<string, Entry>();
  const listeners = new Set<(summary: JobSummary) => void>();
  let revision = 0;
  let isPlanned = false;
  /** In the order of the dock, until one changes its group. */
  let sorted: Record<JobGroup, Entry[]> | null = null;

  function touch(): void {
    revision += 1;
    if (isPlanned || closing.aborted) return;
    isPlanned = true;
    clock.delay(leastApartMs, closing).then(
      () => {
        isPlanned = false;
        const current = summary();
        for (const listener of listeners) listener(current);
      },
      () => undefined,
    );
  }

  function reorder(): void {
    sorted = null;
    touch();
  }

  function order(): Record<JobGroup, Entry[]> {
    if (sorted) return sorted;
    const members: Record<JobGroup, Entry[]> = {
      closing: [],
      needsYou: [],
      running: [],
      waiting: [],
      done: [],
    };
    for (const entry of entries.values()) members[groupOf(entry)].push(entry);
    const endOf = ({ record }: Entry) => record.finishedAtMs ?? record.createdAtMs;
    const startOf = ({ record }: Entry) => record.startedAt?.steadyMs ?? 0;
    members.closing.sort((a, b) => startOf(a) - startOf(b));
    for (const name of ['needsYou', 'done'] as const) {
      members[name].sort((a, b) => endOf(b) - endOf(a) || b.record.number - a.record.number);
    }
    sorted = members;
    return members;
  }

  function countsOf(members: Record<JobGroup, Entry[]>): Record<JobGroup, number> {
    const { closing: closingSoon, needsYou, running, waiting, done } = members;
    return {
      closing: closingSoon.length,
      needsYou: needsYou.length,
      running: running.length,
      waiting: waiting.length,
      done: done.length,
    };
  }

  function summary(): JobSummary {
    const now = journal.now();
    let lost = 0;
    let failed = 0;
    let active = 0;
    let nextLeftMs = Infinity;
    for (const { record } of entries.values()) {
      if (record.state === 'lost') lost += 1;
      else if (record.state === 'failed') failed += 1;
      else if (!isJobFinished(record.state)) {
        active += 1;
        nextLeftMs = Math.min(nextLeftMs, windowLeftMs(record, now) ?? Infinity);
      }
    }
    const nextWindowEndsAtMs = nextLeftMs === Infinity ? null : now.wallMs + nextLeftMs;
    return { revision, counts: countsOf(order()), active, lost, failed, nextWindowEndsAtMs };
  }

  return {
    restore(restored) {
      for (const entry of restored) {
        entry.isClosing = isClosing(entry.record, journal.now());
        entries.set(entry.record.id, entry);
        onMoved(entry);
      }
      reorder();
    },
    async add(added) {
      await journal.write(added.map(({ record }) => record));
      for (const entry of added) {
        entries.set(entry.record.id, entry);
        onMoved(entry);
      }
      reorder();
    },
    get: (id) => entries.get(id),
    all: () => entries.values(),
    async move(entry, state, change = {}) {
      const { record } = entry;
      if (!jobTransitions[record.state].includes(state)) {
        throw new Error(`no transition from ${record.state} to ${state}`);
      }
      await journal.write([{ ...record, ...change, state }]);
      entry.record = { ...entry.record, ...change, state };
      entry.isClosing = isClosing(entry.record, journal.now());
      onMoved(entry);
      reorder();
    },
    async note(entry, change) {
      await journal.write([{ ...entry.record, ...change }]);
      entry.record = { ...entry.record, ...change };
      touch();
    },
    async remove(removed) {
      await journal.remove(removed.map(({ record }) => record.id));
      for (const { record } of removed) entries.delete(record.id);
      reorder();
    },
    judgeClosing() {
      const now = journal.now();
      let hasChanged = false;
      for (const entry of entries.values()) {
        const closes = isClosing(entry.record, now);
        hasChanged ||= closes !== entry.isClosing;
        entry.isClosing = closes;
      }
      if (hasChanged) reorder();
    },
    touch,
    page(offset, limit, filter) {
      const wanted = filter.trim().toLowerCase();
      const all = order();
      const found =
        wanted === ''
          ? all
          : (Object.fromEntries(
              groups.map((name) => [
                name,
                all[name].filter(({ record }) => record.identifier.toLowerCase().includes(wanted)),
              ]),
            ) as typeof all);
      const counts = countsOf(found);
      const rows: Entry[] = [];
      let skip = offset;
      for (const name of groups) {
        for (const entry of found[name].slice(skip, skip + limit - rows.length)) rows.push(entry);
        skip = Math.max(0, skip - found[name].length);
        if (rows.length >= limit) break;
      }
      const now = journal.now();
      return {
        summary: summary(),
        counts,
        total: groups.reduce((sum, name) => sum + counts[name], 0),
        offset,
        rows: rows.map((entry) => describe(entry, now, laneOf(entry))),
      };
    },
    summary,
    onChanged(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
