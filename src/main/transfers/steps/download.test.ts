import { chmod, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Selection } from '../../../shared/domain/object.ts';
import type { Transfer } from '../../../shared/domain/transfer.ts';
import { createObjects } from '../../object-handlers/object-handlers.ts';
import { sha256Of } from '../../../../test-support/main/local-files/testing.ts';
import { serviceId, startBench, until, type Bench } from '../../../../test-support/main/transfers/bench.ts';

let bench: Bench;
beforeEach(async () => {
  bench = await startBench();
});
afterEach(() => bench.close());

async function download(ids: number[], saveAsPath: string | null = null): Promise<Transfer[]> {
  await bench.download(ids, saveAsPath);
  return bench.settled();
}
const files = async () => (await readdir(bench.downloads)).toSorted();
const read = (name: string) => readFile(join(bench.downloads, name), 'utf8');
const saved = (fileName: string, verifiedBy = 'digest') => ({
  state: 'done',
  outcome: { kind: 'saved', fileName, verifiedBy },
});

describe('download', () => {
  test.each([0, 1, 3_000_000])('saves %i bytes unchanged', async (sizeBytes) => {
    const bytes = Buffer.alloc(sizeBytes, 'abc');
    const id = await bench.store('folder/a.bin', bytes);
    const [transfer] = await download([id]);
    expect(transfer).toMatchObject({ ...saved('a.bin'), doneBytes: sizeBytes, totalBytes: sizeBytes });
    expect(await files()).toEqual(['a.bin']);
    expect(sha256Of(await readFile(join(bench.downloads, 'a.bin')))).toBe(sha256Of(bytes));
    expect((await bench.engine.savedFileOf(transfer?.id ?? 0)).path).toBe(join(bench.downloads, 'a.bin'));
    expect(await bench.catalogue.history(id, 1)).toMatchObject([{ action: 'downloaded' }]);
  });

  test('finds the file of an object again, and reports whether it changed', async () => {
    const id = await bench.store('folder/a.txt', 'bytes');
    const other = await bench.store('other', 'bytes');
    expect(await bench.engine.savedFileOfObject(id)).toBeNull();
    await download([id, other]);
    const [transfer] = await download([id]);
    const found = await bench.engine.savedFileOfObject(id);
    expect(found).toMatchObject({ fileName: 'a (1).txt', state: 'there', isOpenable: true });
    // The page never gets the path.
    expect(found).not.toHaveProperty('path');
    expect(transfer).toBeDefined();
    const path = join(bench.downloads, 'a (1).txt');
    await writeFile(path, 'bytes and more');
    expect(await bench.engine.savedFileOfObject(id)).toMatchObject({ state: 'changed' });
    const { handlers } = createObjects({
      edits: { overlay: () => new Map() },
      catalogue: bench.catalogue,
      engine: bench.engine,
      desktop: { writeClipboardText: async () => undefined },
      revision: () => 0,
    });
    const selection: Selection = { kind: 'ids', ids: [id, other] };
    const several = async () => (await handlers['objects.savedFiles']({ selection })).transferIds;
    expect(await several()).toHaveLength(2);
    await rm(path);
    expect(await bench.engine.savedFileOfObject(id)).toMatchObject({ state: 'gone' });
    expect(await several()).toHaveLength(1);
    await expect(bench.engine.savedFileOf(found?.transferId ?? 0)).rejects.toMatchObject({
      error: { code: 'notFound', what: 'savedFile' },
    });
  });

  test('fills in what the list did not know', async () => {
    const id = await bench.store('a', 'bytes', { state: 'unknown', lengthBytes: null, sha256: null });
    expect(await download([id])).toMatchObject([saved('a', 'length')]);
    const row = {
      state: 'stored',
      lengthBytes: 5,
      sha256: sha256Of('bytes'),
      checkedAtMs: expect.any(Number),
    };
    expect(await bench.rowOf('a')).toMatchObject(row);
  });

  test('names: numbers taken ones, makes others safe, never leaves the folder', async () => {
    await writeFile(join(bench.downloads, 'a.txt'), 'here before');
    await writeFile(join(bench.downloads, 'a.txt.part'), 'of a crash, or of another program');
    const ids = [
      await bench.store('x/a.txt', 'first'),
      await bench.store('y/a.txt', 'second'),
      await bench.store('..', 'third'),
      await bench.store('x/..\\..\\CON', 'fourth'),
      await bench.store('z/', 'fifth', { sourceName: 'source.txt' }),
    ];
    const transfers = await download(ids.filter((_, index) => index !== 2));
    expect(transfers.every(({ state }) => state === 'done')).toBe(true);
    const names = ['.._.._CON', 'a (1).txt', 'a (2).txt', 'a.txt', 'a.txt.part', 'source.txt'];
    expect(await files()).toEqual(names);
    expect(await read('a.txt')).toBe('here before');
    expect(await read('a.txt.part')).toBe('of a crash, or of another program');
    expect([await read('a (1).txt'), await read('a (2).txt')].toSorted()).toEqual(['first', 'second']);
    // An identifier that cannot be sent never reaches the folder.
    expect(await download([ids[2] ?? 0])).toContainEqual(
      expect.objectContaining({ state: 'failed', error: expect.objectContaining({ code: 'badIdentifier' }) }),
    );
    expect(await files()).toEqual(names);
  });

  test.each([
    ['Content-Length, too long', { contentLengthBytes: 8 }, 'connectionLost'],
    ['Content-Length, too short', { contentLengthBytes: 3 }, 'downloadLengthDiffers'],
    [
      'its own x-orginal-length',
      { originalLengthBytes: 9, originalLengthOnGet: true },
      'downloadLengthDiffers',
    ],
    ['a byte', { corruptAtByte: 2 }, 'digestDiffers'],
    ['an unannounced early end', { framing: 'close', cutAnswerAtBytes: 85 }, 'downloadLengthDiffers'],
  ] as const)('saves nothing that differs in %s', async (_what, fault, code) => {
    const id = await bench.store('a', '12345');
    bench.server.plan = ({ method }) => (method === 'GET' ? fault : null);
    expect(await download([id])).toMatchObject([{ state: 'failed', error: { code } }]);
    expect(await files()).toEqual([]);
    const gets = bench.server.requests.filter(({ method }) => method === 'GET');
    expect(gets).toHaveLength(code === 'connectionLost' ? 6 : 3);
    expect(await bench.rowOf('a')).toMatchObject({
      state: 'stored',
      lengthBytes: 5,
      sha256: sha256Of('12345'),
    });
  });

  test('asks HEAD for a length that the response does not give, and compares it', async () => {
    const id = await bench.store('a', '12345', { lengthBytes: null, sha256: null });
    bench.server.plan = ({ method }) =>
      method === 'GET' ? { framing: 'close', cutAnswerAtBytes: 85 } : null;
    const error = { code: 'downloadLengthDiffers', expectedBytes: 5 };
    expect(await download([id])).toMatchObject([{ state: 'failed', error }]);
    expect(await files()).toEqual([]);
  });

  test.each(['length', 'chunked', 'close'] as const)(
    'saves a compressed response as it was stored (%s)',
    async (framing) => {
      const bytes = Buffer.alloc(300_000, 'abc');
      const ids = [
        await bench.store('known', bytes),
        await bench.store('unknown', bytes, { lengthBytes: null, sha256: null }),
      ];
      bench.server.plan = () => ({ contentEncoding: 'gzip', framing });
      expect(await download(ids)).toMatchObject([saved('known'), saved('unknown', 'length')]);
      for (const name of ['known', 'unknown'])
        expect(sha256Of(await readFile(join(bench.downloads, name)))).toBe(sha256Of(bytes));
    },
  );

  test('stops a body that grows beyond the length of HEAD', async () => {
    const id = await bench.store('a', Buffer.alloc(5_000_000), { lengthBytes: null, sha256: null });
    bench.server.plan = ({ method }) => ({
      contentEncoding: 'gzip',
      ...(method === 'HEAD' && { originalLengthBytes: 9 }),
    });
    const [transfer] = await download([id]);
    expect(transfer?.error).toMatchObject({ code: 'downloadLengthDiffers', expectedBytes: 9 });
    const error = transfer?.error as { receivedBytes?: number } | undefined;
    expect(error?.receivedBytes).toBeLessThan(1_000_000);
    expect(await files()).toEqual([]);
  });

  test('reports an unknown encoding and saves nothing', async () => {
    const id = await bench.store('a', 'bytes');
    bench.server.plan = ({ method }) =>
      method === 'GET' ? { status: 200, headers: { 'content-encoding': 'zstd' }, body: 'bytes' } : null;
    const error = { code: 'unexpectedAnswer', encoding: 'zstd' };
    expect(await download([id])).toMatchObject([{ state: 'failed', error }]);
    expect(await files()).toEqual([]);
  });

  test('rejects an object that is longer than in the list', async () => {
    const id = await bench.store('a', '12345');
    await bench.store('a', '123456', null);
    expect(await download([id])).toMatchObject([
      { state: 'failed', error: { code: 'downloadLengthDiffers' } },
    ]);
    expect(await files()).toEqual([]);
  });

  test('retries after a broken connection', async () => {
    const id = await bench.store('a', Buffer.alloc(500_000, 'x'));
    bench.server.plan = ({ number }) => (number === 1 ? { cutAnswerAtBytes: 300_000, cutBy: 'reset' } : null);
    expect(await download([id])).toMatchObject([saved('a')]);
    expect(await files()).toEqual(['a']);
  });

  test('404: the row becomes missing; a row that is being deleted stays as it is', async () => {
    const ids = [await bench.store('a', 'x'), await bench.store('b', 'x', { state: 'deleting' })];
    bench.server.objects.clear();
    expect(await download(ids)).toMatchObject(Array(2).fill({ state: 'failed', error: { code: 'missing' } }));
    expect(await bench.rowOf('a')).toMatchObject({ state: 'missing' });
    expect(await bench.rowOf('b')).toMatchObject({ state: 'deleting' });
  });

  test('cancelled while running: leaves nothing', async () => {
    const id = await bench.store('a', Buffer.alloc(2_000_000));
    bench.server.plan = () => ({ cutAnswerAtBytes: 1_000_000, cutBy: 'stall' });
    await bench.download([id]);
    await until(files).toEqual([expect.stringMatching(/\.part$/)]);
    await bench.engine.actions.cancel({ kind: 'all' });
    expect(await bench.settled()).toMatchObject([{ state: 'cancelled', error: null }]);
    expect(await files()).toEqual([]);

    bench.server.plan = () => null;
    const ids = (await bench.all()).map(({ id: transferId }) => transferId);
    await bench.engine.actions.retry({ kind: 'ids', ids });
    expect(await bench.settled()).toMatchObject([saved('a')]);
  });
});

test('cancel all ends what is still being enqueued', async () => {
  const objects = Array.from({ length: 3000 }, (_, index) => ({
    kind: 'data' as const,
    identifier: `o${index}`,
    patch: { state: 'stored' as const },
  }));
  const rows = await bench.catalogue.add(serviceId, objects);
  const enqueued = bench.download(rows.map(({ record }) => record.id));
  await bench.engine.actions.cancel({ kind: 'all' });
  expect((await enqueued).length).toBeLessThan(3000);
  expect(await bench.engine.unfinishedOf(serviceId)).toBe(0);
});

describe('save as', () => {
  test('replaces the chosen file, and only by a whole one', async () => {
    const id = await bench.store('a', 'new');
    const path = join(bench.downloads, 'chosen.txt');
    await writeFile(path, 'old');
    bench.server.plan = ({ method, number }) =>
      method === 'GET' && number <= 3 ? { corruptAtByte: 0 } : null;
    const [transfer] = await download([id], path);
    expect(transfer).toMatchObject({ state: 'failed', error: { code: 'digestDiffers' } });
    expect(await read('chosen.txt')).toBe('old');
    await bench.engine.actions.retry({ kind: 'ids', ids: [transfer?.id ?? 0] });
    expect(await bench.settled()).toMatchObject([saved('chosen.txt')]);
    expect(await files()).toEqual(['chosen.txt']);
    expect(await read('chosen.txt')).toBe('new');
  });
});

describe('folders of identifiers', () => {
  const tree = async () => (await readdir(bench.downloads, { recursive: true })).toSorted();

  test('creates them below the folder that was asked for', async () => {
    const ids: number[] = [];
    const expected = new Set<string>();
    for (let index = 0; index < 72; index += 1) {
      const path = `${2000 + (index % 4)}/q${Math.floor(index / 4) % 3}/sheet-${Math.floor(index / 12)}.csv`;
      ids.push(await bench.store(`tree/reports/${path}`, path));
      expected.add(path).add(path.slice(0, 4)).add(path.slice(0, 7));
    }
    await bench.download(ids, null, 'tree/reports');
    expect((await bench.settled()).every(({ state }) => state === 'done')).toBe(true);
    expect(await tree()).toEqual([...expected].toSorted());
    expect(await read('2001/q1/sheet-1.csv')).toBe('2001/q1/sheet-1.csv');
  });

  test('never lead out of the download folder, nor into what somebody else has there', async () => {
    const outside = join(bench.folder, 'outside');
    await mkdir(outside);
    await symlink(outside, join(bench.downloads, 'linked'));
    await writeFile(join(bench.downloads, 'taken'), 'a file');
    const ids = [
      await bench.store('linked/a', '1'),
      await bench.store('taken/deep/a', '2'),
      await bench.store('x\\..\\../CON/ a. /a', '3'),
      await bench.store('//double//a', '4'),
      await bench.store('linked/b', '5'),
      await bench.store('elsewhere', '6'),
    ];
    await bench.download(ids, null, '');
    expect((await bench.settled()).every(({ state }) => state === 'done')).toBe(true);
    expect(await readdir(outside)).toEqual([]);
    expect(await read('linked (1)/a')).toBe('1');
    expect(await read('linked (1)/b')).toBe('5');
    expect(await read('taken (1)/deep/a')).toBe('2');
    expect(await read('taken')).toBe('a file');
    expect(await read('x_.._/CON_/ a/a')).toBe('3');
    expect(await read('double/a')).toBe('4');
  });

  test('keep a file that has the name, and number the next one', async () => {
    await mkdir(join(bench.downloads, 'x'));
    await writeFile(join(bench.downloads, 'x/a.txt'), 'here before');
    await bench.download([await bench.store('x/a.txt', 'new')], null, '');
    const [transfer] = await bench.settled();
    expect(transfer).toMatchObject(saved('a (1).txt'));
    expect((await bench.engine.savedFileOf(transfer?.id ?? 0)).path).toBe(
      join(bench.downloads, 'x/a (1).txt'),
    );
    expect(await read('x/a.txt')).toBe('here before');
  });

  test('continue where they were after a restart', async () => {
    const id = await bench.store('tree/x/a', Buffer.alloc(2_000_000));
    await writeFile(join(bench.downloads, 'x'), 'in the way');
    bench.server.plan = ({ method }) =>
      method === 'GET' ? { cutAnswerAtBytes: 1_000_000, cutBy: 'stall' } : null;
    await bench.download([id], null, 'tree');
    await until(tree).toEqual(['x', 'x (1)', expect.stringMatching(/^x \(1\)\/a\..*part$/)]);
    bench.server.plan = () => null;
    await bench.restart();
    expect(await bench.settled()).toMatchObject([saved('a')]);
    expect(await tree()).toEqual(['x', 'x (1)', 'x (1)/a']);
  });
});

describe('the folder', () => {
  test('reports one that is gone by its name only', async () => {
    const id = await bench.store('a', 'x');
    await rm(bench.downloads, { recursive: true });
    const [transfer] = await download([id]);
    expect(transfer?.error).toEqual({ code: 'folderGone', folderName: 'downloads' });
    await mkdir(bench.downloads);
    await bench.engine.actions.retry({ kind: 'ids', ids: [transfer?.id ?? 0] });
    expect(await bench.settled()).toMatchObject([saved('a')]);
  });

  // Root may write everywhere, and on Windows no mode forbids it.
  test.skipIf(process.getuid === undefined || process.getuid() === 0)('that is read-only', async () => {
    const id = await bench.store('a', 'x');
    await chmod(bench.downloads, 0o500);
    const [transfer] = await download([id]);
    await chmod(bench.downloads, 0o700);
    expect(transfer?.error).toEqual({ code: 'folderReadOnly', folderName: 'downloads' });
  });
});
