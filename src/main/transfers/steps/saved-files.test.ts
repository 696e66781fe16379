import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { serviceId, startBench, until, type Bench } from '../../../../test-support/main/transfers/bench.ts';

/** Faults that people saw with real files over a real connection. */

let bench: Bench;
beforeEach(async () => {
  bench = await startBench();
});
afterEach(() => bench.close());

const gets = () => bench.server.requests.filter(({ method }) => method === 'GET').length;

test(
  '40 objects of one name, four at a time: each file holds the bytes of its own object',
  { tags: 'all' },
  async () => {
    const ids = [];
    for (let number = 0; number < 40; number += 1)
      ids.push(await bench.store(`d/${number}/data.json`, `{"number": ${number}}`));
    await bench.download(ids);
    const transfers = await bench.settled();
    expect(transfers.filter(({ state }) => state !== 'done')).toEqual([]);
    const names = await readdir(bench.downloads);
    expect(names).toHaveLength(40);
    for (const { identifier, outcome } of transfers) {
      const fileName = outcome?.kind === 'saved' ? outcome.fileName : '';
      const text = await readFile(join(bench.downloads, fileName), 'utf8');
      expect(text).toBe(`{"number": ${identifier.split('/')[1]}}`);
    }
  },
);

test('does not show an object as stored that is deleted while it is downloaded', async () => {
  const id = await bench.store('a', Buffer.alloc(100_000, 'x'));
  let isGone = false;
  bench.server.plan = ({ method }) => (method === 'GET' ? { holdAnswer: () => isGone } : null);
  await bench.download([id]);
  await until(gets).toBe(1);
  await bench.engine.enqueue.deletions(serviceId, [id]);
  await until(async () => (await bench.rowOf('a'))?.state).toBe('gone');
  isGone = true;
  const [transfer] = await bench.settled();
  expect(transfer?.state).toBe('done');
  expect(await bench.rowOf('a')).toMatchObject({ state: 'gone' });
});

test.each([
  ['a byte', { corruptAtByte: 2 }],
  ['its length', { contentLengthBytes: 3 }],
] as const)('fetches a download that differs in %s again by itself', async (_what, fault) => {
  const id = await bench.store('a', '12345');
  bench.server.plan = ({ method, number }) => (method === 'GET' && number <= 2 ? fault : null);
  await bench.download([id]);
  expect(await bench.settled()).toMatchObject([{ state: 'done', outcome: { verifiedBy: 'digest' } }]);
  expect(gets()).toBe(3);
  expect(await readFile(join(bench.downloads, 'a'), 'utf8')).toBe('12345');
});

test('finishes a queue of real files after a restart', async () => {
  let isRestarted = false;
  bench.server.plan = ({ method }) =>
    method === 'POST' && bench.server.objects.size > 5 ? { holdRequest: () => isRestarted } : null;
  const items = [];
  for (let number = 0; number < 24; number += 1) items.push(await bench.makeFile(`f${number}`, 'x'));
  await bench.upload(items);
  await until(() => bench.server.objects.size).toBeGreaterThan(5);
  expect(bench.engine.atStake()).toEqual([]);
  for (let quits = 0; quits < 3; quits += 1) await bench.restart();
  isRestarted = true;
  expect((await bench.settled()).map(({ state }) => state)).toEqual(Array(24).fill('done'));
  expect(bench.server.objects.size).toBe(24);
});

test('HEADs of 30 objects share their connections', async () => {
  const items = [];
  for (let number = 0; number < 30; number += 1) items.push(await bench.makeFile(`f${number}`, 'x'));
  let most = 0;
  bench.server.plan = () => {
    most = Math.max(most, bench.server.openConnections());
    return null;
  };
  await bench.upload(items);
  await bench.settled();
  expect(most).toBeLessThanOrEqual(bench.settings.transfersAtOnce + 2);
});
