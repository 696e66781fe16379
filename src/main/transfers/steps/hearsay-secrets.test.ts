import { afterEach, beforeEach, expect, test } from 'vitest';
import { serviceId } from '../../../../test-support/main/transfers/world-acts.ts';
import { World } from '../../../../test-support/main/transfers/world.ts';

/** Storing a secret that only an imported list has, and nobody here has used. */

let world: World;
beforeEach(async () => {
  world = await World.begin();
  world.service.processingMs = 5000;
  await world.database.catalogue.add(serviceId, [
    {
      kind: 'secret',
      identifier: 'key',
      patch: { state: 'stored', lengthBytes: 3, sha256: 'ab'.repeat(32), checkedAtMs: 5, unverified: 7 },
    },
  ]);
});
afterEach(() => world.leave());

const store = (storesUnseen: boolean) =>
  world.engine.enqueue.storeSecret(serviceId, {
    identifier: 'key',
    classification: null,
    value: Buffer.from('mine'),
    sourceName: null,
    storesUnseen,
  });

test('“exists” says that it is only claimed, and Store anyway stores the secret', async () => {
  await expect(store(false)).rejects.toMatchObject({ error: { code: 'exists', isUnseen: true } });
  await store(true);
  await world.clock.advance(60_000);
  expect(String(world.service.secrets.get('key'))).toBe('mine');
  const row = await world.rowOf('key', 'secret');
  // Claimed uses were of another value.
  expect(row).toMatchObject({ state: 'stored', lengthBytes: 4, sha256: null, checkedAtMs: null });
  expect(row).not.toHaveProperty('unverified');
  // Now it is known from the service.
  await expect(store(true)).rejects.toMatchObject({ error: { code: 'exists' } });
});

test('Store anyway replaces nothing: the service answers 409', async () => {
  world.service.secrets.set('key', Buffer.from('theirs'));
  await store(true);
  await world.clock.advance(60_000);
  expect(String(world.service.secrets.get('key'))).toBe('theirs');
  expect(await world.jobs()).toMatchObject([{ state: 'failed', error: { code: 'exists' } }]);
  expect(await world.rowOf('key', 'secret')).toMatchObject({ state: 'unknown' });
});

test('cancelling Store anyway leaves the list unchanged', async () => {
  await store(true);
  await world.settle(world.engine.actions.cancel({ kind: 'all' }));
  await world.clock.advance(60_000);
  expect(await world.rowOf('key', 'secret')).toMatchObject({ state: 'unknown' });
});
