import { expect, onTestFinished, test } from 'vitest';
import {
  newUpload,
  origin,
  serviceId,
} from '../../../../test-support/main/transfers/store/record-factory.ts';
import { openStores } from '../../../../test-support/main/transfers/store/stores.ts';
import { World } from '../../../../test-support/main/transfers/world.ts';

test('what a cancel of everything has cancelled is restarted by its ids, and nothing else', async () => {
  const world = await World.begin();
  onTestFinished(() => world.leave());
  await world.upload('a/1', { text: 'arrived' });
  await world.finish();
  await world.settle(world.engine.actions.pause('all', true));
  for (const name of ['a/2', 'a/3']) await world.upload(name, { text: name });
  const ids = await world.engine.openIds({ tab: 'transfers' });
  expect(ids).toHaveLength(2);
  expect(await world.engine.openIds({ tab: 'jobs' })).toEqual([]);
  await world.settle(world.engine.actions.cancel({ kind: 'all', tab: 'transfers' }));
  expect(await world.engine.openIds({ tab: 'transfers' })).toEqual([]);
  expect((await world.engine.picked(ids)).map(({ state }) => state)).toEqual(['cancelled', 'cancelled']);
  await world.settle(world.engine.actions.retry({ kind: 'ids', ids }));
  await world.settle(world.engine.actions.pause('all', false));
  await world.finish();
  expect((await world.transfers()).map(({ state }) => state)).toEqual(['done', 'done', 'done']);
  expect(world.service.versions.get('a/1')).toHaveLength(1);
});

test('the rest of a batch is what of it was cancelled', async () => {
  using opened = await openStores([serviceId], () => 1);
  const { transfers } = opened.stores;
  const batch = await transfers.newBatch();
  const names = ['b/1', 'b/2', 'b/3'];
  const added = await transfers.enqueue(
    serviceId,
    names.map((name) => newUpload(name)),
    { id: batch, action: 'upload' },
  );
  await transfers.enqueue(serviceId, [newUpload('alone')]);
  const rest = async () => {
    await transfers.settled();
    return transfers.openIds({ cancelledOf: batch });
  };
  expect(await rest()).toEqual([]);
  await transfers.cancel({ kind: 'batch', batch });
  const ids = added.map(({ id }) => id);
  expect(await rest()).toEqual(ids);
  await transfers.retry({ kind: 'ids', ids }, new Map([[serviceId, origin]]));
  expect(await rest()).toEqual([]);
});

test('what a cancel of everything has cancelled is known at once, however many there are', async () => {
  using opened = await openStores([serviceId], () => 1);
  const { transfers } = opened.stores;
  const names = Array.from({ length: 2_000 }, (_, at) => `many/${at}`);
  await transfers.enqueue(
    serviceId,
    names.map((name) => newUpload(name)),
  );
  const ids = await transfers.openIds({ tab: 'transfers' });
  expect(ids).toHaveLength(2_000);
  await transfers.cancel({ kind: 'all', tab: 'transfers' });
  const states = (await transfers.getMany(ids)).map(({ state }) => state.name);
  expect(new Set(states)).toEqual(new Set(['cancelled']));
  await transfers.retry({ kind: 'ids', ids }, new Map([[serviceId, origin]]));
  expect(await transfers.openIds({ tab: 'transfers' })).toHaveLength(2_000);
});
