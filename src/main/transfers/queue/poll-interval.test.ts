import { expect, test } from 'vitest';
import { deferredWindowMs } from '../../../shared/domain/limits.ts';
import { createPollInterval, createPollIntervals, type PollInterval } from './poll-interval.ts';

/** Evenly spread numbers from 0 to 1, the same in each run. */
function createRandom(): () => number {
  let seed = 1;
  return () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
}

interface Job {
  readonly id: number;
  readonly startMs: number;
  /** Infinity: it never completes. */
  readonly tookMs: number;
  /** Age at which it ends without completing. */
  readonly cancelledMs?: number;
}

interface Seen {
  readonly polls: number;
  /** Age at the poll that found it complete; null: none did. */
  readonly foundMs: number | null;
}

/** Polls as the scheduler does, in virtual time, until all have ended or their windows are over. */
function simulate(jobs: readonly Job[], { restartMs = Infinity, answerMs = 50 } = {}): Seen[] {
  const random = createRandom();
  let interval: PollInterval = createPollInterval(random);
  let isRestarted = false;
  const open = new Map(jobs.map((job) => [job.id, { ...entryOf(job), job, polls: 0, lastMs: 0 }]));
  const seen = new Map<number, Seen>();
  for (;;) {
    const parked = [...open.values()];
    const next = parked.toSorted((a, b) => timeOf(a) - timeOf(b))[0];
    if (!next) return jobs.map(({ id }) => seen.get(id) ?? { polls: 0, foundMs: null });
    const nowMs = timeOf(next);
    if (!isRestarted && nowMs >= restartMs) {
      isRestarted = true;
      interval = createPollInterval(random);
      for (const entry of parked) if (entry.isStarted) entry.dueMs = restartMs;
      continue;
    }
    step(next, nowMs);
    const started = [...open.values()].filter(({ isStarted }) => isStarted);
    interval.hasten(started, { wallMs: nowMs, steadyMs: nowMs }, nowMs);
  }

  type Entry = ReturnType<typeof entryOf> & { job: Job; polls: number; lastMs: number };

  function timeOf({ job, dueMs }: Entry): number {
    return Math.min(dueMs, job.startMs + (job.cancelledMs ?? Infinity));
  }

  function step(entry: Entry, nowMs: number): void {
    const { job } = entry;
    const ageMs = nowMs - job.startMs;
    if (!entry.isStarted) {
      entry.isStarted = true;
      entry.dueMs = nowMs + interval.nextMs(job.id, 0);
      return;
    }
    if (ageMs >= (job.cancelledMs ?? deferredWindowMs)) {
      interval.ended(job.id);
      end(entry, null);
      return;
    }
    entry.polls += 1;
    if (ageMs >= job.tookMs) {
      interval.learn(job.id, entry.lastMs, ageMs);
      end(entry, ageMs);
      return;
    }
    entry.lastMs = ageMs;
    entry.dueMs = nowMs + answerMs + interval.nextMs(job.id, ageMs);
  }

  function end({ job: { id }, polls }: Entry, foundMs: number | null): void {
    open.delete(id);
    seen.set(id, { polls, foundMs });
  }
}

function entryOf({ id, startMs }: Job) {
  const moment = { wallMs: startMs, steadyMs: startMs };
  const deferred = { token: '', startedAt: moment, usedAt: moment, checks: 0, warned: 0 };
  const state = { name: 'processing', deferred, sent: null } as const;
  return { isStarted: false, dueMs: startMs, record: { id, state, trouble: null } };
}

/** @param everyMs between two starts */
function jobs(count: number, tookMs: (index: number) => number, everyMs = 10): Job[] {
  return Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    startMs: index * everyMs,
    tookMs: tookMs(index),
  }));
}

function pollsEach(seen: readonly Seen[]): number {
  return seen.reduce((sum, { polls }) => sum + polls, 0) / seen.length;
}

/** The longest time from completion until it was noticed, as a share of what the request took and `littleMs` more. */
function worstDelay(of: readonly Job[], seen: readonly Seen[], littleMs = 300): number {
  const shares = of.map(({ tookMs }, index) => {
    const foundMs = seen[index]?.foundMs ?? Infinity;
    return Math.max(foundMs - tookMs - littleMs, 0) / tookMs;
  });
  return Math.max(...shares);
}

const seconds = (count: number) => () => count * 1000;
const uneven = createRandom();

test.each([
  { what: '20 s', all: jobs(300, seconds(20)), polls: 3, delay: 0.35 },
  {
    what: '20 s, more or less by half',
    all: jobs(300, () => 10_000 + 20_000 * uneven()),
    polls: 3,
    delay: 0.6,
  },
  { what: '10 minutes', all: jobs(300, seconds(600)), polls: 10, delay: 0.35 },
  { what: '0.8 s', all: jobs(300, seconds(0.8)), polls: 3, delay: 0.35 },
  { what: '0.8 s, started slowly', all: jobs(300, seconds(0.8), 100), polls: 6, delay: 0.35 },
  { what: 'quick and slow', all: jobs(300, (index) => (index % 2 ? 2000 : 40_000)), polls: 12, delay: 5 },
  {
    what: 'slower from the 150th on',
    all: jobs(300, (index) => (index < 150 ? 20_000 : 90_000), 1000),
    polls: 7,
    delay: 0.35,
  },
])('300 requests of $what are noticed soon, and cost few polls', ({ all, polls, delay }) => {
  const seen = simulate(all);
  expect(pollsEach(seen)).toBeLessThanOrEqual(polls);
  expect(worstDelay(all, seen)).toBeLessThanOrEqual(delay);
});

test('after a restart, open requests become scouts again', () => {
  const all = jobs(300, seconds(60));
  const seen = simulate(all, { restartMs: 20_000 });
  expect(pollsEach(seen)).toBeLessThanOrEqual(4);
  expect(worstDelay(all, seen)).toBeLessThanOrEqual(0.35);
});

test('others take the place of scouts that end', () => {
  const all = jobs(300, seconds(20)).map((job) => (job.id <= 8 ? { ...job, cancelledMs: 5000 } : job));
  const seen = simulate(all);
  const kept = all.filter(({ cancelledMs }) => cancelledMs === undefined);
  const seenOfKept = seen.filter((_, index) => all[index]?.cancelledMs === undefined);
  expect(worstDelay(kept, seenOfKept)).toBeLessThanOrEqual(0.35);
  expect(pollsEach(seen)).toBeLessThanOrEqual(3);
});

test('scouts that never complete hold the others up for a tenth of the window at most', () => {
  const all = jobs(300, (index) => (index < 8 ? Infinity : 20_000));
  const seen = simulate(all).slice(8);
  for (const { foundMs } of seen) expect(foundMs).toBeLessThanOrEqual(deferredWindowMs / 10 + 1000);
});

test.each([29, 26, 20])('notices a result of %i minutes before its window ends', (minutes) => {
  const all = jobs(100, seconds(minutes * 60));
  for (const { foundMs } of simulate(all)) expect(foundMs).toBeLessThan(deferredWindowMs - 15_000);
});

test('polls each secret soon, however many there are', () => {
  const secrets = createPollIntervals(createRandom())('one', 'secret');
  for (let id = 1; id <= 100; id += 1) expect(secrets.nextMs(id, 0)).toBeLessThanOrEqual(1200);
});
