import { describe, expect, test } from 'vitest';
import { isJobFinished, jobStateSchema, jobTransitions, type JobState } from '../../shared/domain/job.ts';
import { quickClock } from '../transfers/testing.ts';
import { newEntry, type JobRecord } from './entry.ts';
import { createJobList } from './job-list.ts';

const states = jobStateSchema.options;

function recordIn(state: JobState, number = 1, change: Partial<JobRecord> = {}): JobRecord {
  return {
    id: `job-${number}`,
    number,
    profileId: 'p',
    kind: 'data',
    direction: 'download',
    identifier: `d/${number}`,
    objectId: number,
    state,
    createdAtMs: number,
    checks: 0,
    totalBytes: null,
    error: null,
    activityToken: null,
    outcome: null,
    finishedAtMs: isJobFinished(state) ? number : null,
    work: { kind: 'download', partPath: null, whole: null, savedPath: null },
    deferredToken: null,
    startedAt: null,
    usedAt: null,
    warned: 0,
    ...change,
  };
}

function makeList() {
  const written: string[] = [];
  const clock = quickClock(1);
  const list = createJobList({
    clock,
    closing: new AbortController().signal,
    laneOf: () => ({ waitingFor: null, nextCheckAtMs: null }),
    onMoved: () => undefined,
    journal: {
      now: () => ({ wallMs: clock.nowMs(), steadyMs: clock.monotonicMs() }),
      async write(records) {
        for (const { id, state } of records)
          written.push(`${id} ${state} shown ${list.get(id)?.record.state}`);
      },
      remove: async () => undefined,
    },
  });
  return { list, written, clock };
}

describe('the table of transitions', () => {
  test.each(states)('%s goes where the table says, on the disk first, and nowhere else', async (from) => {
    for (const to of states) {
      const { list, written } = makeList();
      const entry = newEntry(recordIn(from));
      list.restore([entry]);
      const isAllowed = jobTransitions[from].includes(to);
      const refused = await list.move(entry, to).then(
        () => null,
        (cause: unknown) => String(cause),
      );
      expect(refused).toBe(isAllowed ? null : `Error: no transition from ${from} to ${to}`);
      expect(entry.record.state).toBe(isAllowed ? to : from);
      expect(written).toEqual(isAllowed ? [`job-1 ${to} shown ${from}`] : []);
    }
  });

  test('from every state that is not finished, an end is in reach', () => {
    for (const state of states.filter((each) => !isJobFinished(each))) {
      const reached = new Set<JobState>([state]);
      for (const each of reached) for (const next of jobTransitions[each]) reached.add(next);
      expect([...reached].some(isJobFinished)).toBe(true);
      expect(jobTransitions[state]).toContain('cancelled');
    }
  });
});

describe('the page', () => {
  test('closing first, then what needs a person, the newest before, then the rest; a filter counts too', () => {
    const { list, clock } = makeList();
    const startedAt = { wallMs: clock.nowMs() - 25 * 60_000, steadyMs: 0 };
    list.restore([
      newEntry(recordIn('done', 1)),
      newEntry(recordIn('waiting', 2)),
      newEntry(recordIn('failed', 3)),
      newEntry(recordIn('processing', 4, { startedAt: { ...startedAt, wallMs: clock.nowMs() } })),
      newEntry(recordIn('processing', 5, { startedAt })),
      newEntry(recordIn('lost', 6)),
      newEntry(recordIn('cancelled', 7)),
    ]);
    const page = list.page(0, 100, '');
    expect(page.rows.map(({ identifier }) => identifier)).toEqual([
      'd/5',
      'd/6',
      'd/3',
      'd/4',
      'd/2',
      'd/7',
      'd/1',
    ]);
    expect(page.summary).toMatchObject({ active: 3, lost: 1, failed: 1 });
    expect(list.page(2, 2, '').rows.map(({ identifier }) => identifier)).toEqual(['d/3', 'd/4']);
    expect(list.page(0, 10, ' D/7 ')).toMatchObject({ total: 1, counts: { done: 1, closing: 0 } });
  });
});
