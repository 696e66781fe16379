import { expect, test } from 'vitest';
import { createVirtualClock } from '../../../test-support/main/transfers/virtual-clock.ts';
import { RestartingWorker } from './restarting-worker.ts';

function createWorkers() {
  const clock = createVirtualClock();
  const beganMs = clock.monotonicMs();
  const started: { atMs: number; ended: Promise<string>; die: (cause: string) => void }[] = [];
  const died: unknown[] = [];
  let failure: Error | null = null;
  function start() {
    const { promise: ended, resolve: die } = Promise.withResolvers<string>();
    const worker = { atMs: clock.monotonicMs() - beganMs, ended, die };
    started.push(worker);
    return worker;
  }
  const workers = new RestartingWorker(start(), {
    startAnother: async () => {
      if (failure) throw failure;
      return start();
    },
    onDied: (cause) => died.push(cause),
    giveUp: () => new Error('given up'),
    clock,
  });
  return {
    clock,
    workers,
    started,
    died,
    failStarts: (cause: Error | null) => (failure = cause),
    die: async (afterMs: number) => {
      await clock.advance(afterMs);
      started.at(-1)?.die('died');
      await clock.advance(0);
    },
  };
}

test('starts another worker after one died, and callers meanwhile get that one', async () => {
  const { clock, workers, started, died, die } = createWorkers();
  expect(await workers.current).toBe(started[0]);
  await die(10);
  const next = workers.current;
  expect([died, started]).toEqual([['died'], [started[0]]]);
  await clock.advance(100);
  expect(await next).toBe(started[1]);
  expect(started.map(({ atMs }) => atMs)).toEqual([0, 110]);
});

test('the waits grow, a failed start counts as a death, and the fourth death is the last', async () => {
  const { clock, workers, started, died, failStarts, die } = createWorkers();
  const failure = new Error('no memory');
  await die(0);
  failStarts(failure);
  await clock.advance(100);
  failStarts(null);
  await clock.advance(1000);
  expect([started.length, died]).toEqual([2, ['died', failure]]);
  await die(0);
  await clock.advance(5000);
  expect(started.map(({ atMs }) => atMs)).toEqual([0, 1100, 6100]);
  await die(0);
  await expect(workers.current).rejects.toThrow('given up');
  await clock.advance(100_000);
  expect(started).toHaveLength(3);
  expect(died).toEqual(['died', failure, 'died', 'died']);
  expect(await workers.close()).toBe(null);
});

test('the death of a worker that lived for a minute counts as the first again', async () => {
  const { clock, started, die } = createWorkers();
  for (let times = 0; times < 6; times += 1) {
    await die(60_000);
    await clock.advance(100);
  }
  expect(started).toHaveLength(7);
});

test('starts no worker after close, and leaves the last one to the caller', async () => {
  const open = createWorkers();
  expect(await open.workers.close()).toBe(open.started[0]);
  await open.die(0);
  expect(open.died).toEqual([]);

  const restarting = createWorkers();
  await restarting.die(0);
  expect(await restarting.workers.close()).toBe(null);
  await restarting.clock.advance(10_000);
  expect(restarting.started).toHaveLength(1);
});
