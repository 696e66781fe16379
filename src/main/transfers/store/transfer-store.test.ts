import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { makeFolder } from '../../../../test-support/main/database/folder.ts';
import { programFile } from '../../../../test-support/main/program.ts';
import { openTestDatabase } from '../../../../test-support/main/test-ports.ts';
import type { ClaimWish, NewTransfer, TransferStore } from '../model/store-types.ts';
import type { Tab } from '../../../shared/domain/transfer.ts';
import {
  serviceId,
  origin,
  newDownload,
  newUpload,
} from '../../../../test-support/main/transfers/store/record-factory.ts';
import { openStores } from '../../../../test-support/main/transfers/store/stores.ts';
import { eventually } from '../../../../test-support/eventually.ts';

const history = { action: 'uploaded' } as const;

async function openStore() {
  const database = await openTestDatabase();
  await database.documents.put('services', serviceId, {});
  return database;
}

function wish(queue: ClaimWish['queue'], limit = 10): ClaimWish {
  return { serviceId, queue, limit, includesIdle: true, origin };
}

async function waitingIds(
  store: Pick<TransferStore, 'page'>,
  tab: Tab = 'transfers',
  limit = 100,
): Promise<number[]> {
  const plain = { tab, groups: [{ group: 'waiting' }], offset: 0, limit, filter: '', exceptIds: [] } as const;
  return (await store.page(plain)).flatMap(({ records }) => records.map(({ id }) => id));
}

const deletion = (objectId: number, identifier: string): NewTransfer => ({
  ...newDownload(identifier, objectId),
  direction: 'delete',
  work: { kind: 'delete' },
});
const secret = (identifier: string): NewTransfer => ({
  ...newUpload(identifier),
  kind: 'secret',
  route: 'deferred',
  work: { kind: 'storeSecret', classification: null, sourceName: null, addedRow: false },
});

describe('rows of the list', () => {
  it('the list shows those that a transfer adds, changes or removes, with a change event', async () => {
    const { transfers, catalogue } = await openStore();
    const revisions: number[] = [];
    catalogue.onChanged((_, revision) => revisions.push(revision));
    // From here on, the list is kept in memory.
    expect((await catalogue.collections(serviceId)).all).toBe(0);
    const [first, second] = await transfers.enqueue(serviceId, [newUpload('a'), newUpload('b')]);
    expect(revisions).toHaveLength(1);
    expect((await catalogue.collections(serviceId)).all).toBe(2);
    const ids = [first?.id ?? 0, second?.id ?? 0];
    await transfers.claim(wish('small'));
    const done = { name: 'done', outcome: null, savedPath: null } as const;
    await transfers.apply([
      {
        id: ids[0] ?? 0,
        change: { state: done },
        row: { kind: 'stored', patch: { lengthBytes: 9 }, history },
      },
      { id: ids[1] ?? 0, change: { state: { name: 'cancelled' } }, row: { kind: 'remove' } },
    ]);
    expect((await catalogue.collections(serviceId)).all).toBe(1);
    expect(await catalogue.getMany([first?.objectId ?? 0])).toMatchObject([
      { state: 'stored', lengthBytes: 9 },
    ]);
    expect(revisions.length).toBeGreaterThan(1);
  });

  it('adds them for many uploads at once, each in its order, and once for an identifier', async () => {
    const { transfers, catalogue } = await openStore();
    const [before] = await catalogue.add(serviceId, [{ kind: 'data', identifier: 'there', patch: {} }]);
    const names = Array.from({ length: 120 }, (_, index) => `file ${String(index)}`);
    names[70] = 'there';
    names[90] = 'file 3';
    const added = await transfers.enqueue(
      serviceId,
      names.map((name) => newUpload(name)),
    );
    expect(added[70]?.objectId).toBe(before?.record.id);
    expect(added[90]?.objectId).toBe(added[3]?.objectId);
    const claimed = await transfers.claim(wish('small', 200));
    expect(claimed.map(({ id, identifier, objectId }) => [id, identifier, objectId])).toEqual(
      added.map(({ id, objectId }, index) => [id, names[index], objectId]),
    );
    const finds = claimed.flatMap(({ work, identifier }, index) =>
      work.kind === 'upload' && !work.addedRow ? [`${String(index)} ${identifier}`] : [],
    );
    expect(finds).toEqual(['70 there', '90 file 3']);
    expect((await catalogue.collections(serviceId)).all).toBe(119);
  });

  it('adds them again if they were removed while their upload was verified', async () => {
    const { transfers, catalogue } = await openStore();
    const [given] = await transfers.enqueue(serviceId, [newUpload('a')]);
    await transfers.claim(wish('small'));
    await catalogue.remove([given?.objectId ?? 0]);
    const row = { kind: 'stored', patch: { lengthBytes: 9 }, history } as const;
    await transfers.apply([{ id: given?.id ?? 0, change: {}, row }]);
    const found = await catalogue.findByIdentifiers(serviceId, 'data', ['a']);
    expect(found.get('a')).toMatchObject({ state: 'stored', lengthBytes: 9 });
    expect((await transfers.getMany([given?.id ?? 0]))[0]?.objectId).toBe(found.get('a')?.id);
  });

  it('stored by another upload stay stored when the first one finds that object', async () => {
    const { transfers, catalogue } = await openStore();
    const [first, second] = await transfers.enqueue(serviceId, [newUpload('a'), newUpload('a')]);
    await transfers.claim(wish('small'));
    const stored = { lengthBytes: 9, sha256: 'aa' };
    await transfers.apply([
      { id: second?.id ?? 0, change: {}, row: { kind: 'stored', patch: stored, history } },
      {
        id: first?.id ?? 0,
        change: {},
        row: { kind: 'stored', patch: { state: 'failed', lengthBytes: 9, sha256: null }, history },
      },
    ]);
    expect(await catalogue.getMany([first?.objectId ?? 0])).toMatchObject([{ state: 'stored', ...stored }]);
  });

  it('changed since a HEAD was sent ignore its answer', async () => {
    const { transfers, catalogue } = await openStore();
    const [row] = await catalogue.add(serviceId, [
      { kind: 'data', identifier: 'a', patch: { state: 'stored' } },
    ]);
    const objectId = row?.record.id ?? 0;
    const [given] = await transfers.enqueue(serviceId, [newDownload('a', objectId)]);
    const [asked] = await transfers.rows([objectId]);
    await catalogue.update([{ id: objectId, patch: { note: 'no other object' } }]);
    expect((await transfers.rows([objectId]))[0]?.epoch).toBe(asked?.epoch);
    await catalogue.update([{ id: objectId, patch: { state: 'gone' } }]);
    const history = { action: 'downloadFailed', detail: 'missing' } as const;
    const epoch = asked?.epoch ?? 0;
    const seen = { kind: 'seen', seen: { present: true, lengthBytes: 3 }, epoch, history } as const;
    const late = { ...seen, kind: 'downloaded', sha256: 'aa', lengthBytes: 3, isFresh: true } as const;
    const id = given?.id ?? 0;
    expect(
      await transfers.apply([
        { id, change: {}, row: seen },
        { id, change: {}, row: late },
      ]),
    ).toEqual([
      { isThere: true, rowChanged: false },
      { isThere: true, rowChanged: false },
    ]);
    expect(await catalogue.getMany([objectId])).toMatchObject([
      { state: 'gone', lengthBytes: null, sha256: null },
    ]);
    expect(await catalogue.history(objectId, 9)).toMatchObject([{ action: 'downloaded' }, history]);
  });

  it('stored again during their deletion stay stored', async () => {
    const { transfers, catalogue } = await openStore();
    const [row] = await catalogue.add(serviceId, [
      { kind: 'data', identifier: 'a', patch: { state: 'stored' } },
    ]);
    const objectId = row?.record.id ?? 0;
    const [up, down] = await transfers.enqueue(serviceId, [newUpload('a'), deletion(objectId, 'a')]);
    const [removing] = await transfers.claim(wish('delete'));
    expect(removing).toMatchObject({
      id: down?.id,
      state: { name: 'deleting', isAnswered: false, looks: 0 },
    });
    // The upload waits for the deletion.
    expect(await transfers.claim(wish('small'))).toEqual([]);
    const done = { state: { name: 'done', outcome: null, savedPath: null } } as const;
    await transfers.apply([
      { id: up?.id ?? 0, change: done, row: { kind: 'stored', patch: {}, history } },
      { id: down?.id ?? 0, change: done, row: { kind: 'deleted', state: 'gone', history } },
    ]);
    expect(await catalogue.getMany([objectId])).toMatchObject([{ state: 'stored' }]);
  });
});

describe('enqueue', () => {
  it('rejects a missing service, and writes nothing', async () => {
    const { transfers, documents, catalogue } = await openStore();
    await documents.delete('services', serviceId);
    await expect(transfers.enqueue(serviceId, [newUpload('a')])).rejects.toMatchObject({
      error: { code: 'notFound', what: 'service' },
    });
    expect((await catalogue.collections(serviceId)).all).toBe(0);
    expect(await transfers.counts()).toEqual([]);
  });

  it('rejects all of it if it contains an existing secret', async () => {
    const { transfers, catalogue } = await openStore();
    await catalogue.add(serviceId, [{ kind: 'secret', identifier: 's', patch: { state: 'stored' } }]);
    await expect(transfers.enqueue(serviceId, [newUpload('a'), secret('s')])).rejects.toMatchObject({
      error: { code: 'exists' },
    });
    expect(await catalogue.findByIdentifiers(serviceId, 'data', ['a'])).toEqual(new Map());
    expect(await transfers.counts()).toEqual([]);
    const [given] = await transfers.enqueue(serviceId, [newUpload('a')]);
    expect(await transfers.getMany([given?.id ?? 0])).toMatchObject([{ identifier: 'a', origin }]);
  });

  it('reads them in the order of the ids, without those that are unknown', async () => {
    const { transfers } = await openStore();
    const given = await transfers.enqueue(
      serviceId,
      ['a', 'b', 'c'].map((name) => newUpload(name)),
    );
    const [a = 0, , c = 0] = given.map(({ id }) => id);
    expect(await transfers.getMany([c, 999, a])).toMatchObject([{ identifier: 'c' }, { identifier: 'a' }]);
    expect(await transfers.getMany([])).toEqual([]);
  });
});

describe('move', () => {
  it('allows any number of moves to the same place', async () => {
    using opened = await openStores([serviceId], () => 1);
    const { transfers } = opened.stores;
    const given = await transfers.enqueue(
      serviceId,
      Array.from({ length: 2500 }, (_, n) => newDownload(`d${String(n)}`, n)),
    );
    const ids = given.map(({ id }) => id);
    // Always move the last before the second: the gap between the two keys halves each time.
    let expected = ids;
    const target = ids[1] ?? 0;
    for (let round = 0; round < 200; round += 1) {
      const last = expected.at(-1) ?? 0;
      await transfers.reorder([last], target);
      const rest = expected.slice(0, -1);
      const at = rest.indexOf(target);
      expected = [...rest.slice(0, at), last, ...rest.slice(at)];
    }
    expect(await waitingIds(transfers, 'transfers', 5000)).toEqual(expected);
    const claimed = await transfers.claim(wish('small', 5));
    expect(claimed.map(({ id }) => id)).toEqual(expected.slice(0, 5));
  });
});

it('pages through its groups as one list, with active records between them', async () => {
  const { transfers } = await openStore();
  await transfers.enqueue(serviceId, ['a', 'b', 'c', 'd'].map(newUpload));
  const [first, second] = await transfers.claim(wish('small', 2));
  const done = { name: 'done', outcome: null, savedPath: null } as const;
  await transfers.apply([{ id: first?.id ?? 0, change: { state: done } }]);
  const groups = [{ group: 'running' }, { group: 'waiting', after: 2 }, { group: 'done' }] as const;
  const found = await transfers.page({
    tab: 'transfers',
    groups,
    offset: 2,
    limit: 3,
    filter: '',
    exceptIds: [second?.id ?? 0],
  });
  const shown = found.map(({ total, records }) => [total, ...records.map(({ identifier }) => identifier)]);
  expect(shown).toEqual([[0], [2, 'c', 'd'], [1, 'a']]);
});

describe('bulk updates', () => {
  it('take effect at once, not for later records, and survive a kill half-way', async () => {
    using opened = await openStores([serviceId], () => 1);
    const { transfers } = opened.stores;
    const count = 3000;
    await transfers.enqueue(
      serviceId,
      Array.from({ length: count }, (_, n) => newUpload(`u${String(n)}`)),
    );
    expect(await transfers.pause({ kind: 'all' }, true)).toBe(count);
    expect(await transfers.claim(wish('small'))).toEqual([]);
    const [first] = await waitingIds(transfers);
    expect(await transfers.cancel({ kind: 'service', serviceId })).toBe(count);
    expect(await transfers.claim({ ...wish('small'), ids: [first ?? 0] })).toEqual([]);
    expect(await waitingIds(transfers)).toEqual([]);
    expect(await transfers.counts()).toMatchObject([{ state: 'cancelled', count }]);
    const [late] = await transfers.enqueue(serviceId, [newUpload('late'), newUpload('u7')]);
    const objects = () => Number(opened.db.prepare('SELECT count(*) AS n FROM object').get()?.['n']);
    expect(objects()).toBeGreaterThan(1000);
    opened.reopen();
    const again = opened.stores.transfers;
    const sums = async () => Object.fromEntries((await again.counts()).map((sum) => [sum.state, sum.count]));
    expect(await sums()).toEqual({ cancelled: count, waiting: 2 });
    await again.settled();
    expect(await sums()).toEqual({ cancelled: count, waiting: 2 });
    expect((await again.claim(wish('small'))).map(({ id }) => id)).toEqual([late?.id, (late?.id ?? 0) + 1]);
    expect(objects()).toBe(2);
    expect(opened.db.prepare('SELECT count(*) AS n FROM sweep').get()).toEqual({ n: 0 });
  });

  it('of a large batch take effect at once, and survive a kill half-way', async () => {
    using opened = await openStores([serviceId], () => 1);
    const { transfers } = opened.stores;
    const count = 3000;
    const batch = await transfers.newBatch();
    const which = { kind: 'batch', batch } as const;
    for (let n = 0; n < count; n += 500) {
      const names = Array.from({ length: 500 }, (_, index) => `u${String(n + index)}`);
      await transfers.enqueue(serviceId, names.map(newUpload), { id: batch, action: 'upload' });
    }
    const [other] = await transfers.enqueue(serviceId, [newUpload('other')]);
    const inDatabase = (condition: string) =>
      Number(opened.db.prepare(`SELECT count(*) AS n FROM transfer WHERE ${condition}`).get()?.['n']);

    expect(await transfers.pause(which, true)).toBe(count);
    expect(await transfers.batch(batch)).toMatchObject({ open: count, paused: count });
    expect((await transfers.claim(wish('small'))).map(({ id }) => id)).toEqual([other?.id]);
    expect(inDatabase('turn = 2')).toBeLessThan(count);
    opened.reopen();
    expect(await opened.stores.transfers.batch(batch)).toMatchObject({ open: count, paused: count });
    await opened.stores.transfers.settled();
    expect(inDatabase('turn = 2 AND paused = 1')).toBe(count);

    expect(await opened.stores.transfers.pause(which, false)).toBe(count);
    await opened.stores.transfers.setPriority(which, 'whenIdle');
    await opened.stores.transfers.setPriority({ kind: 'ids', ids: [count] }, 'now');
    opened.reopen();
    await opened.stores.transfers.settled();
    expect(inDatabase('turn = 0 AND paused = 0 AND priority = 2')).toBe(count - 1);
    expect(inDatabase('turn = 0 AND paused = 0 AND priority = 0')).toBe(1);

    expect(await opened.stores.transfers.cancel(which)).toBe(count);
    const over = { open: 0, cancelled: count, openBytes: 0, finishedAtMs: 1 };
    expect(await opened.stores.transfers.batch(batch)).toMatchObject(over);
    opened.reopen();
    expect(await opened.stores.transfers.batch(batch)).toMatchObject(over);
    await opened.stores.transfers.settled();
    expect(inDatabase('state = 13')).toBe(count);
    expect(await opened.stores.transfers.batch(batch)).toMatchObject(over);
  });

  it('retry those of a large batch, also after a kill half-way, unless they are cancelled meanwhile', async () => {
    using opened = await openStores([serviceId], () => 1);
    const { transfers } = opened.stores;
    const count = 1500;
    const batch = await transfers.newBatch();
    const which = { kind: 'batch', batch } as const;
    const ids: number[] = [];
    for (let n = 0; n < count; n += 500) {
      const names = Array.from({ length: 500 }, (_, index) => `u${String(n + index)}`);
      const added = await transfers.enqueue(serviceId, names.map(newUpload), { id: batch, action: 'upload' });
      ids.push(...added.map(({ id }) => id));
    }
    const error = { code: 'forbidden', status: 403 } as const;
    await transfers.apply(ids.map((id) => ({ id, change: { state: { name: 'failed', error } } })));
    const moved = new Map([[serviceId, 'https://other.example']]);

    expect(await transfers.retry(which, moved)).toBe(count);
    await transfers.pause(which, true);
    opened.reopen();
    await opened.stores.transfers.settled();
    expect(await opened.stores.transfers.batch(batch)).toMatchObject({
      open: count,
      paused: count,
      failed: 0,
    });
    const [last] = await opened.stores.transfers.getMany(ids.slice(-1));
    expect(last).toMatchObject({ origin: 'https://other.example', isPaused: true });

    await opened.stores.transfers.apply(
      ids.map((id) => ({ id, change: { state: { name: 'failed', error } } })),
    );
    await opened.stores.transfers.retry(which, moved);
    await opened.stores.transfers.cancel(which);
    await opened.stores.transfers.settled();
    expect(await opened.stores.transfers.batch(batch)).toMatchObject({
      open: 0,
      // All but the first slice, which is restarted at once.
      failed: count - 100,
      cancelled: 100,
    });
  });

  it('remove all transfers of a service', async () => {
    const { transfers, catalogue } = await openStore();
    await transfers.enqueue(
      serviceId,
      Array.from({ length: 1200 }, (_, n) => newUpload(`u${String(n)}`)),
    );
    await transfers.claim(wish('small', 3));
    await transfers.removeService(serviceId);
    expect(await transfers.counts()).toEqual([]);
    // What was sent may be stored; rows of what was not sent are removed.
    const { rows } = await catalogue.page(
      {
        serviceId,
        kind: 'data',
        place: { kind: 'all' },
        search: '',
        sort: { column: 'identifier', direction: 'ascending' },
      },
      0,
      10,
    );
    expect(rows.map(({ identifier, state }) => [identifier, state])).toEqual([
      ['u0', 'unknown'],
      ['u1', 'unknown'],
      ['u2', 'unknown'],
    ]);
    await catalogue.removeService(serviceId);
    await transfers.enqueue(serviceId, [newUpload('a')]);
    expect(await transfers.counts()).toMatchObject([{ state: 'waiting', count: 1 }]);
  });
});

describe('a process killed during transfers', () => {
  it('leaves each record and row as promised', async () => {
    await using folder = await makeFolder();
    const writer = programFile('test-support/main/transfers/store/writer.ts');
    const child = spawn(process.execPath, ['--no-warnings', writer, folder.path], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit');
    let rounds = 0;
    for await (const _ of createInterface(child.stdout)) {
      rounds += 1;
      if (rounds === 10) child.kill('SIGKILL');
    }
    await exited;
    const { transfers, catalogue } = await folder.open();
    const inWork = await transfers.interrupted();
    for (const { objectId, state } of inWork) {
      expect(state).toEqual({ name: 'sending' });
      expect(await catalogue.getMany([objectId ?? 0])).toMatchObject([{ state: 'uploading' }]);
    }
    const sums = await transfers.counts();
    const all = sums.reduce((sum, { count }) => sum + count, 0);
    expect(all).toBeGreaterThanOrEqual(rounds * 8);
    expect(all % 8).toBe(0);
    const done = sums.find(({ state }) => state === 'done')?.count ?? 0;
    expect(done).toBeGreaterThanOrEqual(rounds * 4);
    expect(await catalogue.idsInStates(serviceId, ['stored'])).toHaveLength(done);
    await eventually(async () => {
      expect(await transfers.unfinished(serviceId)).toBe(all - done);
    });
  });
});
