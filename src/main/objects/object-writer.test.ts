import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { Statements } from '../database/statements.ts';
import { ObjectStore } from './object-store.ts';
import { ObjectWriter } from './object-writer.ts';

it('restores the checkpoint size of the WAL after a long operation', () => {
  const db = new DatabaseSync(':memory:');
  db.exec('PRAGMA wal_autocheckpoint = 4000');
  const statements = new Statements(db);
  const writer = new ObjectWriter(db, new ObjectStore(statements), () => 1);
  const size = () => db.prepare('PRAGMA wal_autocheckpoint').get();
  writer.unflushed(() => expect(size()).toEqual({ wal_autocheckpoint: 16_000 }));
  expect(size()).toEqual({ wal_autocheckpoint: 4000 });
  db.close();
});
