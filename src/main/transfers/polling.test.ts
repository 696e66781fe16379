import { afterEach, beforeEach, expect, test } from 'vitest';
import { World } from '../../../test-support/main/transfers/world.ts';

let world: World;
beforeEach(async () => {
  world = await World.begin();
});
afterEach(() => world.leave());

test('with few requests a second what is likely to be complete is asked for first', async () => {
  const [count, processingMs] = [80, 3000];
  world.settings = { ...world.settings, jobRequestsPerSecond: 4 };
  world.service.processingMs = processingMs;
  for (let number = 0; number < count; number += 1) {
    world.service.put(`o/${number}`, Buffer.from('x'), 'stranger');
    await world.download(`o/${number}`, 'deferred');
  }
  await world.clock.advance(180_000);
  expect(await world.unfinished()).toBe(0);
  const atMs = (wanted: string) =>
    world.service.requests.filter(({ what }) => what === wanted).map((request) => request.atMs);
  const completedMs = atMs('start').map((startedMs) => startedMs + processingMs);
  const fetched = world.service.requests.filter(({ what }) => what === 'fetch');
  // A token says which start it is of.
  const delaysMs = fetched
    .map((fetch) => fetch.atMs - (completedMs[Number(fetch.identifier.slice(1)) - 1] ?? NaN))
    .toSorted((a, b) => a - b);
  expect(delaysMs).toHaveLength(count);
  expect(delaysMs[count >> 1]).toBeLessThanOrEqual(1000);
  // Looks that come too early are paid for by those that wait.
  expect(atMs('check').length).toBeLessThanOrEqual(2 * count);
});
