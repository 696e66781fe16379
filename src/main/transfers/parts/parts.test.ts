import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isPartId } from '../../../shared/domain/made-names.ts';
import { afterParts, changeAfterHead, findMissingParts } from '../../bulk-operations/check-objects.ts';
import { createObjects } from '../../object-handlers/object-handlers.ts';
import type { Transfer } from '../../../shared/domain/transfer.ts';
import { distinctBytes, sha256Of } from '../../../../test-support/main/local-files/testing.ts';
import { serviceId, startBench, until, type Bench } from '../../../../test-support/main/transfers/bench.ts';
import { manifestIn } from '../../../../test-support/main/transfers/manifest-in.ts';
import { writeManifest, type Manifest } from './manifest.ts';

let bench: Bench;
beforeEach(async () => {
  bench = await startBench({ maxObjectBytes: 4_000 });
});
afterEach(() => bench.close());

const bytes = distinctBytes(9_000);
const partIds = () => [...bench.server.objects.keys()].filter(isPartId);
const posts = () =>
  bench.server.requests.filter(({ method }) => method === 'POST').map(({ identifier }) => identifier);
const stored = { state: 'done', error: null, outcome: { kind: 'stored', verifiedBy: 'length' } };

function manifestAt(identifier: string): Omit<Manifest, 'base'> {
  const list = manifestIn(bench.server.objects.get(identifier)?.bytes ?? '');
  if (list === null) throw new Error(`${identifier} is no list of parts`);
  return list;
}

async function upload(name: string, content: Uint8Array = bytes, change = {}): Promise<Transfer | undefined> {
  await bench.upload([await bench.makeFile(name, content, change)]);
  return (await bench.settled()).at(-1);
}

async function download(identifier: string): Promise<Transfer | undefined> {
  await bench.download([(await bench.rowOf(identifier))?.id ?? 0]);
  return (await bench.settled()).at(-1);
}

/** Lets this many parts through and holds the others until it is released. */
function holdAfter(count: number): { release: () => void } {
  let came = 0;
  let isHeld = true;
  bench.server.plan = ({ method, identifier }) => {
    if (method !== 'POST' || !isPartId(identifier) || !isHeld) return null;
    came += 1;
    return came > count ? { holdRequest: () => !isHeld } : null;
  };
  return { release: () => (isHeld = false) };
}

describe('up', () => {
  test('compares a new version of an object in parts that is not in the list by its manifest', async () => {
    await upload('film.mov');
    await bench.catalogue.remove([(await bench.rowOf('up/film.mov'))?.id ?? 0]);
    const before = bench.server.objects.size;
    const same = await upload('film.mov', bytes, { ifExists: 'newVersion' });
    expect(same).toMatchObject({ state: 'done', outcome: { kind: 'skipped', isIdentical: true } });
    expect(bench.server.objects.size).toBe(before);
    await bench.catalogue.remove([(await bench.rowOf('up/film.mov'))?.id ?? 0]);
    const other = await upload('film.mov', distinctBytes(9_001), { ifExists: 'newVersion' });
    expect(other).toMatchObject({ ...stored, identifier: 'up/film@2.mov' });
  });

  test('a new version of an object imported without its parts does not put the digest of the file into the row', async () => {
    await upload('film.mov');
    const row = await bench.rowOf('up/film.mov');
    await bench.catalogue.remove([row?.id ?? 0]);
    const { length: manifestBytes } = bench.server.objects.get('up/film.mov')?.bytes ?? '';
    const patch = { state: 'stored', lengthBytes: manifestBytes, unverified: 7 } as const;
    await bench.catalogue.add(serviceId, [{ kind: 'data', identifier: 'up/film.mov', patch }]);
    const same = await upload('film.mov', bytes, { ifExists: 'newVersion' });
    expect(same).toMatchObject({ state: 'done', outcome: { kind: 'skipped', isIdentical: true } });
    expect(await bench.rowOf('up/film.mov')).toMatchObject({ lengthBytes: manifestBytes, sha256: null });
  });

  test('sends a file over the limit in parts, and the manifest last', async () => {
    expect(await upload('film.mov', bytes, { classification: 'Internal' })).toMatchObject({
      ...stored,
      doneBytes: 9_000,
      totalBytes: 9_000,
    });
    const { parts, ...manifest } = manifestAt('up/film.mov');
    expect(manifest).toMatchObject({
      size: 9_000,
      sha256: sha256Of(bytes),
      split: { method: 'fixed', bytes: 2_000 },
      name: 'film.mov',
      classification: 'Internal',
    });
    expect(parts.map(({ size }) => size)).toEqual([2_000, 2_000, 2_000, 2_000, 1_000]);
    expect(
      Buffer.concat(parts.map(({ id }) => bench.server.objects.get(id)?.bytes ?? Buffer.alloc(0))),
    ).toEqual(bytes);
    expect(posts()[0]).toBe(parts[4]?.id);
    expect(posts().at(-1)).toBe('up/film.mov');
    for (const { classification } of bench.server.objects.values()) expect(classification).toBe('Internal');
    expect(await bench.rowOf('up/film.mov')).toMatchObject({
      state: 'stored',
      lengthBytes: 9_000,
      sha256: sha256Of(bytes),
      parts: { count: 5, manifestBytes: bench.server.objects.get('up/film.mov')?.bytes.length },
    });
  });

  test('stores the same bytes twice as two parts', async () => {
    await upload('zeros', Buffer.alloc(8_001));
    expect(manifestAt('up/zeros').parts).toHaveLength(5);
    expect(partIds()).toHaveLength(5);
    await download('up/zeros');
    expect(await readFile(join(bench.downloads, 'zeros'))).toEqual(Buffer.alloc(8_001));
  });

  test.each([
    ['versions', ['up/a.bin', 'up/a@2.bin', 'up/a@3.bin']],
    ['what a Replace stores', ['up/a.bin', 'up/a.bin', 'up/a.bin']],
  ])('parts have the classification of their file: %s', async (_, identifiers) => {
    const changed = Buffer.concat([bytes.subarray(0, 4_000), distinctBytes(5_000)]);
    const wanted = [
      ['Public', bytes],
      ['Restricted', changed],
      [null, bytes],
    ] as const;
    for (const [index, [classification, content]] of wanted.entries()) {
      const identifier = identifiers[index] ?? '';
      const chosen = { classification, classificationChosen: true };
      const done = await upload('a.bin', content, { identifier, ...chosen, ifExists: 'replace' });
      expect(done).toMatchObject({ state: 'done', outcome: { kind: 'stored' } });
      for (const id of [identifier, ...manifestAt(identifier).parts.map((part) => part.id)])
        expect(bench.server.objects.get(id)).toMatchObject({ classification });
    }
    await download('up/a.bin');
    expect(await readFile(join(bench.downloads, 'a.bin'))).toEqual(bytes);
  });

  test('sends the smallest part first, so that a refusal costs little', async () => {
    bench.server.plan = ({ method }) => (method === 'POST' ? { status: 403 } : null);
    expect((await upload('a', bytes))?.error?.code).toBe('forbidden');
    expect(posts()).toHaveLength(1);
    expect(bench.server.receivedBytes()).toBeLessThan(2_000);
  });

  test.each(['direct', 'deferred'] as const)('sends parts side by side: %s', async (route) => {
    let isHeld = true;
    let held = 0;
    let most = 0;
    bench.server.plan = ({ method, identifier }) => {
      if (method !== 'POST' || !isPartId(identifier) || posts().length === 1) return null;
      held += 1;
      most = Math.max(most, held);
      return {
        holdRequest() {
          if (!isHeld) held -= 1;
          return !isHeld;
        },
      };
    };
    await bench.upload([await bench.makeFile('a', bytes)], route);
    await until(() => held).toBe(bench.settings.transfersAtOnce);
    isHeld = false;
    await until(() => partIds().length).toBe(5);
    expect(most).toBe(bench.settings.transfersAtOnce);
  });

  test('prompts about an identifier that exists before it sends a part', async () => {
    await bench.store('up/a', 'there', null);
    await bench.upload([await bench.makeFile('a', bytes)]);
    await until(async () => (await bench.all())[0]?.waitingFor).toBe('answer');
    expect(posts()).toEqual([]);
    const [{ id: transferId } = { id: 0 }] = await bench.all();
    await bench.engine.actions.answer({ transferId, answer: 'keepBoth', applyToAll: false });
    expect(await bench.settled()).toMatchObject([{ ...stored, identifier: 'up/a-2' }]);
    expect(partIds().every((id) => id.startsWith('up/a-2~p-'))).toBe(true);
  });

  test('compares the manifest after a lost answer', async () => {
    let isFirst = true;
    bench.server.plan = ({ method, identifier }) => {
      if (method !== 'POST' || identifier !== 'up/a' || !isFirst) return null;
      isFirst = false;
      return { cutAnswerAtBytes: 0 };
    };
    expect(await upload('a', bytes)).toMatchObject(stored);
    expect(await bench.rowOf('up/a')).toMatchObject({ lengthBytes: 9_000, parts: { count: 5 } });
    expect(posts().filter((identifier) => identifier === 'up/a')).toHaveLength(1);
  });

  test('continues at the next part after a stop', async () => {
    const { release } = holdAfter(3);
    await bench.upload([await bench.makeFile('a', bytes)]);
    await until(() => partIds().length).toBe(3);
    const before = new Set(partIds());
    await bench.closeEngine();
    release();
    const from = posts().length;
    await bench.restart();
    expect(await bench.settled()).toMatchObject([stored]);
    expect(
      posts()
        .slice(from)
        .filter((identifier) => before.has(identifier)),
    ).toEqual([]);
  });

  test('reports a file that changed meanwhile; a retry uses new names and the old parts are removed', async () => {
    const item = await bench.makeFile('a', bytes);
    const { release } = holdAfter(2);
    await bench.upload([item]);
    await until(() => partIds().length).toBe(2);
    const changed = distinctBytes(9_001);
    await writeFile(item.path, changed);
    release();
    const [failed] = await bench.settled();
    expect(failed?.error).toEqual({ code: 'fileChanged', fileName: 'a' });
    const before = partIds();
    expect(before.length).toBeGreaterThan(1);
    await bench.engine.actions.retry({ kind: 'ids', ids: [failed?.id ?? 0] });
    expect(await bench.settled()).toMatchObject([stored]);
    await bench.tidied();
    expect(partIds().toSorted()).toEqual(manifestAt('up/a').parts.map(({ id }) => id));
    expect(partIds().filter((id) => before.includes(id))).toEqual([]);
  });

  test('removes its parts when it is cancelled', async () => {
    holdAfter(2);
    await bench.upload([await bench.makeFile('a', bytes)]);
    await until(() => partIds().length).toBe(2);
    const [{ id } = { id: 0 }] = await bench.all();
    await bench.engine.actions.cancel({ kind: 'ids', ids: [id] });
    await bench.tidied();
    expect(partIds()).toEqual([]);
    expect(await bench.rowOf('up/a')).toBeUndefined();
  });

  test('gives back unchanged a file that begins like a manifest', async () => {
    await upload('a', bytes);
    const list = bench.server.objects.get('up/a')?.bytes ?? Buffer.alloc(0);
    expect(await upload('copy.json', list)).toMatchObject(stored);
    expect(manifestAt('up/copy.json').parts).toHaveLength(1);
    await download('up/copy.json');
    expect(await readFile(join(bench.downloads, 'copy.json'))).toEqual(list);
  });
});

describe('down', () => {
  test('part by part, and whole', async () => {
    await upload('film.mov', bytes);
    expect(await download('up/film.mov')).toMatchObject({
      state: 'done',
      outcome: { kind: 'saved', fileName: 'film.mov', verifiedBy: 'digest' },
      totalBytes: 9_000,
    });
    expect(await readFile(join(bench.downloads, 'film.mov'))).toEqual(bytes);
    expect(await readdir(bench.downloads)).toEqual(['film.mov']);
  });

  test('finds that an object that was only added is in parts', async () => {
    await upload('a', bytes);
    const id = (await bench.rowOf('up/a'))?.id ?? 0;
    await bench.catalogue.remove([id]);
    const lengthBytes = bench.server.objects.get('up/a')?.bytes.length ?? 0;
    await bench.catalogue.add(serviceId, [
      { kind: 'data', identifier: 'up/a', patch: { state: 'stored', lengthBytes } },
    ]);
    await download('up/a');
    expect(await readFile(join(bench.downloads, 'a'))).toEqual(bytes);
    expect(await bench.rowOf('up/a')).toMatchObject({ lengthBytes: 9_000, parts: { count: 5 } });
  });

  test('continues at the next part after a stop', async () => {
    await upload('a', bytes);
    const gets = () => bench.server.requests.filter(({ method }) => method === 'GET');
    let answered = 0;
    bench.server.plan = ({ method, identifier }) => {
      if (method !== 'GET' || !isPartId(identifier)) return null;
      answered += 1;
      return answered > 2 ? { delayMs: 60_000 } : null;
    };
    await bench.download([(await bench.rowOf('up/a'))?.id ?? 0]);
    await until(
      async () => (await bench.all()).find(({ direction }) => direction === 'download')?.doneBytes,
    ).toBe(4_000);
    await bench.closeEngine();
    bench.server.plan = () => null;
    const from = gets().length;
    await bench.restart();
    await bench.settled();
    expect(await readFile(join(bench.downloads, 'a'))).toEqual(bytes);
    expect(
      gets()
        .slice(from)
        .filter(({ identifier }) => isPartId(identifier)),
    ).toHaveLength(3);
  });

  test('reports missing bytes, and keeps what is whole', async () => {
    await upload('a', bytes);
    const { parts } = manifestAt('up/a');
    bench.server.objects.delete(parts[1]?.id ?? '');
    bench.server.objects.set(parts[2]?.id ?? '', { bytes: Buffer.alloc(2_000), classification: null });
    const failed = await download('up/a');
    expect(failed?.error).toEqual({
      code: 'partsMissing',
      gaps: [{ firstByte: 2_000, lastByte: 5_999 }],
      missingParts: 2,
      parts: 5,
      missingBytes: 4_000,
      sizeBytes: 9_000,
    });
    expect((await readdir(bench.downloads)).filter((name) => !name.endsWith('.part'))).toEqual([]);
    const row = await bench.rowOf('up/a');
    expect(row).toMatchObject({ state: 'missing', lengthBytes: 9_000 });
    expect(await bench.catalogue.missingPartsOf(row?.id ?? 0)).toEqual([1, 2]);
    await bench.engine.actions.drop({ kind: 'ids', ids: [failed?.id ?? 0] });
    await until(() => readdir(bench.downloads)).toEqual([]);
  });

  test.each([
    ['a newer version', (text: string) => text.replace('"version":2', '"version":3'), 'partsTooNew'],
    ['an impossible size', (text: string) => text.replace('"size":9000', '"size":9001'), 'partsWrong'],
  ])('%s is refused as a file', async (_, change, code) => {
    await upload('a', bytes);
    const text = change(bench.server.objects.get('up/a')?.bytes.toString() ?? '').replace(
      /"self":"[0-9a-f]+"\}$/,
      '"self":""}',
    );
    const list = text.replace(/"self":""\}$/, `"self":"${sha256Of(Buffer.from(text))}"}`);
    await bench.store('other/x', list, { lengthBytes: list.length, sha256: null });
    expect((await download('other/x'))?.error?.code).toBe(code);
  });

  test('stops after a few tries if the parts are right and the file they make is not', async () => {
    await upload('film.mov');
    const base = 'up/film.mov';
    const { parts, ...list } = manifestAt(base);
    const digests = parts.map(({ sha256 }) => sha256);
    const text = writeManifest({ ...list, base, digests, sha256: '0'.repeat(64) });
    await bench.catalogue.remove([(await bench.rowOf(base))?.id ?? 0]);
    await bench.store(base, text, { lengthBytes: text.length, sha256: null });
    expect(await download(base)).toMatchObject({ state: 'failed', error: { code: 'digestDiffers' } });
  });

  test('treats what only looks like a manifest as a file', async () => {
    const text = writeManifest(ofNothing).replace('"size":1', '"size":2');
    await bench.store('other/y', text);
    expect(await download('other/y')).toMatchObject({ state: 'done' });
    expect(await readFile(join(bench.downloads, 'y'), 'utf8')).toBe(text);
  });
});

const ofNothing: Parameters<typeof writeManifest>[0] = {
  base: 'other/y',
  size: 1,
  sha256: '0'.repeat(64),
  split: { method: 'fixed', bytes: 1 },
  name: '',
  modified: '',
  classification: null,
  created: '',
  client: '',
  upload: '0'.repeat(32),
  digests: [],
};

describe('deletion', () => {
  test('the manifest first, then the parts', async () => {
    await upload('a', bytes);
    const from = bench.server.requests.length;
    await bench.engine.enqueue.deletions(serviceId, [(await bench.rowOf('up/a'))?.id ?? 0]);
    await until(async () => (await bench.rowOf('up/a'))?.state).toBe('gone');
    await until(() => bench.server.objects.size).toBe(0);
    await bench.tidied();
    const deletes = bench.server.requests.slice(from).filter(({ method }) => method === 'DELETE');
    expect(deletes.map(({ identifier }) => identifier)[0]).toBe('up/a');
    expect(deletes).toHaveLength(6);
  });

  test('also if the object was only added to the list', async () => {
    await upload('a', bytes);
    await bench.catalogue.remove([(await bench.rowOf('up/a'))?.id ?? 0]);
    const lengthBytes = bench.server.objects.get('up/a')?.bytes.length ?? 0;
    const patch = { state: 'stored', lengthBytes } as const;
    const [row] = await bench.catalogue.add(serviceId, [{ kind: 'data', identifier: 'up/a', patch }]);
    await bench.engine.enqueue.deletions(serviceId, [row?.record.id ?? 0]);
    await until(() => bench.server.objects.size).toBe(0);
    await bench.tidied();
    expect((await bench.rowOf('up/a'))?.state).toBe('gone');
  });

  test('of a staged copy of the manifest keeps the parts while the object has the same manifest', async () => {
    await upload('a', bytes);
    const list = bench.server.objects.get('up/a')?.bytes ?? Buffer.alloc(0);
    const beside = await bench.store('up/a~r-0123456789abcdef', list);
    await bench.engine.enqueue.deletions(serviceId, [beside]);
    await until(async () => (await bench.rowOf('up/a~r-0123456789abcdef'))?.state).toBe('gone');
    await bench.tidied();
    expect(partIds()).toHaveLength(5);
    await bench.engine.enqueue.deletions(serviceId, [(await bench.rowOf('up/a'))?.id ?? 0]);
    await until(() => bench.server.objects.size).toBe(0);
    await bench.tidied();
  });

  test('keeps the parts that a failed upload may continue with until it leaves the list', async () => {
    bench.server.plan = ({ method, identifier }) =>
      method === 'POST' && identifier === 'up/a' ? { status: 403 } : null;
    const failed = await upload('a', bytes);
    expect(failed?.error?.code).toBe('forbidden');
    await bench.restart();
    await bench.tidied();
    expect(partIds()).toHaveLength(5);
    await bench.engine.actions.drop({ kind: 'ids', ids: [failed?.id ?? 0] });
    await until(partIds).toEqual([]);
  });
});

describe('other actions', () => {
  test('saves an incomplete download under a name that says so', async () => {
    await upload('film.mov', bytes);
    bench.server.objects.delete(manifestAt('up/film.mov').parts[1]?.id ?? '');
    const failed = await download('up/film.mov');
    expect(await bench.engine.saveIncomplete(failed?.id ?? 0)).toEqual({ fileName: 'film (incomplete).mov' });
    const saved = await readFile(join(bench.downloads, 'film (incomplete).mov'));
    expect(saved).toEqual(
      Buffer.concat([bytes.subarray(0, 2_000), Buffer.alloc(2_000), bytes.subarray(4_000)]),
    );
    expect(await readdir(bench.downloads)).toEqual(['film (incomplete).mov']);
    await expect(bench.engine.saveIncomplete(failed?.id ?? 0)).rejects.toMatchObject({
      error: { code: 'notFound' },
    });
  });

  test('downloads the manifest as it is', async () => {
    await upload('film.mov', bytes);
    const list = bench.server.objects.get('up/film.mov')?.bytes;
    const [{ id } = { id: 0 }] = await bench.all();
    await bench.engine.downloadAsItIs(id);
    await bench.settled();
    expect(await readFile(join(bench.downloads, 'film.mov.parts.json'))).toEqual(list);
    expect(await bench.rowOf('up/film.mov')).toMatchObject({ lengthBytes: 9_000, parts: { count: 5 } });
  });

  test('shows the states of the parts, during the transfer and after it', async () => {
    const { release } = holdAfter(3);
    await bench.upload([await bench.makeFile('a', bytes)]);
    await until(() => partIds().length).toBe(3);
    const objects = createObjects({
      catalogue: bench.catalogue,
      engine: bench.engine,
      edits: { overlay: () => new Map() },
      desktop: { writeClipboardText: async () => undefined },
      revision: () => 0,
    });
    const id = (await bench.rowOf('up/a'))?.id ?? 0;
    const shown = async () => (await objects.handlers['objects.parts']({ id })).parts;
    // The order in which parts are sent is not fixed.
    await until(async () => {
      const runs = (await shown())?.runs ?? [];
      const count = (wanted: string) =>
        runs.reduce((sum, { state, count: many }) => sum + (state === wanted ? many : 0), 0);
      return [count('sent'), count('moving')];
    }).toEqual([3, 2]);
    release();
    await bench.settled();
    expect(await shown()).toEqual({ total: 5, partBytes: 2_000, runs: [{ state: 'there', count: 5 }] });
  });

  test('sends no parts to a service that does not allow them', async () => {
    await upload('a', bytes);
    const list = bench.server.objects.get('up/a')?.bytes ?? Buffer.alloc(0);
    bench.facts.allowsParts = false;
    expect((await upload('list.json', list))?.error).toEqual({ code: 'partsForbidden' });
    bench.server.plan = ({ method }) => (method === 'POST' ? { status: 413 } : null);
    expect((await upload('b', bytes))?.error?.code).toBe('tooLarge');
    expect(partIds().every((id) => id.startsWith('up/a~p-'))).toBe(true);
  });

  test('a check looks for every part, and reports the missing ones', async () => {
    await upload('a', bytes);
    const record = await bench.rowOf('up/a');
    if (!record) throw new Error('it is not on the list');
    const check = async () => {
      const seen = { present: true, lengthBytes: record.parts?.manifestBytes ?? 0 } as const;
      const { signal } = new AbortController();
      return findMissingParts({ catalogue: bench.catalogue, request: bench.request }, record, seen, signal);
    };
    expect(await check()).toEqual([]);
    const { parts } = manifestAt('up/a');
    bench.server.objects.delete(parts[1]?.id ?? '');
    bench.server.objects.set(parts[3]?.id ?? '', { bytes: Buffer.from('short'), classification: null });
    expect(await check()).toEqual([1, 3]);
    const change = changeAfterHead(
      record,
      { present: true, lengthBytes: record.parts?.manifestBytes ?? 0 },
      1,
    );
    // HEAD reports the manifest's length; that of the file stays.
    expect(change?.patch).toEqual({ state: 'stored', checkedAtMs: 1 });
    await bench.catalogue.update([afterParts(change ?? { id: 0, patch: {} }, [1, 3])]);
    expect(await bench.rowOf('up/a')).toMatchObject({
      state: 'missing',
      lengthBytes: 9_000,
      parts: { count: 5 },
    });
    expect(await bench.catalogue.missingPartsOf(record.id)).toEqual([1, 3]);
  });
});
