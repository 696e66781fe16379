import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { World } from '../../../../test-support/main/transfers/world.ts';
import type { Tab } from '../../../shared/domain/transfer.ts';
import { claimSizes } from '../model/batches.ts';

const minuteMs = 60_000;
const none = { done: 0, moving: 0, waiting: 0 };

let world: World;
beforeEach(async () => {
  world = await World.begin();
  onTestFinished(() => world.leave());
});

async function summaryOf(tab: Tab) {
  const { summary } = await world.settle(world.engine.page({ tab, offset: 0, limit: 1 }));
  return summary[tab];
}

const put = (identifier: string) => world.service.put(identifier, Buffer.from('bytes'), 'stranger');

async function download(identifiers: readonly string[], route: 'direct' | 'deferred' = 'direct') {
  for (const identifier of identifiers) {
    put(identifier);
    await world.download(identifier, route);
  }
}

test('counts by direction what runs, what is claimed ahead, and what is only stored', async () => {
  await download(['a', 'b', 'c']);
  put('asked');
  await world.upload('asked');
  await world.clock.advance(minuteMs);
  expect(await summaryOf('transfers')).toMatchObject({
    unanswered: 1,
    byDirection: { upload: none, download: { ...none, done: 3 } },
  });

  world.settings = { ...world.settings, transfersAtOnce: 8 };
  world.service.answerMs = minuteMs;
  await world.delete('a');
  await download(['d', 'e']);
  const uploads = claimSizes.small + 10;
  for (let count = 0; count < uploads; count += 1) await world.upload(`up/${count}`);
  await world.clock.advance(1000);
  const { counts, byDirection } = await summaryOf('transfers');
  const moving = counts.moving - 2;
  expect(moving).toBeGreaterThan(0);
  expect(byDirection).toEqual({
    upload: { done: 0, moving, waiting: uploads - moving },
    download: { done: 3, moving: 2, waiting: 0 },
  });
  expect(await summaryOf('jobs')).toMatchObject({ byDirection: { upload: none, download: none } });
});

test('counts deferred requests by direction, also while their windows are about to close', async () => {
  world.service.processingMs = minuteMs;
  await world.upload('a', { route: 'deferred' });
  await world.upload('b', { route: 'deferred' });
  await download(['c'], 'deferred');
  await world.clock.advance(5000);
  const moving = { upload: { ...none, moving: 2 }, download: { ...none, moving: 1 } };
  expect(await summaryOf('jobs')).toMatchObject({ counts: { moving: 3 }, byDirection: moving });
  world.setWeather({ kind: 'unreachable' });
  await world.clock.advance(28 * minuteMs);
  expect(await summaryOf('jobs')).toMatchObject({ counts: { closing: 3 }, byDirection: moving });
  world.setWeather({ kind: 'fine' });
  await world.clock.advance(minuteMs);
  expect(await summaryOf('jobs')).toMatchObject({
    byDirection: { upload: { ...none, done: 2 }, download: { ...none, done: 1 } },
  });
  expect(await summaryOf('transfers')).toMatchObject({ byDirection: { upload: none, download: none } });
});

test('a secret that is read counts with what goes on, but is none of the jobs, nor is its failure', async () => {
  world.service.processingMs = minuteMs;
  await world.readSecret();
  await world.clock.advance(1000);
  const counts = { closing: 0, needsYou: 0, moving: 0, waiting: 0, done: 0 };
  const notListed = { counts, active: 0, failed: 0, byDirection: { upload: none, download: none } };
  expect(await summaryOf('jobs')).toMatchObject(notListed);
  expect((await world.settle(world.engine.summary())).goingOn).toBe(1);
  await world.clock.advance(2 * minuteMs);
  world.service.refuses = ({ what }) => (what === 'start' ? { code: 'forbidden', status: 403 } : null);
  await world.readSecret();
  await world.clock.advance(1000);
  expect(await summaryOf('jobs')).toMatchObject(notListed);
  expect((await world.settle(world.engine.summary())).goingOn).toBe(0);
});
