import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isPartId } from '../../../shared/domain/made-names.ts';
import { distinctBytes, openFilesIn } from '../../../../test-support/main/local-files/testing.ts';
import { serviceId, startBench, until, type Bench } from '../../../../test-support/main/transfers/bench.ts';

let bench: Bench;
beforeEach(async () => {
  bench = await startBench({ maxObjectBytes: 2_200_000, transfersAtOnce: 64 });
});
afterEach(() => bench.close());

const partBytes = 2_200_000 - 1024 * 1024;
const film = distinctBytes(30 * partBytes);
/** Of the six requests at first, one is left for small files. */
const mostParts = 5;
const partIds = () => [...bench.server.objects.keys()].filter(isPartId);

async function tried(): Promise<number> {
  return (await bench.documents.list('chunkMarks')).filter(({ value }) => value === 'tried').length;
}

/** Holds the requests for parts after the first `passing`, or the second half of their answers, until it is released. */
function hold(method: 'GET' | 'POST', passing: number) {
  const held = new Set<string>();
  let passed = 0;
  let isHeld = true;
  const isFree = () => !isHeld;
  bench.server.plan = (request) => {
    if (request.method !== method || !isPartId(request.identifier) || !isHeld) return null;
    passed += 1;
    if (passed <= passing) return null;
    held.add(request.identifier);
    return method === 'POST' ? { holdRequest: isFree } : { holdAnswer: isFree };
  };
  return { held, release: () => (isHeld = false) };
}

async function addSmallFiles(count: number): Promise<void> {
  const files = Array.from({ length: count }, (_, index) => bench.makeFile(`small ${index}`, `${index}`));
  await bench.upload(await Promise.all(files));
}

test('marks and opens no more parts than it sends, and small files pass beside them', async () => {
  const { held, release } = hold('POST', 1);
  await bench.upload([await bench.makeFile('film', film)]);
  await until(() => held.size).toBe(mostParts);
  expect(await tried()).toBe(mostParts);
  expect((await openFilesIn(bench.folder)).length).toBeLessThanOrEqual(mostParts);
  await addSmallFiles(20);
  await until(() => bench.server.objects.size).toBe(21);
  expect(partIds()).toHaveLength(1);
  // The answers may have allowed more.
  expect(await tried()).toBeLessThan(bench.engine.breakers.gateOf(serviceId).requests);
  release();
  const rows = await bench.settled();
  expect(rows.filter(({ state }) => state === 'done')).toHaveLength(21);
  expect(partIds()).toHaveLength(30);
});

test('fetches no more parts than may be under way, and small files pass beside them', async () => {
  await bench.upload([await bench.makeFile('film', film)]);
  await bench.settled();
  // The headers of the parts are answers, too: no more than at first, whatever they allow.
  bench.settings = { ...bench.settings, transfersAtOnce: 6 };
  const { held, release } = hold('GET', 0);
  await bench.download([(await bench.rowOf('up/film'))?.id ?? 0]);
  await until(() => held.size).toBe(mostParts);
  const stored = bench.server.objects.size;
  await addSmallFiles(20);
  await until(() => bench.server.objects.size).toBe(stored + 20);
  expect(held.size).toBe(mostParts);
  release();
  const rows = await bench.settled();
  expect(rows.filter(({ state }) => state === 'done')).toHaveLength(22);
  expect(await readFile(join(bench.downloads, 'film'))).toEqual(film);
});
