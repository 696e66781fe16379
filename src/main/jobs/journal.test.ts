import { expect, test } from 'vitest';
import type { Documents } from '../catalogue/catalogue.ts';
import { createTestClock, createTestLog, openTestDatabase } from '../test-ports.ts';
import { newEntry, type JobRecord } from './entry.ts';
import { openJournal } from './journal.ts';
import { createSteadyTime, longestMs, shortestMs } from './steady-time.ts';

const record: JobRecord = {
  id: 'one',
  number: 1,
  profileId: 'p',
  kind: 'data',
  direction: 'download',
  identifier: 'd',
  objectId: 1,
  state: 'processing',
  createdAtMs: 1,
  checks: 3,
  totalBytes: null,
  error: null,
  activityToken: null,
  outcome: null,
  finishedAtMs: null,
  work: { kind: 'download', partPath: null, whole: null, savedPath: null },
  deferredToken: 't',
  startedAt: { wallMs: 1, steadyMs: 1 },
  usedAt: { wallMs: 1, steadyMs: 1 },
  warned: 0,
};

const open = (documents: Documents, closing = new AbortController().signal) =>
  openJournal({ documents, clock: createTestClock(), log: createTestLog(), closing });

test('what is written is read again, in the order of the jobs; what cannot be read stays where it is', async () => {
  const { documents } = await openTestDatabase();
  const { journal } = await open(documents);
  await Promise.all([
    journal.write([{ ...record, id: 'b', number: 2 }]),
    journal.write([record, { ...record, id: 'gone' }]),
    journal.remove(['gone']),
  ]);
  await documents.put('jobs', 'odd', { state: 'dreaming' });
  const { entries } = await open(documents);
  expect(entries).toEqual([newEntry(record), newEntry({ ...record, id: 'b', number: 2 })]);
  expect(await documents.get('jobs', 'odd')).toEqual({ state: 'dreaming' });
});

test('a disk that is full for a while loses nothing', async () => {
  const { documents } = await openTestDatabase();
  let failures = 3;
  const full: Documents = {
    ...documents,
    write: (collection, changes) =>
      failures-- > 0 ? Promise.reject(new Error('full')) : documents.write(collection, changes),
  };
  const { journal } = await open(full);
  await journal.write([record]);
  expect((await open(documents)).entries).toEqual([newEntry(record)]);

  failures = 1000;
  const closing = new AbortController();
  const { journal: last } = await open(full, closing.signal);
  const written = last.write([record]).catch((cause: unknown) => String(cause));
  closing.abort();
  expect(await written).toBe('Error: full');
});

test('time goes on over a sleep, a restart and a clock that is wrong', () => {
  let wallMs = 1000;
  let monotonicMs = 50;
  const clock = { nowMs: () => wallMs, monotonicMs: () => monotonicMs, delay: async () => undefined };
  const before = createSteadyTime(clock, null).now();
  const time = createSteadyTime(clock, before);
  monotonicMs += 10;
  wallMs += 500;
  expect([longestMs(before, time.now()), shortestMs(before, time.now())]).toEqual([500, 10]);
  wallMs -= 9000;
  expect([longestMs(before, time.now()), shortestMs(before, time.now())]).toEqual([10, 0]);
  // Another run: its count begins anew, and is taken up where the wall clock says.
  wallMs = 3000;
  monotonicMs = 0;
  const now = createSteadyTime(clock, before).now();
  expect([longestMs(before, now), shortestMs(before, now)]).toEqual([2000, 2000]);
});
