import { expect, test } from 'vitest';
import { World } from '../../../../../test-support/main/transfers/world.ts';
import { openRememberedLimits } from './remembered-limits.ts';

function createConnections(origins: Record<string, string>) {
  return {
    serviceIds: () => Object.keys(origins),
    originOf: (serviceId: string) => origins[serviceId] ?? '',
  };
}

function createStore() {
  const values = new Map<string, unknown>();
  return {
    get: (collection: string, key: string) => Promise.resolve(values.get(`${collection} ${key}`)),
    async put(collection: string, key: string, value: unknown) {
      values.set(`${collection} ${key}`, value);
    },
  };
}

test('remembers what was learned of each service, by its address', async () => {
  const store = createStore();
  const before = await openRememberedLimits(store, createConnections({ p: 'https://one', q: 'https://two' }));
  expect(before.of('p')).toBeUndefined();
  await before.save(
    new Map([
      ['p', 40],
      ['q', 10],
    ]),
  );
  const origins = { p: 'https://one', r: 'https://two', s: 'https://three' };
  const after = await openRememberedLimits(store, createConnections(origins));
  expect(['p', 'q', 'r', 's'].map(after.of)).toEqual([40, undefined, 10, undefined]);
  await after.save(new Map([['s', 20]]));
  expect(['p', 'r', 's'].map(after.of)).toEqual([40, 10, 20]);
});

test('forgets services that are gone', async () => {
  const store = createStore();
  await (
    await openRememberedLimits(store, createConnections({ p: 'https://one', q: 'https://two' }))
  ).save(new Map([['q', 10]]));
  await (await openRememberedLimits(store, createConnections({ p: 'https://one' }))).save(new Map());
  const again = await openRememberedLimits(store, createConnections({ q: 'https://two' }));
  expect(again.of('q')).toBeUndefined();
});

test('an engine saves what it has learned when it closes, and the next one begins there', async () => {
  const world = await World.begin();
  world.settings = { ...world.settings, transfersAtOnce: 64 };
  world.service.answerMs = 50;
  // All at once: a limit that is not used up does not grow.
  await world.settle(world.engine.actions.pause('all', true));
  for (let number = 0; number < 60; number += 1) await world.upload(`up/${number}`);
  await world.settle(world.engine.actions.pause('all', false));
  await world.end();
  const { learned } = world.engine.breakers.gateOf('p');
  expect(learned).toBeGreaterThan(6);
  await world.reopen();
  expect(world.engine.breakers.gateOf('p').learned).toBe(learned);
  await world.leave();
});
