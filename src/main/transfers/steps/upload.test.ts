import { appendFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Transfer } from '../../../shared/domain/transfer.ts';
import { createObjects } from '../../object-handlers/object-handlers.ts';
import type { UploadItem } from '../queue/record-factory.ts';
import { sha256Of } from '../../../../test-support/main/local-files/testing.ts';
import { startBench, until, type Bench } from '../../../../test-support/main/transfers/bench.ts';

let bench: Bench;
beforeEach(async () => {
  bench = await startBench();
});
afterEach(() => bench.close());

const told = ({ state, error, outcome }: Transfer) => ({ state, code: error?.code ?? null, outcome });
const done = { state: 'done', code: null, outcome: { kind: 'stored', verifiedBy: 'length' } };
const failed = (code: string) => ({ state: 'failed', code, outcome: null });
const posts = () => bench.server.requests.filter(({ method }) => method === 'POST').length;

async function upload(...items: UploadItem[]): Promise<Transfer[]> {
  await bench.upload(items);
  return bench.settled();
}

describe('upload', () => {
  test.each([0, 1, 262_144, 3_000_000])('stores, verifies and records %i bytes', async (sizeBytes) => {
    const bytes = Buffer.alloc(sizeBytes, 'abc');
    const [transfer] = await upload(
      await bench.makeFile('a.bin', bytes, { classification: 'Secret & more' }),
    );
    expect(transfer && told(transfer)).toEqual(done);
    expect(transfer).toMatchObject({ doneBytes: sizeBytes, activityToken: 'activity-200' });
    expect(bench.server.objects.get('up/a.bin')).toEqual({ bytes, classification: 'Secret & more' });
    expect(await bench.rowOf('up/a.bin')).toMatchObject({
      state: 'stored',
      lengthBytes: sizeBytes,
      sha256: sha256Of(bytes),
      classification: 'Secret & more',
      sourceName: 'a.bin',
      activityToken: 'activity-200',
    });
  });

  test('shows a row at once, with the transfer over it', async () => {
    let isSeen = false;
    bench.server.plan = () => ({ holdRequest: () => isSeen });
    await bench.upload([await bench.makeFile('a', 'x')]);
    const row = await bench.rowOf('up/a');
    expect(row).toMatchObject({ state: 'uploading', lengthBytes: 1 });
    const id = row?.id ?? 0;
    const overlay = await bench.engine.overlay([id]);
    expect(overlay.get(id)?.transfer).toMatchObject({ direction: 'upload', totalBytes: 1 });
    isSeen = true;
    await bench.settled();
    expect((await bench.engine.overlay([id])).size).toBe(0);
  });

  test('shows the error of an object until a retry is done', async () => {
    bench.server.plan = ({ method }) => (method === 'POST' ? { status: 413 } : null);
    const [transfer] = await upload(await bench.makeFile('large', 'x'));
    const id = (await bench.rowOf('up/large'))?.id ?? 0;
    expect(await bench.engine.failureOf(id)).toEqual({
      list: 'transfers',
      id: transfer?.id,
      direction: 'upload',
      error: transfer?.error,
      activityToken: transfer?.activityToken,
      finishedAtMs: transfer?.finishedAtMs,
    });
    const objects = createObjects({
      edits: { overlay: () => new Map() },
      catalogue: bench.catalogue,
      engine: bench.engine,
      desktop: { writeClipboardText: async () => undefined },
      revision: () => 0,
    });
    const shown = async () => (await objects.handlers['objects.get']({ id })).failure;
    expect(await shown()).toMatchObject({ error: { code: 'tooLarge' } });
    bench.server.plan = () => null;
    await bench.clock.delay(1000);
    await upload(await bench.makeFile('large', 'x'));
    expect((await bench.rowOf('up/large'))?.state).toBe('stored');
    expect(await shown()).toBeNull();
  });

  test('200 is not enough: HEAD must give the same length', async () => {
    bench.server.plan = ({ method, identifier }) => {
      if (identifier === 'up/short' && method === 'POST') return { storeOnlyBytes: 3 };
      if (identifier === 'up/silent' && method === 'HEAD') return { originalLengthBytes: null };
      return identifier === 'up/lost' && method === 'HEAD' ? { status: 404 } : null;
    };
    const items = await Promise.all(['short', 'silent', 'lost'].map((name) => bench.makeFile(name, '12345')));
    const transfers = await upload(...items);
    const [short, silent, lost] = transfers;
    expect([short, lost].map((each) => each && told(each))).toEqual(
      Array(2).fill(failed('storedLengthDiffers')),
    );
    expect([short?.error, lost?.error]).toMatchObject([
      { sentBytes: 5, storedBytes: 3 },
      { storedBytes: null },
    ]);
    // Where HEAD gives no length, the bytes are compared.
    expect(silent).toMatchObject({ state: 'done', outcome: { kind: 'stored', verifiedBy: 'digest' } });
    expect(await bench.rowOf('up/short')).toMatchObject({ state: 'failed', lengthBytes: 3, sha256: null });
    expect(await bench.rowOf('up/silent')).toMatchObject({ state: 'stored', lengthBytes: 5 });
    expect(await bench.rowOf('up/lost')).toMatchObject({ state: 'missing' });
  });

  test('asks again when a service shows an object late', async () => {
    bench.server.plan = ({ method, number }) => (method === 'HEAD' && number <= 2 ? { status: 404 } : null);
    const [transfer] = await upload(await bench.makeFile('late', '12345'));
    expect(transfer).toMatchObject({ state: 'done', outcome: { kind: 'stored', verifiedBy: 'length' } });
  });

  test('a file that has changed is not sent, or not reported as done', async () => {
    const [grown, gone, folder, replaced] = await Promise.all(
      ['grown', 'gone', 'folder', 'replaced'].map((name) => bench.makeFile(name, '12345')),
    );
    if (!grown || !gone || !folder || !replaced) throw new Error('no files');
    await appendFile(grown.path, '6');
    await rm(gone.path);
    const after = await bench.makeFile('after', '12345');
    // The service has all bytes: only the file here has changed.
    bench.server.plan = ({ identifier, method }) =>
      identifier === 'up/after' && method === 'POST'
        ? { beforeAnswer: () => appendFile(after.path, '6') }
        : null;
    const [first, second, third, fourth] = await upload(
      grown,
      gone,
      { ...folder, path: bench.folder },
      after,
    );
    expect([first, second, third, fourth].map((transfer) => transfer && told(transfer))).toEqual([
      failed('fileChanged'),
      failed('fileGone'),
      failed('fileSpecial'),
      failed('fileChanged'),
    ]);
    expect([...bench.server.objects.keys()]).toEqual(['up/after']);
    // The row describes what is stored: whole, and the file as it was.
    expect(await bench.rowOf('up/after')).toMatchObject({
      state: 'stored',
      lengthBytes: 5,
      sha256: sha256Of('12345'),
    });
    expect(await bench.rowOf('up/grown')).toMatchObject({ state: 'failed' });

    await bench.engine.actions.retry({ kind: 'ids', ids: [first?.id ?? 0] });
    await bench.settled();
    expect(bench.server.objects.get('up/grown')?.bytes.toString()).toBe('123456');
    expect(await bench.rowOf('up/grown')).toMatchObject({ state: 'stored', lengthBytes: 6 });
  });

  for (const how of ['shrinks', 'grows', 'is replaced'])
    test(
      `one that ${how} while it is sent ends the request`,
      { tags: how === 'grows' ? 'all' : [] },
      async () => {
        const size = 30_000_000;
        const item = await bench.makeFile('a', Buffer.alloc(size));
        let isChanged = false;
        const change = async () => {
          if (how === 'shrinks') await truncate(item.path, 1000);
          if (how === 'grows') await appendFile(item.path, 'x');
          if (how === 'is replaced') {
            await writeFile(join(bench.folder, 'other'), Buffer.alloc(size));
            await rename(join(bench.folder, 'other'), item.path);
          }
          isChanged = true;
        };
        // Nothing of the body is read before the file has changed.
        const { plan } = bench.server;
        bench.server.plan = (request) => {
          if (request.method === 'POST') void change();
          return request.method === 'POST' ? { holdRequest: () => isChanged } : plan(request);
        };
        const [transfer] = await upload(item);
        expect(transfer && told(transfer)).toEqual(failed('fileChanged'));
        expect(bench.server.objects.size).toBe(0);
        await until(async () => (await bench.rowOf('up/a'))?.state).toBe('failed');
      },
    );

  test('stores a refused upload under another identifier, with one row in the list', async () => {
    bench.server.plan = ({ method, identifier }) =>
      method === 'POST' && identifier === 'up/a' ? { status: 403 } : null;
    const [refused] = await upload(await bench.makeFile('a', 'x', { classification: 'Secret' }));
    const id = refused?.id ?? 0;
    expect(await bench.engine.uploadOf(id)).toMatchObject({ identifier: 'up/a', classification: 'Secret' });
    await expect(
      bench.engine.actions.editAndRetry({ id, identifier: '..', classification: null }),
    ).rejects.toMatchObject({ error: { code: 'badIdentifier' } });
    await bench.engine.actions.editAndRetry({ id, identifier: 'up/b', classification: 'Internal' });
    expect((await bench.settled()).map(told)).toEqual([done]);
    expect(bench.server.objects.get('up/b')).toMatchObject({ classification: 'Internal' });
    expect(await bench.rowOf('up/b')).toMatchObject({ state: 'stored', classification: 'Internal' });
    expect(await bench.rowOf('up/a')).toBeUndefined();
    await expect(
      bench.engine.actions.editAndRetry({ id, identifier: 'up/c', classification: null }),
    ).rejects.toMatchObject({ error: { code: 'notFound' } });
  });

  test('retries a failed upload with another file', async () => {
    const item = await bench.makeFile('a', 'before', { classification: 'Secret' });
    await rm(item.path);
    const [gone] = await upload(item);
    expect(gone && told(gone)).toEqual(failed('fileGone'));
    const id = gone?.id ?? 0;
    await expect(bench.engine.actions.replaceFile(id, item.path)).rejects.toMatchObject({
      error: { code: 'fileGone' },
    });
    await expect(bench.engine.actions.replaceFile(id, bench.folder)).rejects.toMatchObject({
      error: { code: 'fileSpecial' },
    });
    const other = await bench.makeFile('other', 'afterwards');
    await bench.engine.actions.replaceFile(id, other.path);
    expect((await bench.settled()).map(told)).toEqual([done]);
    expect(bench.server.objects.get('up/a')).toMatchObject({ classification: 'Secret' });
    expect(bench.server.objects.get('up/a')?.bytes.toString()).toBe('afterwards');
    expect(await bench.rowOf('up/a')).toMatchObject({
      state: 'stored',
      lengthBytes: 10,
      classification: 'Secret',
      sourceName: other.fileName,
    });
    await expect(bench.engine.actions.replaceFile(id, other.path)).rejects.toMatchObject({
      error: { code: 'notFound' },
    });
  });

  test('removes the row with a transfer that stored nothing', async () => {
    bench.server.plan = ({ method }) => (method === 'POST' ? { status: 413 } : null);
    const [refused] = await upload(await bench.makeFile('a', 'x'));
    await bench.engine.actions.drop({ kind: 'ids', ids: [refused?.id ?? 0] });
    expect(await bench.settled()).toEqual([]);
    expect(await bench.rowOf('up/a')).toBeUndefined();
  });

  test.each([400, 403, 404, 413])('%i fails at once, and the others continue', async (status) => {
    bench.server.plan = ({ method, identifier }) =>
      method === 'POST' && identifier === 'up/a' ? { status } : null;
    const [bad, good] = await upload(await bench.makeFile('a', 'x'), await bench.makeFile('b', 'y'));
    expect(bad?.state).toBe('failed');
    expect(good && told(good)).toEqual(done);
    expect(posts()).toBe(2);
    expect(await bench.rowOf('up/a')).toMatchObject({
      state: 'failed',
    });
  });

  test('leaves a stored row as it is until success', async () => {
    await bench.store('up/a', 'theirs');
    bench.server.objects.clear();
    bench.server.plan = ({ method, number }) => (method === 'POST' && number === 1 ? { status: 403 } : null);
    const [transfer] = await upload(await bench.makeFile('a', 'mine'));
    expect(transfer?.state).toBe('failed');
    expect(await bench.rowOf('up/a')).toMatchObject({ state: 'stored', sha256: sha256Of('theirs') });
    await bench.engine.actions.retry({ kind: 'ids', ids: [transfer?.id ?? 0] });
    await bench.settled();
    expect(await bench.rowOf('up/a')).toMatchObject({
      state: 'stored',
      sha256: sha256Of('mine'),
      sourceName: 'a',
    });
  });
});

describe('a lost answer', () => {
  test('sends again when nothing is there', async () => {
    bench.server.plan = ({ method, number }) =>
      method === 'POST' && number === 1 ? { cutRequestAtBytes: 10, cutBy: 'reset' } : null;
    const [transfer] = await upload(await bench.makeFile('a', Buffer.alloc(1_000_000)));
    expect(transfer && told(transfer)).toEqual(done);
    expect(posts()).toBe(2);
  });

  test('ends as done when the object is ours: neither sent again nor a conflict', async () => {
    bench.server.plan = ({ method, number }) =>
      method === 'POST' && number === 1 ? { cutAnswerAtBytes: 0 } : null;
    const [transfer] = await upload(await bench.makeFile('a', '12345'));
    expect(transfer && told(transfer)).toEqual(done);
    expect(posts()).toBe(1);
    expect(await bench.rowOf('up/a')).toMatchObject({ state: 'stored', sha256: sha256Of('12345') });
  });

  test('held up before HEAD has answered, shows what it waits for, and continues', async () => {
    // Real delays, so that the wait does not end by itself.
    await bench.close();
    bench = await startBench({ times: 1 });
    let isAway = true;
    bench.server.plan = ({ method }) =>
      method === 'HEAD' && isAway ? { status: 503, headers: { 'retry-after': '600' } } : null;
    await bench.upload([await bench.makeFile('a', 'x')]);
    const page = () => bench.engine.page({ tab: 'transfers', offset: 0, limit: 9 });
    await until(async () => (await page()).rows[0]?.waitingFor).toBe('retry');
    const { rows, summary } = await page();
    expect(rows).toMatchObject([{ state: 'waiting', error: { code: 'serverError', status: 503 } }]);
    expect(summary).toMatchObject({ transfers: { counts: { waiting: 1, moving: 0 } }, verifying: 0 });
    isAway = false;
    await bench.engine.actions.retry({ kind: 'ids', ids: [rows[0]?.id ?? 0] });
    expect((await bench.settled()).map(told)).toEqual([done]);
    expect(bench.server.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  test('compares after a 409 when HEAD finds the object only after a second POST', async () => {
    bench.server.plan = ({ method, number }) => {
      if (method === 'POST' && number === 1) return { cutAnswerAtBytes: 0 };
      return method === 'HEAD' && number <= 2 ? { status: 404 } : null;
    };
    const [transfer] = await upload(await bench.makeFile('a', '12345'));
    expect(transfer && told(transfer)).toEqual(done);
    expect(posts()).toBe(2);
  });

  test.each(['54321', '123'])('reports a conflict when %s is there, which is not ours', async (theirs) => {
    await bench.store('up/a', theirs, null);
    bench.server.plan = ({ method, number }) =>
      method === 'POST' && number === 1 ? { cutRequestAtBytes: 1 } : null;
    const [transfer] = await upload(await bench.makeFile('a', '12345'));
    expect(transfer).toMatchObject({ state: 'waiting', waitingFor: 'answer' });
    expect(bench.server.objects.get('up/a')?.bytes.toString()).toBe(theirs);
  });
});

describe('an identifier that exists', () => {
  beforeEach(async () => {
    await bench.store('up/a.txt', 'theirs', null);
  });

  test('skip: the list learns what is there', async () => {
    const [transfer] = await upload(
      await bench.makeFile('a.txt', 'mine', { ifExists: 'skip', classification: 'C' }),
    );
    expect(transfer && told(transfer)).toEqual({ state: 'done', code: null, outcome: { kind: 'skipped' } });
    const row = await bench.rowOf('up/a.txt');
    expect(row).toMatchObject({
      state: 'stored',
      lengthBytes: 6,
      sha256: null,
      classification: null,
      sourceName: null,
    });
    expect(await bench.catalogue.history(row?.id ?? 0, 10)).toMatchObject([{ action: 'existedAlready' }]);
  });

  test('keep both: takes the next free identifier, and the row follows', async () => {
    await bench.store('up/a-2.txt', 'known');
    await bench.store('up/a-3.txt', 'unknown', null);
    const items = [
      await bench.makeFile('a.txt', 'first', { ifExists: 'keepBoth' }),
      await bench.makeFile('a.txt', 'first', { ifExists: 'keepBoth' }),
    ];
    const transfers = await upload(...items);
    expect(transfers.map(told)).toEqual([done, done]);
    expect(transfers.map(({ identifier }) => identifier).toSorted()).toEqual(['up/a-4.txt', 'up/a-5.txt']);
    expect(bench.server.objects.get('up/a.txt')?.bytes.toString()).toBe('theirs');
    expect(await bench.rowOf('up/a.txt')).toBeUndefined();
    expect(await bench.rowOf('up/a-4.txt')).toMatchObject({ state: 'stored', sha256: sha256Of('first') });
  });

  test('an abandoned upload does not change the row that another has filled', async () => {
    bench.settings = { ...bench.settings, skipIdentical: false };
    let isFilled = false;
    bench.server.plan = ({ method, number }) =>
      method === 'POST' && number === 2 ? { holdRequest: () => isFilled } : null;
    await bench.upload([await bench.makeFile('b', 'mine'), await bench.makeFile('b', 'mine')]);
    await until(async () => (await bench.rowOf('up/b'))?.state).toBe('stored');
    isFilled = true;
    const transfers = await bench.settled();
    expect(transfers.map(({ state, waitingFor }) => waitingFor ?? state).toSorted()).toEqual([
      'answer',
      'done',
    ]);
    await bench.engine.actions.cancel({ kind: 'all' });
    await bench.settled();
    expect(await bench.rowOf('up/b')).toMatchObject({ state: 'stored', sha256: sha256Of('mine') });
  });

  test.each([
    ['ask', { waitingFor: 'answer' }],
    ['keepBoth', { identifier: 'up/c-2.txt', state: 'done' }],
  ] as const)('%s: skips what is stored already without a question', async (ifExists, otherwise) => {
    await bench.store('up/b.txt', 'mine');
    await bench.store('up/c.txt', 'mine', { sha256: null });
    const items = [
      await bench.makeFile('b.txt', 'mine', { ifExists }),
      await bench.makeFile('c.txt', 'mine', { ifExists }),
      await bench.makeFile('d.txt', 'mine', { ifExists, identifier: 'up/b.txt' }),
    ];
    await bench.store('up/b.txt', 'mine', null);
    const [same, unproven, again] = await upload(...items);
    const skipped = { state: 'done', code: null, outcome: { kind: 'skipped', isIdentical: true } };
    expect([same, again].map((transfer) => transfer && told(transfer))).toEqual([skipped, skipped]);
    expect(await bench.rowOf('up/b.txt')).toMatchObject({ state: 'stored', sha256: sha256Of('mine') });
    // The other object's bytes are unknown.
    expect(unproven).toMatchObject(otherwise);
    await bench.engine.actions.cancel({ kind: 'all' });
  });

  test('counts the files that were skipped as identical in the prompt', async () => {
    await bench.store('up/b.txt', 'mine');
    await bench.upload([await bench.makeFile('b.txt', 'mine'), await bench.makeFile('a.txt', 'mine')]);
    await bench.settled();
    expect(await bench.engine.conflictPrompt(null)).toMatchObject({ identifier: 'up/a.txt', sameBytes: 1 });
    await bench.engine.actions.cancel({ kind: 'all' });
  });

  test('ask: prompts for what is stored already when the setting says so', async () => {
    bench.settings = { ...bench.settings, skipIdentical: false };
    await bench.store('up/b.txt', 'mine');
    expect(await upload(await bench.makeFile('b.txt', 'mine'))).toMatchObject([{ waitingFor: 'answer' }]);
    await bench.engine.actions.cancel({ kind: 'all' });
  });

  test('ask: waits while others continue, and one answer can apply to all', async () => {
    await bench.store('up/b.txt', 'known', { classification: 'C' });
    await bench.store('up/c.txt', 'theirs', null);
    const names = ['a.txt', 'b.txt', 'c.txt', 'd.txt'];
    const items = await Promise.all(names.map((name) => bench.makeFile(name, 'mine')));
    const transfers = await upload(...items);
    expect(transfers.map(({ state, waitingFor }) => waitingFor ?? state)).toEqual([
      'answer',
      'answer',
      'answer',
      'done',
    ]);
    expect(await bench.summary()).toMatchObject({
      unanswered: 3,
      failed: 0,
      counts: { needsYou: 3, done: 1 },
    });

    const prompt = await bench.engine.conflictPrompt(null);
    expect(prompt).toMatchObject({
      identifier: 'up/a.txt',
      waiting: 3,
      yours: { lengthBytes: 4, sha256: sha256Of('mine') },
      stored: { lengthBytes: 6, known: false, sha256: null },
      keepBothIdentifier: 'up/a-2.txt',
      newVersionIdentifier: 'up/a@2.txt',
      sameBytes: 0,
    });
    expect(await bench.engine.conflictPrompt(transfers[1]?.id ?? 0)).toMatchObject({
      stored: { known: true, lengthBytes: 5, classification: 'C', sha256: sha256Of('known') },
    });
    await expect(bench.engine.conflictPrompt(transfers[3]?.id ?? 0)).rejects.toMatchObject({
      error: { code: 'notFound' },
    });

    await bench.engine.actions.answer({
      transferId: transfers[0]?.id ?? 0,
      answer: 'skip',
      applyToAll: false,
    });
    const next = await bench.settled();
    expect(next.map(({ state, waitingFor }) => waitingFor ?? state)).toEqual([
      'done',
      'answer',
      'answer',
      'done',
    ]);
    await bench.engine.actions.answer({
      transferId: transfers[1]?.id ?? 0,
      answer: 'keepBoth',
      applyToAll: true,
    });
    const last = await bench.settled();
    expect(last.map(({ identifier, state }) => `${identifier} ${state}`)).toEqual([
      'up/a.txt done',
      'up/b-2.txt done',
      'up/c-2.txt done',
      'up/d.txt done',
    ]);
    expect(await bench.rowOf('up/b.txt')).toMatchObject({ state: 'stored', sha256: sha256Of('known') });
    expect(await bench.engine.conflictPrompt(null)).toBeNull();
  });
});
