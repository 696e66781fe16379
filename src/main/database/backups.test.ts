import { readdirSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { modeHere, modeOf } from '../../../test-support/file-mode.ts';
import { makeTestFolder } from '../../../test-support/main/test-ports.ts';
import { copyPath, listGoodCopies } from './backups.ts';
import { copyDatabase, openFile } from '../storage/database-file.ts';
import { migrations } from './migrations.ts';

const node = vi.hoisted(() => ({ backup: async (): Promise<void> => undefined }));
vi.mock('node:sqlite', async (original) => ({
  ...(await original<object>()),
  backup: () => node.backup(),
}));
afterEach(() => {
  vi.useRealTimers();
});

test.each([
  ['fails', () => Promise.reject(new Error('not in this shell'))],
  ['does not end', () => new Promise<void>(() => undefined)],
])("makes a whole and private copy where Node's backup %s", async (_how, backup) => {
  const folder = await makeTestFolder();
  node.backup = backup;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const nowMs = Date.now();
  const opened = await openFile(folder, migrations, nowMs);
  if (opened.state !== 'ready') throw new Error('a new database is broken');
  opened.db.exec("INSERT INTO document VALUES ('settings', 'x', '1')");
  const copying = copyDatabase(folder, nowMs);
  await vi.advanceTimersByTimeAsync(31_000);
  await copying;
  opened.db.close();
  const [copy] = listGoodCopies(folder, migrations.length);
  expect(copy?.madeAtMs).toBe(nowMs);
  expect(readdirSync(copyPath(folder, '.'))).toEqual([copy?.id]);
  expect(modeOf(copyPath(folder, copy?.id ?? ''))).toBe(modeHere(0o600));
});
