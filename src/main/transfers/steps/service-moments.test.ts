import { afterEach, beforeEach, expect, test } from 'vitest';
import { serviceId } from '../../../../test-support/main/transfers/world-acts.ts';
import { World } from '../../../../test-support/main/transfers/world.ts';

/** Times that are compared between the lists of several computers come from the service's clock. */

const aheadMs = 600_000;
let world: World;
beforeEach(async () => {
  world = await World.begin();
  world.service.aheadMs = aheadMs;
});
afterEach(() => world.leave());

/** How long ago, by the service's clock; null: never. */
async function agesOf(identifier: string) {
  const row = await world.rowOf(identifier);
  const nowMs = world.clock.nowMs() + aheadMs;
  const ageOf = (atMs: number | null | undefined) => (atMs == null ? null : nowMs - atMs);
  return { storedMs: ageOf(row?.storedAtMs), checkedMs: ageOf(row?.checkedAtMs) };
}

function expectWithin(ageMs: number | null, maxMs: number): void {
  expect(ageMs).toBeGreaterThanOrEqual(0);
  expect(ageMs).toBeLessThanOrEqual(maxMs);
}

test('of an upload, a download and a deletion', async () => {
  await world.upload('a');
  await world.clock.advance(60_000);
  const { storedMs, checkedMs } = await agesOf('a');
  expectWithin(storedMs, 60_000);
  expectWithin(checkedMs, 60_000);
  const id = (await world.rowOf('a'))?.id ?? 0;
  await world.engine.enqueue.downloads(serviceId, [id], { saveAsPath: null, route: 'direct' });
  await world.clock.advance(30_000);
  expectWithin((await agesOf('a')).checkedMs, 30_000);
  await world.engine.enqueue.deletions(serviceId, Float64Array.of(id));
  await world.clock.advance(20_000);
  expect(await world.rowOf('a')).toMatchObject({ state: 'gone' });
  expectWithin((await agesOf('a')).checkedMs, 20_000);
});

test('of a skipped upload and of a Replace', async () => {
  world.service.put('a', Buffer.from('theirs'), 'stranger');
  await world.upload('a', { ifExists: 'skip' });
  await world.clock.advance(30_000);
  expectWithin((await agesOf('a')).checkedMs, 30_000);
  await world.upload('a', { ifExists: 'replace' });
  await world.clock.advance(300_000);
  const { storedMs } = await agesOf('a');
  expectWithin(storedMs, 300_000);
  expect(storedMs).not.toBeNull();
});
