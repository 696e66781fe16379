import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startBench, type Bench } from './test/bench.ts';
import { profileId } from './test/connect.ts';

let bench: Bench;
beforeEach(async () => {
  bench = await startBench();
});
afterEach(() => bench.close());

describe('what a person asks for arrives', () => {
  test('an upload is stored, compared and in the list', async () => {
    const item = await bench.makeFile('a.bin', Buffer.alloc(300_000, 7), { classification: 'Internal' });
    await bench.jobs.enqueueUploads(profileId, [item]);
    expect(await bench.rowOf('up/a.bin')).toMatchObject({ state: 'uploading' });
    expect(await bench.finished()).toMatchObject([
      { state: 'done', outcome: { kind: 'stored', verifiedBy: 'length' }, error: null },
    ]);
    expect(await bench.rowOf('up/a.bin')).toMatchObject({
      state: 'stored',
      lengthBytes: 300_000,
      classification: 'Internal',
    });
  });

  test('downloads are fetched and saved, three at once', async () => {
    const ids = await Promise.all(['x/1.txt', 'x/2.txt', 'x/3.txt'].map((name) => bench.store(name, name)));
    expect(await bench.jobs.enqueueDownloads(profileId, ids)).toBe(3);
    const jobs = await bench.finished();
    expect(jobs.map(({ state }) => state)).toEqual(['done', 'done', 'done']);
    expect(await bench.downloaded()).toEqual(['1.txt', '2.txt', '3.txt']);
    expect(await readFile(join(bench.downloads, '2.txt'), 'utf8')).toBe('x/2.txt');
    expect(bench.jobs.savedPathOf(jobs[0]?.id ?? '')).toContain(bench.downloads);
    expect(bench.jobs.activityTokenOf(jobs[0]?.id ?? '')).not.toBe('');
  });

  test('a secret is stored and read, and its value is in no file', async () => {
    const value = Buffer.from('hunter2-9c1f-correct-horse');
    await bench.jobs.storeSecret(profileId, {
      identifier: 'key',
      classification: null,
      value,
      sourceName: null,
    });
    expect(await bench.finished()).toMatchObject([{ kind: 'secret', state: 'done' }]);
    const row = await bench.rowOf('key', 'secret');
    expect(row).toMatchObject({ state: 'stored', lengthBytes: value.length });
    const read = await bench.jobs.readSecret(row?.id ?? 0, new AbortController().signal);
    expect(Buffer.from(read)).toEqual(value);
    const database = await readFile(join(bench.folder, 'data/coffer.db'));
    const wal = await readFile(join(bench.folder, 'data/coffer.db-wal')).catch(() => Buffer.alloc(0));
    expect(Buffer.concat([database, wal]).includes(value)).toBe(false);
  });
});
