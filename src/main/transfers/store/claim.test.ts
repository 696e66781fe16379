import { expect, test } from 'vitest';
import {
  newDownload,
  newUpload,
  origin,
  serviceId,
} from '../../../../test-support/main/transfers/store/record-factory.ts';
import { openStores } from '../../../../test-support/main/transfers/store/stores.ts';
import type { ObjectState } from '../../../shared/domain/object.ts';
import type { NewTransfer, QueueKind } from '../model/store-types.ts';

async function open() {
  const opened = await openStores([serviceId], () => 1);
  const { transfers, catalogue } = opened.stores;
  return {
    transfers,
    add: async (identifier: string, state: ObjectState) => {
      const [row] = await catalogue.add(serviceId, [{ kind: 'data', identifier, patch: { state } }]);
      return row?.record.id ?? 0;
    },
    enqueue: async (transfer: NewTransfer) => (await transfers.enqueue(serviceId, [transfer]))[0]?.id ?? 0,
    claim: async (queue: QueueKind) => {
      const wish = { serviceId, queue, limit: 10, includesIdle: true, origin };
      return (await transfers.claim(wish)).map(({ id }) => id);
    },
    stateOf: async (objectId: number) => (await catalogue.getMany([objectId]))[0]?.state,
    [Symbol.dispose]: () => opened[Symbol.dispose](),
  };
}

function deletion(objectId: number, identifier = 'a'): NewTransfer {
  return { ...newDownload(identifier, objectId), direction: 'delete', work: { kind: 'delete' } };
}

test('a deletion waits until the upload of its identifier has ended', async () => {
  using store = await open();
  const objectId = await store.add('a', 'stored');
  const upload = await store.enqueue(newUpload('a'));
  const removing = await store.enqueue(deletion(objectId));
  expect(await store.claim('small')).toEqual([upload]);
  expect(await store.claim('delete')).toEqual([]);
  await store.transfers.apply([
    { id: upload, change: { state: { name: 'done', outcome: null, savedPath: null } } },
  ]);
  expect(await store.claim('delete')).toEqual([removing]);
});

test('an upload waits for an earlier deletion, not for one of another origin', async () => {
  using store = await open();
  const objectId = await store.add('a', 'stored');
  const otherId = await store.add('b', 'stored');
  await store.enqueue(deletion(objectId));
  await store.enqueue({ ...deletion(otherId, 'b'), origin: 'https://other.example' });
  await store.enqueue(newUpload('a'));
  const free = await store.enqueue(newUpload('b'));
  expect(await store.claim('small')).toEqual([free]);
});

test('an upload does not wait for a later deletion that has not begun', async () => {
  using store = await open();
  const objectId = await store.add('a', 'stored');
  const upload = await store.enqueue(newUpload('a'));
  await store.enqueue(deletion(objectId));
  expect(await store.claim('small')).toEqual([upload]);
});

test('fails a deletion whose row is gone, with the next that it takes', async () => {
  using store = await open();
  const objectId = await store.add('a', 'stored');
  const gone = await store.enqueue(deletion(12_345, 'gone'));
  const next = await store.enqueue(deletion(objectId));
  expect(await store.claim('delete')).toEqual([gone, next]);
  expect(await store.transfers.getMany([gone])).toMatchObject([
    { state: { name: 'failed', error: { code: 'notFound', what: 'object' } }, finishedAtMs: 1 },
  ]);
});

test.each(['stored', 'unknown', 'missing', 'gone', 'failed'] as const)(
  'a deletion that is not begun gives a row its state %s back',
  async (state) => {
    using store = await open();
    const objectId = await store.add('a', state);
    const id = await store.enqueue(deletion(objectId));
    expect(await store.claim('delete')).toEqual([id]);
    expect(await store.stateOf(objectId)).toBe('deleting');
    await store.transfers.unclaim([id]);
    expect(await store.stateOf(objectId)).toBe(state);
    expect(await store.claim('delete')).toEqual([id]);
  },
);
