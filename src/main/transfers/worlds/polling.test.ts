import { afterEach, beforeEach, expect, test } from 'vitest';
import { World } from '../../../../test-support/main/transfers/world.ts';

let world: World;
beforeEach(async () => {
  world = await World.begin();
});
afterEach(() => world.leave());

async function downloadDeferred(count: number): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    world.service.put(`o/${number}`, Buffer.from('x'), 'stranger');
    await world.download(`o/${number}`, 'deferred');
  }
}

test('polls requests that are likely to be complete first', async () => {
  const [count, processingMs] = [80, 3000];
  world.service.processingMs = processingMs;
  await downloadDeferred(count);
  await world.clock.advance(180_000);
  expect(await world.unfinished()).toBe(0);
  const atMs = (wanted: string) =>
    world.service.requests.filter(({ what }) => what === wanted).map((request) => request.atMs);
  const completedMs = atMs('start').map((startedMs) => startedMs + processingMs);
  const fetched = world.service.requests.filter(({ what }) => what === 'fetch');
  // The token tells which start it belongs to.
  const delaysMs = fetched
    .map((fetch) => fetch.atMs - (completedMs[Number(fetch.identifier.slice(1)) - 1] ?? NaN))
    .toSorted((a, b) => a - b);
  expect(delaysMs).toHaveLength(count);
  expect(delaysMs[count >> 1]).toBeLessThanOrEqual(1000);
  // The cost of early checks is limited.
  expect(atMs('check').length).toBeLessThanOrEqual(2 * count);
});

test('many requests that begin at once wait until a few show how long they take', async () => {
  const [count, processingMs] = [300, 20_000];
  world.service.processingMs = processingMs;
  await downloadDeferred(count);
  for (let second = 0; second < 60 && (await world.unfinished()) > 0; second += 1)
    await world.clock.advance(1000);
  expect(await world.unfinished()).toBe(0);
  const checks = world.service.requests.filter(({ what }) => what === 'check');
  expect(checks.length).toBeLessThanOrEqual(3 * count);
});

test('others take the place of scouts that are cancelled', async () => {
  world.service.processingMs = 20_000;
  await downloadDeferred(30);
  await world.clock.advance(5000);
  const polled = new Set(
    world.service.requests.filter(({ what }) => what === 'check').map(({ identifier }) => identifier),
  );
  expect(polled.size).toBe(8);
  const first = (await world.jobs()).toSorted((a, b) => a.id - b.id).slice(0, 8);
  await world.settle(world.engine.actions.cancel({ kind: 'ids', ids: first.map(({ id }) => id) }));
  expect((await world.jobs()).filter(({ state }) => state === 'cancelled')).toHaveLength(8);
  await world.clock.advance(30_000);
  expect(await world.unfinished()).toBe(0);
});

/** @returns how long a secret takes among many others, and how many of those end meanwhile */
async function secretAmongOthers(begin: () => Promise<void>, isDone: () => Promise<boolean> | boolean) {
  world.service.processingMs = 50_000;
  world.service.answerMs = 50;
  await downloadDeferred(240);
  // Some are complete, many are due for a check, and not all have started.
  await world.clock.advance(60_000);
  const openBefore = await world.unfinished();
  world.service.processingMs = 2000;
  const startedMs = world.clock.monotonicMs();
  await begin();
  for (let round = 0; round < 2000 && !(await isDone()); round += 1) await world.clock.advance(100);
  const tookMs = world.clock.monotonicMs() - startedMs;
  await world.clock.advance(30_000);
  return { tookMs, others: openBefore - (await world.unfinished()) };
}

test('storing a secret goes before everything else, and others continue', async () => {
  const { tookMs, others } = await secretAmongOthers(
    () => world.storeSecret(),
    async () => (await world.jobs()).some(({ kind, state }) => kind === 'secret' && state === 'done'),
  );
  expect(tookMs).toBeLessThan(4000);
  expect(others).toBeGreaterThan(10);
});

test('revealing a secret does so, too', { tags: 'all' }, async () => {
  let isRead = false;
  const { tookMs, others } = await secretAmongOthers(
    async () => {
      await world.readSecret();
      void Promise.all(world.reads).then(() => (isRead = true));
    },
    () => isRead,
  );
  expect(tookMs).toBeLessThan(4000);
  expect(others).toBeGreaterThan(10);
});
