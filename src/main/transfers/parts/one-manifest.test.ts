import { readFile, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isPartId } from '../../../shared/domain/made-names.ts';
import type { Transfer } from '../../../shared/domain/transfer.ts';
import { distinctBytes, sha256Of } from '../../../../test-support/main/local-files/testing.ts';
import { serviceId, startBench, until, type Bench } from '../../../../test-support/main/transfers/bench.ts';
import { manifestIn } from '../../../../test-support/main/transfers/manifest-in.ts';
import { writeManifest } from './manifest.ts';

/** A part belongs to one manifest, and is deleted only for the reasons in orphan-collector.ts. */

let bench: Bench;
beforeEach(async () => {
  bench = await startBench({ maxObjectBytes: 4_000 });
});
afterEach(() => bench.close());

const bytes = distinctBytes(9_000);
const stored = { state: 'done', error: null, outcome: { kind: 'stored' } };
const partIds = () => [...bench.server.objects.keys()].filter(isPartId);
const partsAt = (identifier: string) =>
  manifestIn(bench.server.objects.get(identifier)?.bytes ?? '')?.parts.map(({ id }) => id) ?? [];
const asked = (method: string) =>
  bench.server.requests.filter((request) => request.method === method).map(({ identifier }) => identifier);

async function upload(name: string, content: Uint8Array = bytes, change = {}): Promise<Transfer | undefined> {
  await bench.upload([await bench.makeFile(name, content, change)]);
  return (await bench.settled()).at(-1);
}

async function download(identifier: string): Promise<Buffer> {
  await bench.download([(await bench.rowOf(identifier))?.id ?? 0]);
  const { outcome, error } = (await bench.settled()).at(-1) ?? {};
  expect(error).toBe(null);
  return readFile(join(bench.downloads, outcome?.kind === 'saved' ? outcome.fileName : ''));
}

/** Changes a row to what an import or *Add known* makes. */
async function listAs(identifier: string, patch: object): Promise<void> {
  const row = await bench.rowOf(identifier);
  if (row) await bench.catalogue.remove([row.id]);
  await bench.catalogue.add(serviceId, [{ kind: 'data', identifier, patch: { state: 'stored', ...patch } }]);
}

async function remove(identifier: string): Promise<void> {
  await bench.engine.enqueue.deletions(serviceId, [(await bench.rowOf(identifier))?.id ?? 0]);
  await until(async () => (await bench.rowOf(identifier))?.state).toBe('gone');
  await bench.tidied();
}

async function undo(identifier: string): Promise<Transfer | undefined> {
  const [version] = await bench.undoCopies.ofObject(serviceId, identifier);
  if (!version) throw new Error(`nothing of ${identifier} is kept`);
  await bench.engine.enqueue.undo(version);
  return (await bench.settled()).at(-1);
}

describe('keeps what another manifest needs', () => {
  test('a deletion removes only its own parts, whatever versions exist beside it', async () => {
    const others = ['up/a@7.bin', 'up/a@300.bin', 'up/a-v2.bin'];
    await upload('a.bin');
    for (const identifier of others) await upload('a.bin', bytes, { identifier });
    for (const identifier of others) {
      const row = await bench.rowOf(identifier);
      if (row) await bench.catalogue.remove([row.id]);
    }
    await remove('up/a.bin');
    for (const identifier of others) {
      await listAs(identifier, {});
      expect(await download(identifier)).toEqual(bytes);
    }
  });

  test('removing a row from the list deletes nothing, nor does a stale row', async () => {
    await upload('a.bin');
    const before = partIds();
    const stale = await bench.rowOf('up/a.bin');
    if (stale) await bench.catalogue.update([{ id: stale.id, patch: { state: 'missing' } }]);
    await bench.catalogue.remove([stale?.id ?? 0]);
    await bench.restart();
    await bench.tidied();
    expect(asked('DELETE')).toEqual([]);
    expect(partIds()).toEqual(before);
  });

  test('a deletion removes the manifest that is stored now and its parts, not those that the list knew', async () => {
    await upload('a.bin');
    const ours = partIds();
    const theirs = distinctBytes(5_000);
    const list = writeManifest({
      base: 'up/a.bin',
      size: 5_000,
      sha256: sha256Of(theirs),
      split: { method: 'fixed', bytes: 5_000 },
      name: '',
      modified: '',
      classification: null,
      created: '',
      client: '',
      upload: 'f'.repeat(32),
      digests: [sha256Of(theirs)],
    });
    bench.server.objects.set('up/a.bin', { bytes: Buffer.from(list), classification: null });
    bench.server.objects.set(partsAt('up/a.bin')[0] ?? '', { bytes: theirs, classification: null });
    await remove('up/a.bin');
    expect(partIds()).toEqual(ours);
  });

  test('a manifest that a stranger puts beside an object cannot delete its parts', async () => {
    await upload('a.bin');
    const list = bench.server.objects.get('up/a.bin')?.bytes ?? Buffer.alloc(0);
    await bench.store('up/a.bin~o-0123456789abcdef', list);
    await remove('up/a.bin~o-0123456789abcdef');
    expect(await download('up/a.bin')).toEqual(bytes);
  });

  test('reads a copy beside an object that is replaced itself, and brings it back', async () => {
    const besides = (identifier: string) =>
      [...bench.server.objects.keys()].find((id) => id.startsWith(`${identifier}~o-`)) ?? '';
    await upload('a.bin');
    await upload('a.bin', distinctBytes(5_000), { ifExists: 'replace' });
    const copy = besides('up/a.bin');
    await listAs(copy, {});
    await upload('b.bin', distinctBytes(6_000), { identifier: copy, ifExists: 'replace' });
    const again = besides(copy);
    await listAs(again, {});
    expect(await download(again)).toEqual(bytes);
    expect(await undo(copy)).toMatchObject(stored);
    expect(await download(copy)).toEqual(bytes);
  });

  test('a deleted copy of a copy leaves the parts that the copy names', async () => {
    await upload('a.bin');
    const list = bench.server.objects.get('up/a.bin')?.bytes ?? Buffer.alloc(0);
    const copy = 'up/a.bin~o-0123456789abcdef';
    const again = `${copy}~o-fedcba9876543210`;
    await bench.store('up/a.bin', 'somebody else’s', null);
    await bench.store(copy, list);
    await bench.store(again, list);
    await listAs(copy, {});
    await remove(again);
    expect(await download(copy)).toEqual(bytes);
  });

  test('keeps the parts of an undo copy too', async () => {
    await upload('a.bin');
    const list = bench.server.objects.get('up/a.bin')?.bytes ?? Buffer.alloc(0);
    await upload('a.bin', distinctBytes(5_000), { ifExists: 'replace' });
    await bench.store('up/a.bin~o-0123456789abcdef', list);
    await remove('up/a.bin~o-0123456789abcdef');
    expect(await undo('up/a.bin')).toMatchObject(stored);
    expect(await download('up/a.bin')).toEqual(bytes);
  });
});

describe('leaves unclear cases for a person to decide', () => {
  test('another computer moves a stored manifest before its upload is cancelled', async () => {
    const moved = 'up/a~o-0123456789abcdef';
    bench.server.plan = ({ method, identifier }) => {
      if (identifier !== 'up/a') return null;
      const list = bench.server.objects.get('up/a');
      if (!list) return method === 'POST' ? { cutAnswerAtBytes: 0 } : null;
      bench.server.objects.delete('up/a');
      bench.server.objects.set(moved, list);
      // With an answer the upload would go on and store it again.
      return { holdRequest: () => false };
    };
    const [id = 0] = await bench.upload([await bench.makeFile('a', bytes)]);
    await until(() => bench.server.objects.has(moved)).toBe(true);
    await bench.engine.actions.cancel({ kind: 'ids', ids: [id] });
    await until(() => bench.engine.orphans.left(serviceId)).toMatchObject([{ parts: 5, why: 'unknown' }]);
    expect(asked('DELETE')).toEqual([]);
  });

  test('deletes a copy that a Replace left while another computer has moved the manifest', async () => {
    await upload('a');
    const list = bench.server.objects.get('up/a')?.bytes ?? Buffer.alloc(0);
    const copy = await bench.store('up/a~r-0123456789abcdef', list);
    bench.server.objects.delete('up/a');
    await bench.engine.enqueue.deletions(serviceId, [copy]);
    await until(() => bench.engine.orphans.left(serviceId)).toMatchObject([{ parts: 5, why: 'unknown' }]);
    expect(partIds()).toHaveLength(5);
  });

  test('an older copy of the database has a plan, but not the end of its transfer', async () => {
    await upload('a');
    const text = bench.server.objects.get('up/a')?.bytes.toString() ?? '';
    bench.server.objects.delete('up/a');
    const { origin } = await bench.connections.openFor(serviceId);
    const source = { sizeBytes: 9_000, mtimeMs: 0, inode: '' };
    const of = { kind: 'upload', source, beside: null, isOut: false };
    const plan = { transferId: 999, serviceId, origin, identifier: 'up/a', text, of };
    await bench.documents.put('chunkPlans', '999', plan);
    await bench.documents.put('chunkMarks', '999/0', 'done');
    await bench.restart();
    await until(() => bench.engine.orphans.left(serviceId)).toMatchObject([
      { identifier: 'up/a', why: 'unknown' },
    ]);
    expect(asked('DELETE')).toEqual([]);
    expect(partIds()).toHaveLength(5);
  });
});

describe('deletion', () => {
  for (const [what, known] of [
    ['as an import of CSV knows it', { lengthBytes: 9_000, sha256: sha256Of(bytes) }],
    ['as it was when it was another file', { lengthBytes: 5, sha256: sha256Of(Buffer.from('other')) }],
    ['by its identifier alone', {}],
  ] as const)
    test(
      `takes the parts of what lies there now: ${what}`,
      { tags: what.startsWith('as an import') ? 'all' : [] },
      async () => {
        await upload('a');
        await listAs('up/a', known);
        await remove('up/a');
        expect([...bench.server.objects.keys()]).toEqual([]);
      },
    );

  test('leaves the parts after somebody else has deleted the manifest, shows them, and removes them on request', async () => {
    await upload('a');
    bench.server.objects.delete('up/a');
    await bench.engine.enqueue.deletions(serviceId, [(await bench.rowOf('up/a'))?.id ?? 0]);
    await until(() => bench.engine.orphans.left(serviceId)).toMatchObject([
      { identifier: 'up/a', parts: 5, why: 'unknown' },
    ]);
    expect(partIds()).toHaveLength(5);
    await bench.restart();
    const [{ upload: left } = { upload: '' }] = bench.engine.orphans.left(serviceId);
    expect(partIds()[0]).toContain(left);
    await bench.engine.orphans.removeLeft(serviceId, [left]);
    await until(partIds).toEqual([]);
  });

  test('stops asking a service that refuses to delete parts', async () => {
    await upload('a');
    bench.server.plan = ({ method, identifier }) =>
      method === 'DELETE' && isPartId(identifier) ? { status: 403 } : null;
    await bench.engine.enqueue.deletions(serviceId, [(await bench.rowOf('up/a'))?.id ?? 0]);
    await until(() => bench.engine.orphans.left(serviceId)).toMatchObject([{ parts: 5, why: 'refused' }]);
    const before = asked('DELETE').length;
    await bench.restart();
    await upload('other', Buffer.from('small'));
    // Closing waits for the collector, so another DELETE would be recorded by now.
    await bench.restart();
    expect(asked('DELETE')).toHaveLength(before);
    bench.server.plan = () => null;
    const [{ upload: left } = { upload: '' }] = bench.engine.orphans.left(serviceId);
    await bench.engine.orphans.removeLeft(serviceId, [left]);
    await until(partIds).toEqual([]);
  });
});

describe('before and after the manifest is sent', () => {
  test('sends a part again that is deleted while the others are sent', async () => {
    bench.server.plan = ({ method, identifier }) => {
      const [first] = partIds();
      if (method === 'POST' && identifier.endsWith('-00003') && first) bench.server.objects.delete(first);
      return null;
    };
    expect(await upload('a')).toMatchObject(stored);
    expect(await download('up/a')).toEqual(bytes);
  });

  test('reports a part that is deleted while the manifest is sent; Upload again sends it, and the file is whole', async () => {
    bench.server.plan = ({ method, identifier }) => {
      if (method === 'POST' && identifier === 'up/a') bench.server.objects.delete(partIds()[0] ?? '');
      return null;
    };
    const failed = await upload('a');
    expect(failed?.error).toEqual({
      code: 'storedIncomplete',
      missingParts: 1,
      parts: 5,
      missingBytes: expect.any(Number),
      sizeBytes: 9_000,
    });
    const row = await bench.rowOf('up/a');
    expect(row).toMatchObject({ state: 'missing', lengthBytes: 9_000, parts: { count: 5 } });
    expect(await bench.catalogue.missingPartsOf(row?.id ?? 0)).toHaveLength(1);
    bench.server.plan = () => null;
    await bench.engine.actions.retry({ kind: 'ids', ids: [failed?.id ?? 0] });
    expect((await bench.settled()).at(-1)).toMatchObject(stored);
    expect(await bench.rowOf('up/a')).toMatchObject({ state: 'stored' });
    expect(await download('up/a')).toEqual(bytes);
  });

  test('an incomplete upload that leaves the list keeps what is stored', async () => {
    bench.server.plan = ({ method, identifier }) => {
      if (method === 'POST' && identifier === 'up/a') bench.server.objects.delete(partIds()[0] ?? '');
      return null;
    };
    const failed = await upload('a');
    await bench.engine.actions.drop({ kind: 'ids', ids: [failed?.id ?? 0] });
    await bench.tidied();
    expect(partIds()).toHaveLength(4);
  });

  test.each([
    ['ask', { waitingFor: 'answer' }],
    ['newVersion', { ...stored, identifier: 'up/a@2' }],
  ] as const)(
    'an object that lacks a part does not count as the same bytes: %s',
    async (ifExists, expected) => {
      await upload('a');
      bench.server.objects.delete(partsAt('up/a')[1] ?? '');
      expect(await upload('a', bytes, { ifExists })).toMatchObject(expected);
    },
  );

  test('Undo of a file whose parts are gone changes nothing, and names them', async () => {
    await upload('a');
    const old = partIds();
    const newer = distinctBytes(5_000);
    await upload('a', newer, { ifExists: 'replace' });
    for (const id of old.slice(0, 3)) bench.server.objects.delete(id);
    expect((await undo('up/a'))?.error).toMatchObject({ code: 'partsMissing', missingParts: 3, parts: 5 });
    expect(await download('up/a')).toEqual(newer);
  });

  test("never takes garbage of the right length under a part's name for it", async () => {
    await upload('a');
    for (const id of partIds())
      bench.server.objects.set(id, {
        bytes: Buffer.alloc(bench.server.objects.get(id)?.bytes.length ?? 0),
        classification: null,
      });
    expect(await upload('a', bytes, { identifier: 'up/b' })).toMatchObject(stored);
    expect(await upload('a', bytes, { ifExists: 'replace' })).toMatchObject({ state: 'done' });
    expect(await download('up/b')).toEqual(bytes);
  });
});

test('uploads a file that equals the stored manifest, also after a kill', async () => {
  await upload('a');
  const list = bench.server.objects.get('up/a')?.bytes ?? Buffer.alloc(0);
  const looks = () => asked('HEAD').filter((identifier) => identifier === 'up/a').length;
  const before = looks();
  bench.server.plan = ({ method, identifier }) =>
    method === 'HEAD' && identifier === 'up/a' ? { delayMs: 60_000 } : null;
  await bench.upload([await bench.makeFile('a', list, { ifExists: 'replace' })]);
  await until(looks).toBe(before + 1);
  await bench.closeEngine();
  bench.server.plan = () => null;
  await bench.restart();
  expect((await bench.settled()).at(-1)).toMatchObject(stored);
  expect(await download('up/a')).toEqual(list);
});

describe('unusual answers of a service or a file system', () => {
  for (const [when, seconds] of [
    ['before 1970', -300_000_000],
    ['far away', 300_000_000_000],
  ] as const)
    test(
      `restores a file dated ${when}, and deletes it with its chunks`,
      { tags: when === 'far away' ? 'all' : [] },
      async () => {
        const item = await bench.makeFile('old.bin', bytes);
        const date = new Date(seconds * 1000);
        await utimes(item.path, date, date);
        const { mtimeMs } = await stat(item.path);
        await bench.upload([{ ...item, mtimeMs }]);
        expect((await bench.settled()).at(-1)).toMatchObject(stored);
        expect(await download('up/old.bin')).toEqual(bytes);
        await remove('up/old.bin');
        expect(partIds()).toEqual([]);
      },
    );

  for (const [identifier, tags] of [
    ['up/a~o-0123456789abcdef', []],
    ['up/a~r-0123456789abcdef', 'all'],
    [`up/a~p-${'0'.repeat(32)}-00001`, []],
    ['up/a@2.bin', 'all'],
  ] as const)
    test(
      `an object may be named as Coffer names its own: ${identifier}`,
      { tags: [tags].flat() },
      async () => {
        expect(await upload('a', bytes, { identifier })).toMatchObject(stored);
        expect(await download(identifier)).toEqual(bytes);
        await remove(identifier);
        expect([...bench.server.objects.keys()]).toEqual([]);
      },
    );

  test('verifies parts by fetching them when HEAD gives no length', async () => {
    bench.server.plan = ({ method }) => (method === 'HEAD' ? { originalLengthBytes: null } : null);
    expect(await upload('a')).toMatchObject({ ...stored, outcome: { verifiedBy: 'digest' } });
    expect(asked('GET').filter(isPartId)).toHaveLength(5);
    expect(await download('up/a')).toEqual(bytes);
  });

  test('a retry uses new names if a part holds other bytes, also when HEAD gives no length', async () => {
    bench.server.plan = ({ method, identifier }) => {
      if (method === 'HEAD') return { originalLengthBytes: null };
      return method === 'POST' && identifier.endsWith('-00002') ? { storeOnlyBytes: 7 } : null;
    };
    const failed = await upload('a');
    expect(failed?.error).toMatchObject({ code: 'partDiffers', storedBytes: null });
    const before = new Set(partIds());
    bench.server.plan = () => null;
    await bench.engine.actions.retry({ kind: 'ids', ids: [failed?.id ?? 0] });
    expect((await bench.settled()).at(-1)).toMatchObject(stored);
    await bench.tidied();
    expect(partIds()).toHaveLength(5);
    expect(partIds().filter((id) => before.has(id))).toEqual([]);
  });

  test('downloads a file whose import does not know that it is in parts', async () => {
    await upload('a');
    await listAs('up/a', { lengthBytes: 9_000, sha256: sha256Of(bytes) });
    expect(await download('up/a')).toEqual(bytes);
    expect(await bench.rowOf('up/a')).toMatchObject({ lengthBytes: 9_000, parts: { count: 5 } });
  });

  test('rejects an object in parts whose digest differs from the imported one', async () => {
    await upload('a');
    await listAs('up/a', { lengthBytes: 9_000, sha256: sha256Of(Buffer.from('other')) });
    await bench.download([(await bench.rowOf('up/a'))?.id ?? 0]);
    expect((await bench.settled()).at(-1)?.error).toMatchObject({ code: 'digestDiffers' });
  });
});

test('an expired undo copy of a file in parts goes, and its parts with it', async () => {
  await upload('a');
  const old = partIds();
  const newer = distinctBytes(5_000);
  await upload('a', newer, { ifExists: 'replace' });
  const besides = () => [...bench.server.objects.keys()].filter((id) => id.startsWith('up/a~o-'));
  expect(besides()).toHaveLength(1);
  expect(partIds()).toEqual(expect.arrayContaining(old));
  await bench.undoCopies.clear();
  await until(besides).toEqual([]);
  await bench.tidied();
  expect(partIds().filter((id) => old.includes(id))).toEqual([]);
  expect(await download('up/a')).toEqual(newer);
});

test('Undo moves a manifest and sends no part', async () => {
  await upload('a');
  await upload('a', distinctBytes(5_000), { ifExists: 'replace' });
  const before = asked('POST').length;
  expect(await undo('up/a')).toMatchObject(stored);
  expect(asked('POST').slice(before).filter(isPartId)).toEqual([]);
  await bench.tidied();
  expect(await download('up/a')).toEqual(bytes);
});
