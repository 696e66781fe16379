import { expect, onTestFinished, test, vi } from 'vitest';
import type { ReadAnswer, ReadOrder } from './read-worker.ts';
import { createWorkerPool } from './worker-pool.ts';

const order: ReadOrder = { id: 1, kind: 'stat', path: '/' };

/** A second later for what measures time. */
function later(): void {
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 1000);
}

function makePool() {
  const pool = createWorkerPool<ReadOrder, ReadAnswer>('read', 4);
  onTestFinished(pool.close);
  return pool;
}

test('starts no second thread while the first one starts, however long that takes', async () => {
  const pool = makePool();
  const first = pool.free();
  const answer = first.ask(order);
  later();
  expect(pool.free()).toBe(first);
  vi.restoreAllMocks();
  await answer;
});

test('starts a second thread beside one that a slow drive blocks', async () => {
  const pool = makePool();
  const first = pool.free();
  await first.ask(order);
  expect(pool.free()).toBe(first);
  const answer = first.ask(order);
  expect(pool.free()).toBe(first);
  later();
  expect(pool.free()).not.toBe(first);
  vi.restoreAllMocks();
  await answer;
});
