import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { unverified, migrate, migrations } from './migrations.ts';

it('a digest that was claimed stays claimed, and nothing else becomes so', async () => {
  const step = migrations.indexOf(unverified);
  const db = new DatabaseSync(':memory:');
  await migrate(db, migrations.slice(0, step), async () => undefined);
  db.exec(`INSERT INTO service (id, service_id, separator) VALUES (1, 's', '/');
    INSERT INTO object (service, kind, identifier, state, note, digest_claimed) VALUES (1, 0, 'told', 0, '', 1);
    INSERT INTO object (service, kind, identifier, state, note) VALUES (1, 0, 'seen', 0, '')`);
  await migrate(db, migrations.slice(0, step + 1), async () => undefined);
  expect(db.prepare('SELECT identifier, claimed FROM object ORDER BY id').all()).toEqual([
    { identifier: 'told', claimed: 1 },
    { identifier: 'seen', claimed: 0 },
  ]);
  db.close();
});
