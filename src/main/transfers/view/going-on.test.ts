import { afterEach, beforeEach, expect, test } from 'vitest';
import { serviceId, startBench, until, type Bench } from '../../../../test-support/main/transfers/bench.ts';

let bench: Bench;
beforeEach(async () => {
  bench = await startBench();
});
afterEach(() => bench.close());

const makeItems = (count: number) =>
  Promise.all(Array.from({ length: count }, (_, index) => bench.makeFile(`f${index}`, 'x')));
const goingOn = async () => (await bench.engine.summary()).goingOn;
const unpaused = async () => (await bench.engine.summary()).unpaused;
const posts = () => bench.server.requests.filter(({ method }) => method === 'POST').length;

test.each([1, 2, 40])(
  '%d transfers that wait for a token do not count until there is a new one',
  async (count) => {
    bench.server.plan = ({ method }) => (method === 'POST' ? { status: 401 } : null);
    const ids = await bench.upload(await makeItems(count));
    await bench.settled();
    await expect.poll(goingOn).toBe(0);
    bench.server.plan = ({ method }) => (method === 'POST' ? { delayMs: 30_000 } : null);
    bench.setToken(bench.server.token);
    await expect.poll(goingOn).toBe(count);
    await bench.engine.actions.cancel({ kind: 'ids', ids });
    await expect.poll(goingOn).toBe(0);
  },
);

test('a missing token counts as a refused one', async () => {
  bench.setToken(null);
  await bench.upload(await makeItems(3));
  await bench.settled();
  await expect.poll(goingOn).toBe(0);
});

test.each([
  ['everything', () => 'all' as const],
  ['the service', () => ({ serviceId })],
  ['each of them', (ids: number[]) => ids],
])('with %s paused no transfer counts, and all do when resumed', async (_what, which) => {
  await bench.engine.actions.pause({ serviceId }, true);
  const ids = await bench.upload(await makeItems(40));
  await bench.engine.actions.pause(which(ids), true);
  if (Array.isArray(which(ids))) await bench.engine.actions.pause({ serviceId }, false);
  await expect.poll(goingOn).toBe(0);
  await bench.restart();
  await expect.poll(goingOn).toBe(0);
  bench.server.plan = ({ method }) => (method === 'POST' ? { delayMs: 30_000 } : null);
  await bench.engine.actions.pause(which(ids), false);
  await bench.engine.actions.pause('all', false);
  await expect.poll(goingOn).toBe(40);
  await bench.engine.actions.cancel({ kind: 'ids', ids });
  await expect.poll(goingOn).toBe(0);
});

test('counts only running transfers while everything is paused, and waiting ones too in a paused hour that will end', async () => {
  bench.server.plan = ({ method }) => (method === 'POST' ? { delayMs: 30_000 } : null);
  const ids = await bench.upload(await makeItems(6));
  await until(posts).toBe(4);
  await bench.engine.actions.pause('all', true);
  await expect.poll(goingOn).toBe(4);
  expect(await unpaused()).toBe(4);
  await bench.engine.actions.pause('all', false);
  expect(await unpaused()).toBe(6);
  const [now, later] = ['paused', 'full'] as const;
  const day = (new Date(bench.clock.nowMs()).getDay() + 6) % 7;
  const hours = Array.from({ length: 168 }, (_, hour) =>
    Math.floor(hour / 24) === (day + 3) % 7 ? later : now,
  );
  bench.settings = { ...bench.settings, limitByHour: true, hours };
  bench.engine.limitsChanged();
  expect([await goingOn(), await unpaused()]).toEqual([6, 4]);
  bench.settings = { ...bench.settings, hours: hours.map(() => now) };
  bench.engine.limitsChanged();
  expect(await goingOn()).toBe(4);
  await bench.engine.actions.cancel({ kind: 'ids', ids });
});

test('deletions count, also while everything is paused, and prompts do not', async () => {
  await bench.store('up/f0', 'old');
  await bench.upload(await makeItems(1));
  await until(async () => (await bench.summary()).unanswered).toBe(1);
  expect(await goingOn()).toBe(0);
  bench.server.plan = () => ({ delayMs: 30_000 });
  await bench.engine.actions.pause('all', true);
  const ids = await Promise.all(['a', 'b', 'c'].map((name) => bench.store(name, 'x')));
  await bench.engine.enqueue.deletions(serviceId, ids);
  expect([await goingOn(), await unpaused()]).toEqual([3, 3]);
});
