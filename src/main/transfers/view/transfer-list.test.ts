import { expect, it } from 'vitest';
import { openStores } from '../../../../test-support/main/transfers/store/stores.ts';
import {
  newUpload,
  origin,
  serviceId,
} from '../../../../test-support/main/transfers/store/record-factory.ts';
import { newActiveTransfer, type ActiveTransfer } from '../model/active-transfer.ts';
import type { TransferStore } from '../model/store-types.ts';
import type { Context } from '../run/context.ts';
import { createTransferList } from './transfer-list.ts';

const wish = { serviceId, queue: 'small', includesIdle: true, origin } as const;

function makeList(active: Map<number, ActiveTransfer>, store: TransferStore) {
  const breaker = { state: () => 'ready', heldUntilMs: () => null, trouble: () => null };
  const context = {
    active,
    store,
    breakers: { of: () => breaker, all: () => [] },
    batcher: { now: () => ({ wallMs: 1000, steadyMs: 0 }) },
    clock: { nowMs: () => 1000, monotonicMs: () => 0 },
    limits: { current: () => null },
  } as unknown as Context;
  const pauses = { isPaused: () => false, current: () => ({ serviceIds: [] }) } as never;
  return createTransferList(context, pauses, { overall: () => ({}) } as never);
}

it('reports an end to a command only once it is written', async () => {
  using opened = await openStores([serviceId], () => 1000);
  const { transfers: store } = opened.stores;
  await store.enqueue(serviceId, [newUpload('a')]);
  const [record] = await store.claim({ ...wish, limit: 1 });
  if (record === undefined) throw new Error('it was not claimed');
  const entry = newActiveTransfer(record, false, 0);
  const list = makeList(new Map([[record.id, entry]]), store);
  const outcome = { kind: 'skipped', isIdentical: true } as const;
  const change = { state: { name: 'done', outcome, savedPath: null }, finishedAtMs: 1000 } as const;
  entry.record = { ...record, ...change };
  const shown = async () => (await list.ofIds([record.id])).map(({ state }) => state);
  expect(await shown()).not.toContain('done');
  await store.apply([{ id: record.id, change }]);
  expect(await shown()).toEqual(['done']);
});

it('shows a snapshot: a transfer that starts during the query still waits', async () => {
  using opened = await openStores([serviceId], () => 1000);
  const { transfers: store } = opened.stores;
  await store.enqueue(serviceId, [newUpload('a'), newUpload('b'), newUpload('c')]);
  const active = new Map<number, ActiveTransfer>();
  const claim = async () => {
    for (const record of await store.claim({ ...wish, limit: 1 }))
      active.set(record.id, newActiveTransfer(record, true, 0));
  };
  const begin = () => {
    const run = { abort: new AbortController(), ended: Promise.resolve(), stop: null, hasTransferred: false };
    for (const entry of active.values()) Object.assign(entry, { isFresh: false, run });
  };
  const list = makeList(active, {
    ...store,
    async page(query) {
      await claim();
      begin();
      return store.page(query);
    },
  });
  const page = () => list.page({ tab: 'transfers', offset: 0, limit: 10 });
  const shown = async () => {
    const { rows, counts } = await page();
    return [counts.moving, counts.waiting, ...rows.map(({ identifier, state }) => `${identifier} ${state}`)];
  };

  await claim();
  expect(await shown()).toEqual([0, 3, 'a waiting', 'b waiting', 'c waiting']);
  expect(await shown()).toEqual([2, 1, 'a uploading', 'b uploading', 'c waiting']);
});
