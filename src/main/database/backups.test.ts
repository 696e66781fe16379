import { statSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { makeTestFolder } from '../../../test-support/main/test-ports.ts';
import { copyPath, listGoodCopies } from './backups.ts';
import { copyDatabase, openFile } from '../storage/database-file.ts';
import { migrations } from './migrations.ts';

vi.mock('node:sqlite', async (original) => ({
  ...(await original<object>()),
  backup: async () => {
    throw new Error('not in this shell');
  },
}));

test("makes a whole and private copy where Node's backup fails", async () => {
  const folder = await makeTestFolder();
  const nowMs = Date.now();
  const opened = await openFile(folder, migrations, nowMs);
  if (opened.state !== 'ready') throw new Error('a new database is broken');
  opened.db.exec("INSERT INTO document VALUES ('settings', 'x', '1')");
  await copyDatabase(folder, nowMs);
  opened.db.close();
  const [copy] = listGoodCopies(folder, migrations.length);
  expect(copy?.madeAtMs).toBe(nowMs);
  expect(statSync(copyPath(folder, copy?.id ?? '')).mode & 0o077).toBe(0);
});
