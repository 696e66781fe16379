import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { serviceId } from '../../../test-support/main/transfers/store/record-factory.ts';
import { createLocalStores } from '../storage/local-stores.ts';
import { migrate, migrations, secretReads } from './migrations.ts';

it('takes secrets that the version before has read out of the jobs', async () => {
  const step = migrations.indexOf(secretReads);
  const db = new DatabaseSync(':memory:');
  db.exec('PRAGMA foreign_keys = ON');
  await migrate(db, migrations.slice(0, step), async () => undefined);
  db.exec(`INSERT INTO service (id, service_id, separator) VALUES (1, '${serviceId}', '/');
    INSERT INTO origin (id, address) VALUES (1, 'https://one.example')`);
  // As version 13 wrote it: a deferred download among the jobs, in the codes of `transfers/store/codes.ts`.
  const insert =
    db.prepare(`INSERT INTO transfer (service, origin, kind, route, direction, tab, created_at_ms, identifier,
      priority, order_key, paused, claimed, queue, state, grp, error, finished_at_ms, sweep, body)
    VALUES (1, 1, ?, 1, 1, 1, 1, ?, 1, 1, 0, 0, 2, 11, 2, 'forbidden', 5, 0, ?)`);
  const state = { name: 'failed', error: { code: 'forbidden', status: 403 } };
  const download = { kind: 'download', saveAsPath: null };
  insert.run(1, 'secret', JSON.stringify({ work: { kind: 'readSecret' }, state }));
  insert.run(0, 'data', JSON.stringify({ work: download, state }));

  await migrate(db, migrations, async () => undefined);
  const { transfers, catalogue } = createLocalStores(
    db,
    () => 10,
    () => undefined,
  );
  const groups = [{ group: 'needsYou', after: 0 }] as const;
  const asked = { tab: 'jobs', groups, offset: 0, limit: 9, filter: '', exceptIds: [] } as const;
  const [needsYou] = await transfers.page(asked);
  expect(needsYou?.records.map(({ identifier }) => identifier)).toEqual(['data']);
  expect(needsYou?.total).toBe(1);
  await transfers.trim(0, 100);
  expect(await transfers.getMany([1, 2])).toMatchObject([{ identifier: 'data' }]);
  catalogue.close();
  transfers.close();
  db.close();
});
