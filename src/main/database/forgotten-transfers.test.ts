import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { newUpload, serviceId } from '../../../test-support/main/transfers/store/record-factory.ts';
import { createLocalStores } from '../storage/local-stores.ts';
import { forgottenTransfers, migrate, migrations } from './migrations.ts';

/** Rows as version 5 wrote them, in the codes of `transfers/store/codes.ts`. */
const transfers = [
  { what: 'waiting', state: 0, grp: 0, turn: 0, end: null },
  { what: 'paused', state: 0, grp: 0, turn: 2, end: null },
  { what: 'asking', state: 1, grp: 2, turn: 3, end: null },
  { what: 'failed', state: 11, grp: 2, turn: null, end: 5 },
  { what: 'done', state: 10, grp: 3, turn: null, end: 6 },
  { what: 'cancelled', state: 13, grp: 3, turn: null, end: 7 },
];
const states: Record<string, object> = {
  asking: { name: 'asking', seen: { present: false } },
  failed: { name: 'failed', error: { code: 'forbidden', status: 403 } },
  done: { name: 'done', outcome: null },
};

it('a batch of the version before keeps its numbers, and a pause of its service that was half applied goes on', async () => {
  const step = migrations.indexOf(forgottenTransfers);
  const db = new DatabaseSync(':memory:');
  db.exec('PRAGMA foreign_keys = ON');
  await migrate(db, migrations.slice(0, step), async () => undefined);
  db.exec(`INSERT INTO service (id, service_id, separator) VALUES (1, '${serviceId}', '/');
    INSERT INTO origin (id, address) VALUES (1, 'https://one.example');
    INSERT INTO batch (id, service, action, folder, created_at_ms) VALUES (3, 1, 0, 'f', 1);
    INSERT INTO sweep (id, service, tab, action, at_ms) VALUES (4, 1, NULL, 1, 9)`);
  const insert =
    db.prepare(`INSERT INTO transfer (service, origin, kind, route, direction, tab, created_at_ms, batch,
      identifier, total_bytes, priority, order_key, paused, claimed, queue, turn, state, grp, error, finished_at_ms, sweep, body)
    VALUES (1, 1, 0, 0, 0, 0, 1, 3, ?, 10, 1, ?, ?, 0, 1, ?, ?, ?, ?, ?, 0, ?)`);
  for (const [n, { what, state, grp, turn, end }] of transfers.entries()) {
    const body = { work: newUpload('').work, ...(states[what] && { state: states[what] }) };
    const error = what === 'failed' ? 'forbidden' : null;
    insert.run(`f/${what}`, n, Number(turn === 2), turn, state, grp, error, end, JSON.stringify(body));
  }
  const counted = { open: 2, asking: 1, failed: 1, done: 1, cancelled: 1 };
  expect(db.prepare('SELECT * FROM batch').get()).toMatchObject({ ...counted, paused: 1 });

  await migrate(db, migrations, async () => undefined);
  const stores = createLocalStores(
    db,
    () => 10,
    () => undefined,
  );
  const shown = { folder: 'f', ...counted, paused: 2, openBytes: 20, doneBytes: 10, listed: 2 };
  expect(await stores.transfers.batch(3)).toMatchObject(shown);
  await stores.transfers.settled();
  expect(await stores.transfers.batch(3)).toMatchObject(shown);
  expect(db.prepare('SELECT count(*) AS n FROM transfer WHERE turn = 2').get()).toEqual({ n: 2 });

  await stores.transfers.trim(0, 100);
  const trimmed = { ...counted, done: 0, cancelled: 0, listed: 0 };
  expect(await stores.transfers.batch(3)).toMatchObject({ ...trimmed, done: 1, cancelled: 1, doneBytes: 10 });
  await stores.transfers.cancel({ kind: 'batch', batch: 3 });
  expect(await stores.transfers.batch(3)).toMatchObject({
    ...trimmed,
    open: 0,
    asking: 0,
    done: 1,
    cancelled: 4,
    listed: 3,
  });
  stores.catalogue.close();
  stores.transfers.close();
  db.close();
});
