import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AppFailure } from '../../../shared/app-failure.ts';
import { World } from '../../../../test-support/main/transfers/world.ts';

/** Downloads whose responses do not say their length: HEAD is asked. */

let world: World;
beforeEach(async () => {
  world = await World.begin();
  world.service.contentEncoding = 'gzip';
  world.service.put('a', Buffer.from('bytes'), 'stranger');
});
afterEach(() => world.leave());

const files = () => readdir(join(world.folder, 'downloads'));
const rows = async () => [...(await world.transfers()), ...(await world.jobs())];

/** A row without length and digest. */
async function download(route: 'direct' | 'deferred'): Promise<void> {
  const [row] = await world.database.catalogue.add('p', [
    { kind: 'data', identifier: 'a', patch: { state: 'stored' } },
  ]);
  await world.engine.enqueue.downloads('p', [row?.record.id ?? 0], { saveAsPath: null, route });
  await world.clock.advance(3 * 60_000);
}

test.each(['direct', 'deferred'] as const)('%s: accepts the bytes when the length agrees', async (route) => {
  await download(route);
  expect(await rows()).toMatchObject([{ state: 'done', outcome: { verifiedBy: 'length' } }]);
  expect(await readFile(join(world.folder, 'downloads', 'a'), 'utf8')).toBe('bytes');
});

test.each(['direct', 'deferred'] as const)('%s: saves nothing of another length', async (route) => {
  world.service.beforeRequest = (what) => {
    if (what === 'HEAD') world.service.put('a', Buffer.from('more bytes'), 'stranger');
    else if (what !== 'check') world.service.put('a', Buffer.from('bytes'), 'stranger');
  };
  await download(route);
  expect(await rows()).toMatchObject([{ state: 'failed', error: { code: 'downloadLengthDiffers' } }]);
  expect(await files()).toEqual([]);
});

test.each([
  ['HEAD does not say it either', () => (world.service.headLength = false)],
  [
    'the token may not send HEAD',
    () =>
      (world.service.refuses = ({ what }) => (what === 'HEAD' ? { code: 'forbidden', status: 403 } : null)),
  ],
  [
    'the object has gone since',
    () => (world.service.beforeRequest = (what) => what === 'HEAD' && world.service.remove('a', 'stranger')),
  ],
])('only the end of the response proves the length when %s', async (_name, arrange) => {
  arrange();
  // After the first download the list knows the digest.
  for (const [route, verifiedBy] of [
    ['deferred', 'end'],
    ['direct', 'digest'],
  ] as const) {
    world.service.put('a', Buffer.from('bytes'), 'stranger');
    await download(route);
    expect(await rows()).toContainEqual(
      expect.objectContaining({ state: 'done', outcome: expect.objectContaining({ verifiedBy }) }),
    );
  }
});

test('gives up on a result that can never be read', async () => {
  const client = world.service.client.bind(world.service);
  world.service.client = (isAlive) => ({
    ...client(isAlive),
    fetchDataDeferred: () =>
      Promise.reject(
        new AppFailure({ code: 'unexpectedAnswer', status: 200, problem: 'x', encoding: 'zstd' }),
      ),
  });
  await world.kill(0);
  await download('deferred');
  expect(await rows()).toMatchObject([{ state: 'failed', error: { encoding: 'zstd' } }]);
});

test('stops an endless answer at the largest length that an object can have', async () => {
  world.service.headLength = false;
  world.service.put('a', Buffer.alloc(4001), 'stranger');
  await download('direct');
  expect(await rows()).toMatchObject([
    { state: 'failed', error: { code: 'downloadTooLong', limitBytes: 4000 } },
  ]);
  expect(await files()).toEqual([]);
});
