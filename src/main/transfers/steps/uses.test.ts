import { afterEach, beforeEach, expect, test } from 'vitest';
import { serviceId, startBench, type Bench } from '../../../../test-support/main/transfers/bench.ts';

/** How transfers record when an object was last used. */

let bench: Bench;
beforeEach(async () => {
  bench = await startBench({ maxObjectBytes: 8_000 });
});
afterEach(() => bench.close());

const usedAt = async (identifier: string) => (await bench.rowOf(identifier))?.usedAtMs;

test('an upload and a download are uses of the object', async () => {
  const file = await bench.makeFile('a', 'mine');
  await bench.upload([{ ...file, identifier: 'a' }]);
  await bench.settled();
  const uploadedMs = await usedAt('a');
  expect(uploadedMs).toBeTypeOf('number');
  await bench.download([(await bench.rowOf('a'))?.id ?? 0]);
  await bench.settled();
  expect(await usedAt('a')).toBeGreaterThan(uploadedMs ?? Infinity);
});

test('transfers of a command do not count as use in the window', async () => {
  const file = await bench.makeFile('a', 'mine');
  await bench.upload([{ ...file, identifier: 'a', isByCommand: true }]);
  await bench.settled();
  const ids = [(await bench.rowOf('a'))?.id ?? 0];
  const options = { saveAsPath: null, route: 'direct', isByCommand: true } as const;
  await bench.engine.enqueue.downloads(serviceId, ids, options);
  const [, download] = await bench.settled();
  expect(download).toMatchObject({ direction: 'download', state: 'done' });
  expect(await usedAt('a')).toBe(undefined);
});

test('an upload of a watched folder does not count as use', async () => {
  const file = await bench.makeFile('a', 'mine');
  const watched = { folderId: 'f', path: 'a', sizeBytes: 4, mtimeMs: 1 };
  await bench.upload([{ ...file, identifier: 'a', watched }]);
  await bench.settled();
  expect(await bench.rowOf('a')).toMatchObject({ state: 'stored' });
  expect(await usedAt('a')).toBe(undefined);
});
