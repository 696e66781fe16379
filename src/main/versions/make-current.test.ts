import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { distinctBytes, sha256Of } from '../../../test-support/main/transfers/files/testing.ts';
import { profileId, startBench, until, type Bench } from '../../../test-support/main/transfers/bench.ts';
import { isPartId } from '../transfers/parts/manifest.ts';
import { createMakeCurrent, type MakeCurrent } from './make-current.ts';

/** A version that is a file in parts is made current without its bytes going anywhere. */

let bench: Bench;
let makeCurrent: MakeCurrent;
const first = distinctBytes(9_000);
/** Another third part. */
const second = Buffer.from(first).fill(7, 4_000, 6_000);

beforeEach(async () => {
  bench = await startBench({ maxObjectBytes: 4_000 });
  makeCurrent = createMakeCurrent({
    ...bench,
    userDataFolder: bench.folder,
    log: { info, warn, error: warn },
  });
  await upload(first);
  await upload(second);
  bench.server.requests.length = 0;
});
afterEach(async () => {
  await makeCurrent.close();
  await bench.close();
});
const info = () => undefined;
const warn = (message: string) => {
  throw new Error(message);
};

async function upload(bytes: Uint8Array): Promise<void> {
  await bench.upload([await bench.makeFile('film.mov', bytes, { ifExists: 'newVersion' })]);
  expect((await bench.settled()).at(-1)).toMatchObject({ state: 'done', error: null });
}

async function begin(identifier: string) {
  const row = await bench.rowOf(identifier);
  if (!row) throw new Error(`${identifier} is not on the list`);
  expect(await makeCurrent.begin(row)).toEqual({ base: 'up/film.mov' });
}

async function download(identifier: string): Promise<Buffer> {
  await bench.download([(await bench.rowOf(identifier))?.id ?? 0]);
  const { outcome } = (await bench.settled()).at(-1) ?? {};
  return readFile(join(bench.downloads, outcome?.kind === 'saved' ? outcome.fileName : ''));
}

const asked = (method: string) =>
  bench.server.requests.filter((request) => request.method === method).map(({ identifier }) => identifier);
const partsOf = (identifier: string) => {
  const { parts } = JSON.parse(bench.server.objects.get(identifier)?.bytes.toString() ?? '') as {
    parts: { id: string }[];
  };
  return parts.map(({ id }) => id);
};

test('only another list is sent, and each part looked for once', async () => {
  const sentBefore = bench.server.receivedBytes();
  await begin('up/film.mov');
  expect((await bench.settled()).at(-1)).toMatchObject({
    identifier: 'up/film@3.mov',
    state: 'done',
    outcome: { kind: 'stored', verifiedBy: 'length' },
    doneBytes: 9_000,
    totalBytes: 9_000,
  });
  expect(asked('POST')).toEqual(['up/film@3.mov']);
  expect(asked('GET')).toEqual([]);
  expect(asked('DELETE')).toEqual([]);
  expect(asked('HEAD').filter(isPartId).toSorted()).toEqual(partsOf('up/film.mov').toSorted());
  const listBytes = bench.server.objects.get('up/film@3.mov')?.bytes.length ?? 0;
  expect(bench.server.receivedBytes() - sentBefore).toBe(listBytes);
  expect(partsOf('up/film@3.mov')).toEqual(partsOf('up/film.mov'));
  expect(await bench.rowOf('up/film@3.mov')).toMatchObject({
    state: 'stored',
    lengthBytes: 9_000,
    sha256: sha256Of(first),
    sourceName: 'film.mov',
    parts: { count: 5, manifestBytes: listBytes },
  });
  expect(await download('up/film@3.mov')).toEqual(first);
});

test('the newest one is not stored once more', async () => {
  await begin('up/film@2.mov');
  expect((await bench.settled()).at(-1)).toMatchObject({
    state: 'done',
    outcome: { kind: 'skipped', isIdentical: true },
  });
  expect(asked('POST')).toEqual([]);
});

test('the newest one is a stranger’s: another list of the same file is enough, and another file is none', async () => {
  const bytes = bench.server.objects.get('up/film.mov')?.bytes ?? Buffer.alloc(0);
  bench.server.objects.set('up/film@3.mov', { bytes, classification: null });
  await begin('up/film.mov');
  expect((await bench.settled()).at(-1)).toMatchObject({ outcome: { kind: 'skipped', isIdentical: true } });
  bench.server.objects.set('up/film@4.mov', { bytes: Buffer.from('theirs'), classification: null });
  await begin('up/film.mov');
  expect((await bench.settled()).at(-1)).toMatchObject({ identifier: 'up/film@5.mov', state: 'done' });
});

test('parts that nobody has are named, nothing is stored, and it goes on when they are back', async () => {
  const [, , third = ''] = partsOf('up/film.mov');
  const part = bench.server.objects.get(third);
  bench.server.objects.delete(third);
  await begin('up/film.mov');
  const failed = (await bench.settled()).at(-1);
  expect(failed).toMatchObject({
    state: 'failed',
    error: { code: 'partsMissing', gaps: [{ firstByte: 4_000, lastByte: 5_999 }], parts: 5 },
  });
  expect(asked('POST')).toEqual([]);
  expect(bench.server.objects.has('up/film@3.mov')).toBe(false);
  if (part) bench.server.objects.set(third, part);
  await bench.engine.actions.retry({ kind: 'ids', ids: [failed?.id ?? 0] });
  expect((await bench.settled()).at(-1)).toMatchObject({ state: 'done' });
  expect(await download('up/film@3.mov')).toEqual(first);
});

test('a file that is chosen instead is what is stored', async () => {
  bench.server.objects.delete(partsOf('up/film.mov')[2] ?? '');
  await begin('up/film.mov');
  const { id = 0, state } = (await bench.settled()).at(-1) ?? {};
  expect(state).toBe('failed');
  const other = distinctBytes(7_000).fill(9, 0, 100);
  const { path } = await bench.makeFile('other.mov', other);
  await bench.engine.actions.replaceFile(id, path);
  expect((await bench.settled()).at(-1)).toMatchObject({ state: 'done', error: null });
  expect(await download('up/film@3.mov')).toEqual(other);
  await until(() => bench.engine.leftParts.count(profileId).total).toBe(0);
  expect(await download('up/film@2.mov')).toEqual(second);
});

test('a part of another length is never named', async () => {
  const [identifier = ''] = partsOf('up/film.mov');
  bench.server.objects.set(identifier, { bytes: Buffer.from('short'), classification: null });
  await begin('up/film.mov');
  const error = { code: 'partDiffers', identifier, expectedBytes: 2_000, storedBytes: 5 };
  expect((await bench.settled()).at(-1)).toMatchObject({ state: 'failed', error });
  expect(asked('POST')).toEqual([]);
});

test('it goes on after a stop, and the version may be deleted meanwhile: its parts stay', async () => {
  const { id = 0 } = (await bench.rowOf('up/film.mov')) ?? {};
  let isHeld = true;
  bench.server.plan = ({ method, identifier }) =>
    method === 'HEAD' && identifier === partsOf('up/film@2.mov')[4] && isHeld
      ? { holdRequest: () => !isHeld }
      : null;
  await begin('up/film.mov');
  await until(() => asked('HEAD').filter(isPartId).length).toBeGreaterThan(2);
  await bench.restart();
  await bench.engine.enqueue.deletions(profileId, [id]);
  await until(async () => (await bench.rowOf('up/film.mov'))?.state).toBe('gone');
  isHeld = false;
  expect((await bench.settled()).map(({ state }) => state)).toEqual(['done', 'done', 'done']);
  await until(() => bench.engine.leftParts.count(profileId).total).toBe(0);
  expect(asked('POST')).toEqual(['up/film@3.mov']);
  expect(await download('up/film@3.mov')).toEqual(first);
  expect(await download('up/film@2.mov')).toEqual(second);
});

test('where a service is to have no parts the bytes are copied, as of any other version', async () => {
  bench.facts.allowsParts = false;
  await begin('up/film.mov');
  await until(async () => (await bench.all()).map(({ outcome }) => outcome)).toContainEqual(
    expect.objectContaining({ kind: 'saved', copyFor: 'version' }),
  );
});

test('the parts keep their classification: another one is refused, and Retry is left', async () => {
  const [, , third = ''] = partsOf('up/film.mov');
  const part = bench.server.objects.get(third);
  bench.server.objects.delete(third);
  await begin('up/film.mov');
  const { id = 0, identifier = '' } = (await bench.settled()).at(-1) ?? {};
  if (part) bench.server.objects.set(third, part);
  const { actions } = bench.engine;
  const refused = { error: { code: 'partsShared' } };
  await expect(actions.mend({ id, identifier, classification: 'Restricted' })).rejects.toMatchObject(refused);
  await expect(actions.mend({ id, identifier: 'up/other.mov', classification: null })).rejects.toMatchObject(
    refused,
  );
  expect((await bench.settled()).at(-1)).toMatchObject({ id, state: 'failed' });
  await actions.mend({ id, identifier, classification: null });
  expect((await bench.settled()).at(-1)).toMatchObject({ state: 'done' });
});
