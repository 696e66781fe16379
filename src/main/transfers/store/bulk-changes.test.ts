import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { makeFolder } from '../../../../test-support/main/database/folder.ts';
import {
  newDownload,
  newUpload,
  origin,
  serviceId,
} from '../../../../test-support/main/transfers/store/record-factory.ts';
import { openStores } from '../../../../test-support/main/transfers/store/stores.ts';
import type { NewTransfer, Which } from '../model/store-types.ts';
import { priorityCodes } from './codes.ts';

const forbidden = { code: 'forbidden', status: 403 } as const;
const other = 'https://other.example';

async function openBatch(
  count: number,
  make: (n: number) => NewTransfer = (n) => newUpload(`u${String(n)}`),
) {
  const opened = await openStores([serviceId], () => 1);
  const { transfers } = opened.stores;
  const batch = await transfers.newBatch();
  const all = Array.from({ length: count }, (_, n) => make(n));
  const added = await transfers.enqueue(serviceId, all, { id: batch, action: 'upload' });
  const ids = added.map(({ id }) => id);
  return { opened, transfers, ids, batch, which: { kind: 'batch', batch } as const };
}

for (const count of [20, 1200]) {
  it(`fails the one of ${String(count)} that cannot be cancelled, and cancels the others`, async () => {
    const { opened, transfers, ids, batch, which } = await openBatch(count);
    using _ = opened;
    const bad = ids[7] ?? 0;
    opened.db
      .exec(`CREATE TRIGGER bad BEFORE UPDATE ON transfer WHEN new.id = ${String(bad)} AND new.state = 13
      BEGIN SELECT RAISE(ABORT, 'refused'); END`);
    await transfers.cancel(which);
    await transfers.settled();
    const over = { open: 0, cancelled: count - 1, failed: 1 };
    expect(await transfers.batch(batch)).toMatchObject(over);
    const [failed] = await transfers.getMany([bad]);
    expect(failed?.state).toMatchObject({ name: 'failed', error: { code: 'unexpected' } });
    expect(opened.db.prepare('SELECT count(*) AS n FROM object WHERE writer IS NOT NULL').get()).toEqual({
      n: 0,
    });
    opened.reopen();
    expect(await opened.stores.transfers.batch(batch)).toMatchObject(over);
  });
}

it('leaves a record as it is that cannot be written at all, and ends', async () => {
  const { opened, transfers, ids, batch, which } = await openBatch(1200);
  using _ = opened;
  await transfers.apply(ids.map((id) => ({ id, change: { state: { name: 'failed', error: forbidden } } })));
  opened.db.exec(`CREATE TRIGGER bad BEFORE UPDATE ON transfer WHEN new.id = ${String(ids[7])}
    BEGIN SELECT RAISE(ABORT, 'refused'); END`);
  await transfers.retry(which, new Map());
  await transfers.settled();
  expect(await transfers.batch(batch)).toMatchObject({ open: 1199, failed: 1 });
  expect(opened.db.prepare('SELECT count(*) AS n FROM sweep').get()).toEqual({ n: 0 });
});

it('a batch that is retried twice goes to the second address, and accepts other bytes if either retry does', async () => {
  const { opened, transfers, ids, batch, which } = await openBatch(1200, (n) =>
    newDownload(`d${String(n)}`, n + 1),
  );
  using _ = opened;
  const error = { code: 'claimedLengthDiffers', expectedBytes: 1, receivedBytes: 2 } as const;
  await transfers.apply(ids.map((id) => ({ id, change: { state: { name: 'failed', error } } })));
  await transfers.retry(which, new Map([[serviceId, origin]]));
  await transfers.retry(which, new Map([[serviceId, other]]), true);
  await transfers.settled();
  expect(await transfers.batch(batch)).toMatchObject({ open: 1200, failed: 0 });
  const [last] = await transfers.getMany(ids.slice(-1));
  expect(last).toMatchObject({ origin: other, work: { isMoved: true } });

  await transfers.apply(
    ids.map((id) => ({
      id,
      change: { state: { name: 'failed', error }, work: { ...newDownload('', 1).work } },
    })),
  );
  await transfers.retry(which, new Map([[serviceId, other]]), true);
  await transfers.retry(which, new Map([[serviceId, other]]));
  await transfers.settled();
  const [again] = await transfers.getMany(ids.slice(-1));
  expect(again).toMatchObject({ state: { name: 'waiting' }, work: { isMoved: true } });
});

it('a pending retry of a batch ends when all transfers of its service are cancelled', async () => {
  const { opened, transfers, ids, batch, which } = await openBatch(1200);
  using _ = opened;
  await transfers.apply(ids.map((id) => ({ id, change: { state: { name: 'failed', error: forbidden } } })));
  await transfers.retry(which, new Map([[serviceId, origin]]));
  await transfers.cancel({ kind: 'service', serviceId });
  await transfers.settled();
  expect(await transfers.unfinished(serviceId)).toBe(0);
  expect(await transfers.batch(batch)).toMatchObject({ open: 0 });
});

it('a pending cancel does not apply to transfers that are retried after it, alone or with their batch', async () => {
  const { opened, transfers, ids, batch, which } = await openBatch(1200);
  using _ = opened;
  const last = ids.at(-1) ?? 0;
  const failed = ids.slice(0, 3);
  await transfers.apply(
    failed.map((id) => ({ id, change: { state: { name: 'failed', error: forbidden } } })),
  );
  expect(await transfers.cancel(which)).toBe(1197);
  expect(await transfers.retry({ kind: 'ids', ids: [last] }, new Map())).toBe(1);
  await transfers.retry(which, new Map());
  opened.reopen();
  await opened.stores.transfers.settled();
  expect(await opened.stores.transfers.batch(batch)).toMatchObject({ open: 4, cancelled: 1196, failed: 0 });
});

it('removes failed transfers while a retry of a batch is pending, its own ones by id', async () => {
  const { opened, transfers, ids, batch, which } = await openBatch(1200);
  using _ = opened;
  const alone = await transfers.enqueue(serviceId, [newUpload('alone'), newUpload('other')]);
  const fail = (all: readonly number[]) =>
    transfers.apply(all.map((id) => ({ id, change: { state: { name: 'failed', error: forbidden } } })));
  await fail([...ids, ...alone.map(({ id }) => id)]);
  expect(await transfers.retry(which, new Map())).toBe(1200);
  const last = ids.at(-1) ?? 0;
  expect(await transfers.drop({ kind: 'ids', ids: [last, alone[0]?.id ?? 0] })).toBe(2);
  const pending = opened.db.prepare('SELECT count(*) AS n FROM sweep').get();
  await transfers.clear('transfers', 'needsYou');
  expect(pending).toEqual({ n: 1 });
  expect(await transfers.getMany(alone.map(({ id }) => id))).toEqual([]);
  await transfers.settled();
  expect(await transfers.batch(batch)).toMatchObject({ open: 1199, failed: 0 });
});

it('clears done transfers of a batch while a retry of the rest is pending', async () => {
  const { opened, transfers, ids, which } = await openBatch(1200);
  using _ = opened;
  const done = ids.slice(0, 2);
  const ended = [
    ...done.map(
      (id) => ({ id, change: { state: { name: 'done', outcome: null, savedPath: null } } }) as const,
    ),
    ...ids.slice(2).map((id) => ({ id, change: { state: { name: 'failed', error: forbidden } } }) as const),
  ];
  await transfers.apply(ended);
  await transfers.retry(which, new Map());
  await transfers.clear('transfers', 'done');
  expect(await transfers.getMany(done)).toEqual([]);
  await transfers.settled();
  expect(await transfers.batch(which.batch)).toMatchObject({ open: 1198, done: 0, failed: 0 });
});

it('clears cancelled transfers at once, before a pending retry of others', async () => {
  const { opened, transfers, ids, which } = await openBatch(1200);
  using _ = opened;
  const batch = await transfers.newBatch();
  const more = Array.from({ length: 1200 }, (__, n) => newUpload(`m${String(n)}`));
  await transfers.enqueue(serviceId, more, { id: batch, action: 'upload' });
  await transfers.apply(ids.map((id) => ({ id, change: { state: { name: 'failed', error: forbidden } } })));
  await transfers.retry(which, new Map());
  await transfers.cancel({ kind: 'batch', batch });
  await transfers.clearBatch(batch);
  expect(opened.db.prepare('SELECT action FROM sweep').all()).toEqual([{ action: 3 }]);
  expect(await transfers.batch(batch)).toBeNull();
  await transfers.settled();
  expect(await transfers.batch(which.batch)).toMatchObject({ open: 1200, failed: 0 });
});

it('a later action on one transfer overrides that on its batch', async () => {
  const { opened, transfers, ids, batch, which } = await openBatch(1200);
  using _ = opened;
  const [first, last] = [ids[0] ?? 0, ids.at(-1) ?? 0];
  await transfers.pause(which, true);
  await transfers.pause({ kind: 'ids', ids: [last] }, false);
  await transfers.cancel({ kind: 'ids', ids: [first] });
  const [joined] = await transfers.enqueue(serviceId, [newUpload('joined')], { id: batch, action: 'upload' });
  opened.reopen();
  const again = opened.stores.transfers;
  const claim = { serviceId, queue: 'small', limit: 10, includesIdle: true, origin } as const;
  expect((await again.claim(claim)).map(({ id }) => id)).toEqual([last, joined?.id]);
  await again.settled();
  expect(await again.batch(batch)).toMatchObject({ open: 1200, paused: 1198, cancelled: 1 });
});

for (const kind of ['batch', 'all'] as const)
  it(
    `lets other work run after every hundred retried transfers of ${kind === 'all' ? 'all' : 'a batch'}`,
    { tags: kind === 'batch' ? 'all' : [] },
    async () => {
      const { opened, transfers, ids, batch } = await openBatch(1200);
      using _ = opened;
      await transfers.apply(
        ids.map((id) => ({ id, change: { state: { name: 'failed', error: forbidden } } })),
      );
      const begun = () =>
        Number(opened.db.prepare('SELECT count(*) AS n FROM transfer WHERE turn = 0').get()?.['n']);
      const retried = transfers.retry(kind === 'batch' ? { kind, batch } : { kind }, new Map());
      const steps: number[] = [];
      for (let before = begun(); begun() < 1200; before = begun()) {
        await setImmediate();
        steps.push(begun() - before);
      }
      await retried;
      await transfers.settled();
      expect(Math.max(...steps)).toBe(100);
    },
  );

type Opened = Awaited<ReturnType<typeof openBatch>>;

/** Selections of failed transfers other than a batch. */
const many: readonly (readonly [string, Which])[] = [
  ['all', { kind: 'all' }],
  ['a tab', { kind: 'all', tab: 'transfers' }],
  ['a service', { kind: 'service', serviceId }],
  ['a cause', { kind: 'cause', serviceId, group: 'needsYou', code: forbidden.code }],
];

async function openFailed(count = 250): Promise<Opened> {
  const opened = await openBatch(count);
  await fail(opened, opened.ids);
  return opened;
}

async function fail({ transfers }: Pick<Opened, 'transfers'>, ids: readonly number[]): Promise<void> {
  await transfers.apply(ids.map((id) => ({ id, change: { state: { name: 'failed', error: forbidden } } })));
}

function waiting(db: DatabaseSync, condition = 'TRUE'): number {
  const sql = `SELECT count(*) AS n FROM transfer WHERE turn = 0 AND ${condition}`;
  return Number(db.prepare(sql).get()?.['n']);
}

for (const [name, which] of many)
  it(
    `a retry of ${name} continues after a kill that follows the first slice`,
    { tags: ['all', 'a cause'].includes(name) ? [] : 'all' },
    async () => {
      const { opened, transfers } = await openFailed();
      using _ = opened;
      expect(await transfers.retry(which, new Map([[serviceId, other]]))).toBe(250);
      // The answer does not wait for the others.
      expect(waiting(opened.db)).toBe(100);
      await using folder = await makeFolder();
      const path = join(folder.path, 'database');
      opened.db.prepare('VACUUM INTO ?').run(path);
      using after = await openStores([], () => 1, new DatabaseSync(path));
      await after.stores.transfers.settled();
      expect(waiting(after.db, `origin = (SELECT id FROM origin WHERE address = '${other}')`)).toBe(250);
      await transfers.settled();
    },
  );

for (const [name, which] of many)
  it(
    `a retry of ${name} continues although failed transfers are cleared meanwhile`,
    { tags: ['a tab', 'a service'].includes(name) ? [] : 'all' },
    async () => {
      const opened = await openFailed();
      using _ = opened.opened;
      const { transfers, ids } = opened;
      const retried = transfers.retry(which, new Map());
      while (waiting(opened.opened.db) === 0) await setImmediate();
      // The retry does not apply to what fails later.
      const later = ids.slice(0, 2);
      await fail(opened, later);
      await transfers.clear('transfers', 'needsYou');
      await retried;
      await transfers.settled();
      expect(await transfers.getMany(later)).toEqual([]);
      expect(waiting(opened.opened.db)).toBe(248);
    },
  );

it('a transfer that fails again during a retry of all stays failed', async () => {
  const opened = await openFailed();
  using _ = opened.opened;
  await opened.transfers.retry({ kind: 'all' }, new Map());
  await fail(opened, opened.ids.slice(0, 2));
  opened.opened.reopen();
  await opened.opened.stores.transfers.settled();
  expect(await opened.opened.stores.transfers.batch(opened.batch)).toMatchObject({ open: 248, failed: 2 });
});

it('starts retried transfers of a service before retrying the rest', async () => {
  const { opened, transfers } = await openFailed();
  using _ = opened;
  await transfers.retry({ kind: 'service', serviceId }, new Map());
  const claim = { serviceId, queue: 'small', limit: 10, includesIdle: true, origin } as const;
  expect(await transfers.claim(claim)).toHaveLength(10);
  expect(waiting(opened.db)).toBe(90);
});

it('retries a batch no further that is cancelled during a retry of all', async () => {
  const opened = await openFailed();
  using _ = opened.opened;
  const { transfers, which } = opened;
  const alone = await transfers.enqueue(serviceId, [newUpload('alone')]);
  await fail(
    opened,
    alone.map(({ id }) => id),
  );
  await transfers.retry({ kind: 'all', tab: 'transfers' }, new Map());
  await transfers.cancel(which);
  opened.opened.reopen();
  const again = opened.opened.stores.transfers;
  await again.settled();
  expect(await again.batch(which.batch)).toMatchObject({ open: 0, cancelled: 100, failed: 150 });
  expect(await again.getMany(alone.map(({ id }) => id))).toMatchObject([{ state: { name: 'waiting' } }]);
});

it('retries one cause to accept other bytes during a retry of all', async () => {
  const { opened, transfers, ids } = await openBatch(250, (n) => newDownload(`d${String(n)}`, n + 1));
  using _ = opened;
  const error = { code: 'claimedLengthDiffers', expectedBytes: 1, receivedBytes: 2 } as const;
  await transfers.apply(ids.map((id) => ({ id, change: { state: { name: 'failed', error } } })));
  await transfers.retry({ kind: 'all' }, new Map());
  await transfers.retry({ kind: 'cause', serviceId, group: 'needsYou', code: error.code }, new Map(), true);
  await transfers.settled();
  const all = await transfers.getMany(ids);
  expect(all.filter(({ state }) => state.name === 'waiting')).toHaveLength(250);
  expect(all.filter(({ work }) => 'isMoved' in work)).toHaveLength(150);
});

it('retries one cause, and leaves others', async () => {
  const opened = await openFailed(3);
  using _ = opened.opened;
  const { transfers, ids } = opened;
  const error = { code: 'unexpected', reference: '' } as const;
  await transfers.apply([{ id: ids[1] ?? 0, change: { state: { name: 'failed', error } } }]);
  const cause = { kind: 'cause', serviceId, group: 'needsYou', code: forbidden.code } as const;
  expect(await transfers.retry(cause, new Map())).toBe(2);
  expect(await transfers.batch(opened.batch)).toMatchObject({ open: 2, failed: 1 });
  await transfers.retry({ ...cause, group: 'waiting' }, new Map());
  expect(await transfers.batch(opened.batch)).toMatchObject({ open: 2, failed: 1 });
});

it(
  'a priority does not wait for a pending retry, and applies to what it restarts',
  { tags: 'all' },
  async () => {
    const { opened, transfers, batch, which } = await openFailed(1200);
    using _ = opened;
    const other = await transfers.newBatch();
    const others = Array.from({ length: 300 }, (__, n) => newUpload(`o${String(n)}`));
    await transfers.enqueue(serviceId, others, { id: other, action: 'upload' });
    const count = (condition: string) =>
      Number(opened.db.prepare(`SELECT count(*) AS n FROM transfer WHERE ${condition}`).get()?.['n']);
    const now = `priority = ${String(priorityCodes.code('now'))}`;
    const asked = [
      transfers.retry({ kind: 'all' }, new Map()),
      transfers.setPriority(which, 'now'),
      transfers.setPriority({ kind: 'batch', batch: other }, 'now'),
    ];
    while (count(`${now} AND batch = ${String(other)}`) < 300) await setImmediate();
    expect(count(`batch = ${String(batch)} AND turn IS NULL`)).toBeGreaterThan(0);
    await Promise.all(asked);
    opened.reopen();
    await opened.stores.transfers.settled();
    expect(count(now)).toBe(1500);
    expect(count('turn IS NULL')).toBe(0);
    expect(opened.db.prepare('SELECT count(*) AS n FROM sweep').get()).toEqual({ n: 0 });
  },
);
