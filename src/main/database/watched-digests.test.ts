import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { newUpload, serviceId } from '../../../test-support/main/transfers/store/record-factory.ts';
import { createLocalStores } from '../storage/local-stores.ts';
import { migrate, migrations, watchedDigests } from './migrations.ts';

it('files that the version before sent are known by length and time, and get the rest from then on', async () => {
  const step = migrations.indexOf(watchedDigests);
  const db = new DatabaseSync(':memory:');
  db.exec('PRAGMA foreign_keys = ON');
  await migrate(db, migrations.slice(0, step), async () => undefined);
  db.exec(`INSERT INTO document VALUES ('services', '${serviceId}', '{}');
    INSERT INTO watched_file VALUES ('w', 'before.txt', 1, 1.5, NULL), ('w', 'sent.txt', 2, 2.5, 999)`);
  await migrate(db, migrations, async () => undefined);
  const { watched, transfers } = createLocalStores(
    db,
    () => 10,
    () => undefined,
  );
  const before = { path: 'before.txt', sizeBytes: 1, mtimeMs: 1.5, transferId: null };
  const sent = { path: 'sent.txt', sizeBytes: 2, mtimeMs: 2.5, transferId: 999 };
  expect(await watched.of('w')).toEqual([before, sent]);
  const unknown = { path: 'sent.txt', transferId: 999, sha256: null };
  expect(await watched.sent('w', ['before.txt', 'sent.txt', 'other.txt'])).toEqual([unknown]);
  // The file number of a drive that uses all 64 bits.
  const state = { ino: 2 ** 64 - 2048, ctimeMs: 3.25 };
  await watched.touch('w', [{ ...sent, ...state }]);
  expect(await watched.of('w')).toEqual([before, { ...sent, ...state }]);

  const newer = { folderId: 'w', path: 'sent.txt', sizeBytes: 3, mtimeMs: 3.5, ino: 7, ctimeMs: 3.5 };
  const upload = newUpload('sent.txt');
  const work = { ...upload.work, isWatched: true as const };
  const [record] = await transfers.enqueue(serviceId, [{ ...upload, work, watched: newer }]);
  const { id = 0 } = record ?? {};
  expect(await watched.sent('w', ['sent.txt'])).toEqual([]);
  const patch = { state: 'stored', lengthBytes: 3, sha256: 'ab' } as const;
  const done = { name: 'done', outcome: null, savedPath: null } as const;
  const row = { kind: 'stored', patch, history: { action: 'uploaded' } } as const;
  await transfers.apply([{ id, change: { state: done }, row }]);
  expect(await watched.sent('w', ['sent.txt'])).toEqual([{ path: 'sent.txt', transferId: id, sha256: 'ab' }]);
  // An upload that has its place since: nothing is noted for the former.
  await watched.touch('w', [{ ...sent, ...state }]);
  expect(await watched.of('w')).toMatchObject([before, { path: 'sent.txt', ino: 7, transferId: id }]);
  db.close();
});
