import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { distinctBytes, sha256Of } from '../../../test-support/main/local-files/testing.ts';
import { startBench, until, type Bench } from '../../../test-support/main/transfers/bench.ts';
import { manifestIn } from '../../../test-support/main/transfers/manifest-in.ts';
import type { UploadItem } from '../transfers/queue/record-factory.ts';
import { createMakeCurrent, type MakeCurrent } from './copies.ts';

/** A version that is a file in parts is copied here and uploaded again, in parts of its own. */

let bench: Bench;
let makeCurrent: MakeCurrent;
const first = distinctBytes(9_000);
const second = Buffer.from(first).fill(7, 4_000, 6_000);

beforeEach(async () => {
  bench = await startBench({ maxObjectBytes: 4_000 });
  const warn = (message: string) => {
    throw new Error(message);
  };
  makeCurrent = createMakeCurrent({
    ...bench,
    userDataFolder: bench.folder,
    log: { info: () => undefined, warn, error: warn },
  });
  await upload(first);
  await upload(second);
});
afterEach(async () => {
  await makeCurrent.close();
  await bench.close();
});

async function upload(bytes: Uint8Array, change: Partial<UploadItem> = {}): Promise<void> {
  await bench.upload([await bench.makeFile('film.mov', bytes, { ifExists: 'newVersion', ...change })]);
  expect((await bench.settled()).at(-1)).toMatchObject({ state: 'done', error: null });
}

async function begin(identifier: string) {
  const row = await bench.rowOf(identifier);
  if (!row) throw new Error(`${identifier} is not on the list`);
  expect(await makeCurrent.begin(row)).toEqual({ base: 'up/film.mov' });
}

const uploadsDone = async () =>
  (await bench.all()).filter(({ direction, state }) => direction === 'upload' && state === 'done').length;
const partsOf = (identifier: string) =>
  manifestIn(bench.server.objects.get(identifier)?.bytes ?? '')?.parts.map(({ id }) => id) ?? [];

test("a version without a classification takes the newest one's, and so do its parts", async () => {
  const third = Buffer.from(first).fill(8, 4_000, 6_000);
  await upload(third, { classification: 'Secret', classificationChosen: true });
  await begin('up/film.mov');
  await until(async () => (await bench.rowOf('up/film@4.mov'))?.state).toBe('stored');
  expect(await bench.rowOf('up/film@4.mov')).toMatchObject({
    classification: 'Secret',
    sha256: sha256Of(first),
  });
  for (const id of ['up/film@4.mov', ...partsOf('up/film@4.mov')])
    expect(bench.server.objects.get(id)).toMatchObject({ classification: 'Secret' });
});

test('stores an old version as the next one, which shares no parts with the others', async () => {
  await begin('up/film.mov');
  await until(uploadsDone).toBe(3);
  expect(await bench.rowOf('up/film@3.mov')).toMatchObject({
    state: 'stored',
    lengthBytes: 9_000,
    sha256: sha256Of(first),
    sourceName: 'film.mov',
    parts: { count: 5 },
  });
  const all = ['up/film.mov', 'up/film@2.mov', 'up/film@3.mov'].flatMap(partsOf);
  expect(new Set(all).size).toBe(15);
  await bench.download([(await bench.rowOf('up/film@3.mov'))?.id ?? 0]);
  await bench.settled();
  expect(await readFile(join(bench.downloads, 'film@3.mov'))).toEqual(first);
});

test('does not store the newest one again', async () => {
  await begin('up/film@2.mov');
  await until(uploadsDone).toBe(3);
  expect((await bench.settled()).at(-1)).toMatchObject({ outcome: { kind: 'skipped', isIdentical: true } });
  expect(bench.server.objects.has('up/film@3.mov')).toBe(false);
});

test('stores an old version although the newest one has the same bytes, if that lacks a part', async () => {
  bench.server.objects.delete(partsOf('up/film@2.mov')[2] ?? '');
  await upload(second);
  expect(await bench.rowOf('up/film@3.mov')).toMatchObject({ state: 'stored', sha256: sha256Of(second) });
});
