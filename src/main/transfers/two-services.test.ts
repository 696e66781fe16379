import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { settingsDefault } from '../../shared/domain/settings.ts';
import { openLocalDatabase, type LocalDatabase } from '../catalogue/test/local-database.ts';
import type { Connections } from '../profiles/connections.ts';
import { makeTestFolder } from '../test-ports.ts';
import { createEngine, type Engine } from './engine.ts';
import type { UploadItem } from './enqueue.ts';
import { connectTo } from './test/connect.ts';
import { SimulatedService } from './test/simulated-service.ts';
import { createVirtualClock, type VirtualClock } from './test/virtual-clock.ts';

/** Two services, and what is done for one while the other is in trouble or takes its place. */

let clock: VirtualClock;
let one: SimulatedService;
let two: SimulatedService;
/** Where each profile leads to now. */
let places: Map<string, SimulatedService>;
let database: LocalDatabase;
let engine: Engine;
let folder: string;
let count: number;
let tellReady: (profileId: string) => void;

beforeEach(async () => {
  folder = await makeTestFolder();
  await mkdir(join(folder, 'downloads'));
  clock = createVirtualClock();
  count = 0;
  one = new SimulatedService(clock, 'https://one', 'token-one');
  two = new SimulatedService(clock, 'https://two', 'token-two');
  places = new Map([
    ['a', one],
    ['b', two],
  ]);
  database = await openLocalDatabase(new DatabaseSync(':memory:'), clock.nowMs);
  for (const id of places.keys()) await database.documents.put('profiles', id, { id });
  const clients = new Map([one, two].map((service) => [service.origin, service.client(() => true)]));
  const placeOf = (profileId: string) => places.get(profileId) ?? one;
  const clientOf = async (profileId: string) => {
    const client = clients.get(placeOf(profileId).origin);
    if (!client) throw new Error('no client');
    return client;
  };
  const [client] = clients.values();
  if (!client) throw new Error('no client');
  const connections: Connections = {
    ...connectTo(client, join(folder, 'downloads')),
    openFor: async (profileId) => ({
      client: await clientOf(profileId),
      origin: placeOf(profileId).origin,
    }),
    originOf: (profileId) => placeOf(profileId).origin,
    profileIds: () => [...places.keys()],
    clientOf,
    onReady(listener) {
      tellReady = listener;
      return () => undefined;
    },
  };
  engine = await createEngine({
    store: database.transfers,
    catalogue: database.catalogue,
    documents: database.documents,
    connections,
    clock,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    settings: () => ({ ...settingsDefault, transfersAtOnce: 4 }),
    random: () => 0.5,
  });
  onTestFinished(async () => {
    const closed = engine.close();
    await clock.advance(0);
    await closed;
    await database.close();
  });
});

async function itemOf(identifier: string): Promise<UploadItem> {
  const path = join(folder, `f${(count += 1)}`);
  await writeFile(path, `bytes of ${identifier}`);
  const { size: sizeBytes, mtimeMs } = await stat(path);
  return {
    path,
    fileName: `f${count}`,
    identifier,
    sizeBytes,
    mtimeMs,
    classification: null,
    ifExists: 'skip',
  };
}

async function know(profileId: string, identifier: string): Promise<number> {
  const patch = { state: 'stored', lengthBytes: 5 } as const;
  const [row] = await database.catalogue.add(profileId, [{ kind: 'data', identifier, patch }]);
  return row?.record.id ?? 0;
}

describe('what was queued for one address', () => {
  test.each(['direct', 'deferred'] as const)('never goes to another: %s uploads', async (route) => {
    one.answerMs = 500;
    one.processingMs = 1000;
    const items = await Promise.all(Array.from({ length: 100 }, (_, index) => itemOf(`u/${index}`)));
    await engine.enqueue.uploads('a', items, route);
    await clock.advance(2000);
    // The address is edited while most of them wait and some are under way.
    places.set('a', two);
    await clock.advance(10 * 60_000);
    expect(two.requests).toEqual([]);
    expect(one.requests.length).toBeLessThan(100);
    expect(await engine.unfinishedOf('a')).toBeGreaterThan(50);

    // Back at the first address everything goes on.
    places.set('a', one);
    tellReady('a');
    await clock.advance(30 * 60_000);
    expect(await engine.unfinishedOf('a')).toBe(0);
    expect(two.requests).toEqual([]);
    for (const { identifier } of items)
      expect(Buffer.from(one.get(identifier) ?? '').toString()).toBe(`bytes of ${identifier}`);
  });

  test('never goes to another: tokens of deferred downloads are not checked there, nor said to be lost', async () => {
    one.processingMs = 60_000;
    one.put('d', Buffer.from('bytes'), 'stranger');
    await engine.enqueue.downloads('a', [await know('a', 'd')], { saveAsPath: null, route: 'deferred' });
    await clock.advance(5000);
    places.set('a', two);
    await clock.advance(5 * 60_000);
    expect(two.requests).toEqual([]);
    expect((await engine.jobsPage({ offset: 0, limit: 10, filter: '' })).rows).toMatchObject([
      { state: 'processing' },
    ]);
    places.set('a', one);
    await clock.advance(5 * 60_000);
    expect((await engine.jobsPage({ offset: 0, limit: 10, filter: '' })).rows).toMatchObject([
      { state: 'done' },
    ]);
  });

  test('never goes to another: a deletion', async () => {
    one.weather = { kind: 'unreachable' };
    for (const service of [one, two]) service.put('x', Buffer.from('bytes'), 'stranger');
    await engine.enqueue.deletions('a', [await know('a', 'x')]);
    await clock.advance(5000);
    places.set('a', two);
    one.weather = { kind: 'fine' };
    await clock.advance(30 * 60_000);
    expect(two.requests).toEqual([]);
    expect(two.get('x')).toBeDefined();
  });
});

describe('a service in trouble', () => {
  test.each(['refused', 'unreachable', 'errors', 'unavailable'] as const)(
    'stands in nobody’s way: the deletions and uploads of another go on when it is %s',
    async (kind) => {
      one.weather = kind === 'unavailable' ? { kind, retryAfterMs: 3_600_000 } : { kind };
      const names = Array.from({ length: 20 }, (_, index) => `x/${index}`);
      for (const name of names) two.put(name, Buffer.from('bytes'), 'stranger');
      const ids = async (profileId: string) => Promise.all(names.map((name) => know(profileId, name)));
      await engine.enqueue.deletions('a', await ids('a'));
      await engine.enqueue.uploads(
        'a',
        await Promise.all(names.map((name) => itemOf(`u/${name}`))),
        'direct',
      );
      await engine.enqueue.deletions('b', await ids('b'));
      await engine.enqueue.uploads(
        'b',
        await Promise.all(names.map((name) => itemOf(`u/${name}`))),
        'direct',
      );
      await clock.advance(60_000);
      expect(await engine.unfinishedOf('b')).toBe(0);
      expect(names.filter((name) => two.get(name) !== undefined)).toEqual([]);
      expect(await engine.unfinishedOf('a')).toBe(40);
      for (const { origin, token } of [...one.requests, ...two.requests])
        expect(`token-${origin.replace('https://', '')}`).toBe(token);
    },
  );
});

describe('a service that is paused alone', () => {
  const begin = async () => {
    for (const service of [one, two]) service.answerMs = 10_000;
    for (const id of ['a', 'b'])
      await engine.enqueue.uploads(id, [await itemOf('x'), await itemOf('y')], 'direct');
    await clock.advance(5000);
  };
  const pageOf = () => engine.page({ offset: 0, limit: 10 });
  const statesOf = async (profileId: string) => {
    const { rows } = await pageOf();
    return rows.filter((row) => row.profileId === profileId).map(({ state }) => state);
  };

  test('counts what had begun of it, and Stop now ends that alone', async () => {
    await begin();
    expect((await pageOf()).summary.finishing).toBe(0);
    await engine.actions.pause({ profileId: 'b' }, true);
    expect((await pageOf()).summary.finishing).toBe(2);
    const stopped = engine.actions.stopNow();
    await clock.advance(0);
    await stopped;
    // Whether they arrived is looked at first.
    expect(await statesOf('b')).toEqual(['verifying', 'verifying']);
    expect(await statesOf('a')).toEqual(['uploading', 'uploading']);
    await clock.advance(60_000);
    expect((await pageOf()).summary.finishing).toBe(0);
    expect([await statesOf('a'), await statesOf('b')]).toEqual([
      ['done', 'done'],
      ['waiting', 'waiting'],
    ]);
  });

  test('what is only verified is told apart from what moves', async () => {
    await begin();
    expect((await pageOf()).summary).toMatchObject({ counts: { moving: 4 }, verifying: 0 });
    await clock.advance(10_000);
    expect((await pageOf()).summary).toMatchObject({ counts: { moving: 4 }, verifying: 4 });
  });
});
