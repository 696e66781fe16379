import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { settingsDefault } from '../../../shared/domain/settings.ts';
import {
  openLocalDatabase,
  type LocalDatabase,
} from '../../../../test-support/main/database/local-database.ts';
import type { Connections } from '../../connections/connections.ts';
import { makeTestFolder } from '../../../../test-support/main/test-ports.ts';
import { createEngine, type Engine } from '../engine.ts';
import type { UploadItem } from '../queue/record-factory.ts';
import { openTestUndoCopies } from '../../../../test-support/main/transfers/undo-copies.ts';
import { connectTo } from '../../../../test-support/main/transfers/connect.ts';
import { SimulatedService } from '../../../../test-support/main/transfers/simulated-service.ts';
import {
  createVirtualClock,
  type VirtualClock,
} from '../../../../test-support/main/transfers/virtual-clock.ts';

/** Two services: work for one while the other is in trouble or takes its place. */

let clock: VirtualClock;
let one: SimulatedService;
let two: SimulatedService;
/** The simulated service that each service's address leads to now. */
let places: Map<string, SimulatedService>;
let connections: Connections;
let database: LocalDatabase;
let engine: Engine;
let folder: string;
let count: number;
let tellReady: (serviceId: string) => void;

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
  for (const id of places.keys()) await database.documents.put('services', id, { id });
  const clients = new Map([one, two].map((service) => [service.origin, service.client(() => true)]));
  const placeOf = (serviceId: string) => places.get(serviceId) ?? one;
  const clientOf = async (serviceId: string) => {
    const client = clients.get(placeOf(serviceId).origin);
    if (!client) throw new Error('no client');
    return client;
  };
  const [client] = clients.values();
  if (!client) throw new Error('no client');
  connections = {
    ...connectTo(client, join(folder, 'downloads')),
    openFor: async (serviceId) => ({
      client: await clientOf(serviceId),
      origin: placeOf(serviceId).origin,
    }),
    originOf: (serviceId) => placeOf(serviceId).origin,
    serviceIds: () => [...places.keys()],
    clientOf,
    onReady(listener) {
      tellReady = listener;
      return () => undefined;
    },
  };
  engine = await start();
  onTestFinished(async () => {
    await stop();
    await database.close();
  });
});

async function start(): Promise<Engine> {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  return createEngine({
    store: database.transfers,
    catalogue: database.catalogue,
    documents: database.documents,
    connections,
    clock,
    log,
    settings: () => ({ ...settingsDefault, transfersAtOnce: 4 }),
    undoCopies: await openTestUndoCopies({ store: database.undoStore, folder, log }),
    random: () => 0.5,
  });
}

async function stop(): Promise<void> {
  const closed = engine.close();
  await clock.advance(0);
  await closed;
}

/** Moves a service as *Cancel and change* does: cancels before the address is written, and once more after it. */
async function move(serviceId: string, to: SimulatedService): Promise<void> {
  await settle(engine.actions.cancel({ kind: 'service', serviceId }));
  places.set(serviceId, to);
  await settle(engine.actions.cancel({ kind: 'service', serviceId }));
}

/** Lets time pass until work of a person is done. */
async function settle(work: Promise<void>): Promise<void> {
  let isDone = false;
  const done = work.finally(() => (isDone = true));
  for (let round = 0; !isDone && round < 100; round += 1) await clock.advance(10);
  expect(isDone).toBe(true);
  await done;
}

/** All records, by id. */
const records = () => database.transfers.getMany(Array.from({ length: 200 }, (_, index) => index + 1));
const stateNames = async () => (await records()).map(({ state }) => state.name);

async function rowOf(identifier: string) {
  return (await database.catalogue.findByIdentifiers('a', 'data', [identifier])).get(identifier);
}

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

async function know(serviceId: string, identifier: string): Promise<number> {
  const patch = { state: 'stored', lengthBytes: 5 } as const;
  const [row] = await database.catalogue.add(serviceId, [{ kind: 'data', identifier, patch }]);
  return row?.record.id ?? 0;
}

describe('transfers queued for one address', () => {
  test.each(['direct', 'deferred'] as const)('never go to another: %s uploads', async (route) => {
    one.answerMs = 500;
    one.processingMs = 1000;
    const items = await Promise.all(Array.from({ length: 40 }, (_, index) => itemOf(`u/${index}`)));
    await engine.enqueue.uploads('a', items, route);
    await clock.advance(2000);
    // The address is edited while most of them wait and some are running.
    places.set('a', two);
    await clock.advance(10 * 60_000);
    expect(two.requests).toEqual([]);
    expect(one.requests.length).toBeLessThan(40);
    expect(await engine.unfinishedOf('a')).toBeGreaterThan(20);

    // Back at the first address everything continues.
    places.set('a', one);
    tellReady('a');
    await clock.advance(30 * 60_000);
    expect(await engine.unfinishedOf('a')).toBe(0);
    expect(two.requests).toEqual([]);
    for (const { identifier } of items)
      expect(Buffer.from(one.get(identifier) ?? '').toString()).toBe(`bytes of ${identifier}`);
  });

  test('never go to another: tokens of deferred downloads are neither checked there nor reported as lost', async () => {
    one.processingMs = 60_000;
    one.put('d', Buffer.from('bytes'), 'stranger');
    await engine.enqueue.downloads('a', [await know('a', 'd')], { saveAsPath: null, route: 'deferred' });
    await clock.advance(5000);
    places.set('a', two);
    await clock.advance(5 * 60_000);
    expect(two.requests).toEqual([]);
    expect((await engine.page({ tab: 'jobs', offset: 0, limit: 10 })).rows).toMatchObject([
      { state: 'processing' },
    ]);
    places.set('a', one);
    await clock.advance(5 * 60_000);
    expect((await engine.page({ tab: 'jobs', offset: 0, limit: 10 })).rows).toMatchObject([
      { state: 'done' },
    ]);
  });

  test('never go to another: a deletion', async () => {
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

test('uploads being enqueued when the address changes are cancelled, and none is sent there', async () => {
  one.weather = { kind: 'unreachable' };
  const item = await itemOf('u');
  const items = Array.from({ length: 1200 }, (_, index) => ({ ...item, identifier: `u/${index}` }));
  const added = engine.enqueue.uploads('a', items, 'direct').catch((cause: unknown) => cause);
  while ((await engine.unfinishedOf('a')) === 0) await setImmediate();
  places.set('a', two);
  await settle(engine.actions.cancel({ kind: 'service', serviceId: 'a' }));
  expect(await added).toMatchObject({ error: { code: 'cancelled' } });
  expect(await engine.unfinishedOf('a')).toBe(0);
  await clock.advance(60_000);
  expect(two.requests).toEqual([]);
});

describe('transfers that were open when the address was changed', () => {
  /** An upload and a deletion whose answers are lost, a deferred upload, and uploads that run or wait. */
  async function open(): Promise<void> {
    one.put('x', Buffer.from('bytes'), 'stranger');
    two.put('x', Buffer.from('bytes'), 'stranger');
    one.processingMs = 60_000;
    await engine.enqueue.uploads('a', [await itemOf('later')], 'deferred');
    await clock.advance(1000);
    one.weather = { kind: 'lossy' };
    await engine.enqueue.uploads('a', [await itemOf('lost')], 'direct');
    await engine.enqueue.deletions('a', [await know('a', 'x')]);
    await clock.advance(100);
    one.weather = { kind: 'fine' };
    one.answerMs = 30_000;
    const items = await Promise.all(Array.from({ length: 8 }, (_, index) => itemOf(`u/${index}`)));
    await engine.enqueue.uploads('a', items, 'direct');
    await clock.advance(100);
  }

  async function expectTheEnd(): Promise<void> {
    expect(await engine.unfinishedOf('a')).toBe(0);
    const [later, lost, deletion, ...others] = await records();
    for (const record of [later, lost, ...others]) expect(record?.state).toEqual({ name: 'cancelled' });
    expect(deletion?.state).toEqual({ name: 'failed', error: { code: 'deletionUnknown' } });
    for (const identifier of ['later', 'lost', 'x'])
      expect(await rowOf(identifier)).toMatchObject({ state: 'unknown' });
    expect(await rowOf('u/7')).toBeUndefined();
  }

  test('end at once, as unknown where they may have arrived', async () => {
    await open();
    await move('a', two);
    await expectTheEnd();
    const asked = one.requests.length;
    await clock.advance(60 * 60_000);
    await expectTheEnd();
    expect(one.requests.length).toBe(asked);
    expect(two.requests).toEqual([]);
  });

  test('end at the next start, when the address was changed before their outcome was known', async () => {
    await open();
    await settle(engine.actions.cancel({ kind: 'service', serviceId: 'a' }));
    expect(await engine.unfinishedOf('a')).toBeGreaterThan(2);
    await stop();
    places.set('a', two);
    engine = await start();
    await clock.advance(100);
    await expectTheEnd();
    expect(two.requests).toEqual([]);
  });

  test('end when they are cancelled later', async () => {
    await open();
    places.set('a', two);
    await clock.advance(10 * 60_000);
    expect(await engine.unfinishedOf('a')).toBeGreaterThan(2);
    await settle(engine.actions.cancel({ kind: 'service', serviceId: 'a' }));
    expect(await engine.unfinishedOf('a')).toBe(0);
    expect(await rowOf('later')).toMatchObject({ state: 'unknown' });
    expect(two.requests).toEqual([]);
  });
});

describe('Try again after the address was changed', () => {
  const again = async () =>
    settle(engine.actions.retry({ kind: 'ids', ids: (await records()).map(({ id }) => id) }));

  test.each(['direct', 'deferred'] as const)('uses the service as it is now: %s', async (route) => {
    two.put('d', Buffer.from('other'), 'stranger');
    one.processingMs = 60_000;
    one.answerMs = 30_000;
    await engine.enqueue.uploads('a', [await itemOf('u/1'), await itemOf('u/2')], route);
    await engine.enqueue.downloads('a', [await know('a', 'd')], { saveAsPath: null, route });
    await clock.advance(100);
    await move('a', two);
    const asked = one.requests.length;
    await again();
    await clock.advance(5 * 60_000);
    expect(await stateNames()).toEqual(['done', 'done', 'done']);
    expect(Buffer.from(two.get('u/1') ?? '').toString()).toBe('bytes of u/1');
    expect(await rowOf('u/1')).toMatchObject({ state: 'stored' });
    expect(one.requests.length).toBe(asked);
    expect(new Set((await records()).map(({ origin }) => origin))).toEqual(new Set([two.origin]));
  });

  test.each(['direct', 'deferred'] as const)('a %s download expects what is stored there', async (route) => {
    two.put('d', Buffer.from('of another length'), 'stranger');
    await engine.enqueue.downloads('a', [await know('a', 'd')], { saveAsPath: null, route });
    await move('a', two);
    await again();
    await clock.advance(5 * 60_000);
    const [record] = await records();
    expect(record).toMatchObject({ state: { name: 'done' }, totalBytes: 17 });
    expect(await readFile(join(folder, 'downloads', 'd'), 'utf8')).toBe('of another length');
    // A deferred result may be old, so it does not change the row.
    expect(await rowOf('d')).toMatchObject({ lengthBytes: route === 'direct' ? 17 : 5 });
  });

  test('takes nothing there for what may have arrived at the former address', async () => {
    one.weather = { kind: 'lossy' };
    await engine.enqueue.uploads('a', [await itemOf('u')], 'direct');
    await clock.advance(100);
    await move('a', two);
    two.put('u', Buffer.from('bytes of u'), 'stranger');
    await again();
    await clock.advance(60_000);
    expect((await records())[0]?.state).toMatchObject({ name: 'done', outcome: { kind: 'skipped' } });
    expect(two.requests.map(({ what }) => what)).not.toContain('GET');
  });
});

describe('a service in trouble', () => {
  test.each(['refused', 'unreachable', 'errors', 'unavailable'] as const)(
    'holds up no other service: its deletions and uploads continue when this one is %s',
    async (kind) => {
      one.weather = kind === 'unavailable' ? { kind, retryAfterMs: 3_600_000 } : { kind };
      const names = Array.from({ length: 20 }, (_, index) => `x/${index}`);
      for (const name of names) two.put(name, Buffer.from('bytes'), 'stranger');
      const ids = async (serviceId: string) => Promise.all(names.map((name) => know(serviceId, name)));
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
  const pageOf = () => engine.page({ tab: 'transfers', offset: 0, limit: 10 });
  const statesOf = async (serviceId: string) => {
    const { rows } = await pageOf();
    return rows.filter((row) => row.serviceId === serviceId).map(({ state }) => state);
  };

  test('counts its transfers that had begun, and Stop now ends only those', async () => {
    await begin();
    expect((await pageOf()).summary.finishing).toBe(0);
    await engine.actions.pause({ serviceId: 'b' }, true);
    expect((await pageOf()).summary.finishing).toBe(2);
    const stopped = engine.actions.stopNow();
    await clock.advance(0);
    await stopped;
    // Whether they arrived is checked first.
    expect(await statesOf('b')).toEqual(['verifying', 'verifying']);
    expect(await statesOf('a')).toEqual(['uploading', 'uploading']);
    await clock.advance(60_000);
    expect((await pageOf()).summary.finishing).toBe(0);
    expect([await statesOf('a'), await statesOf('b')]).toEqual([
      ['done', 'done'],
      ['waiting', 'waiting'],
    ]);
  });

  test('counts verifying transfers among the moving ones, and separately', async () => {
    await begin();
    expect((await pageOf()).summary).toMatchObject({ transfers: { counts: { moving: 4 } }, verifying: 0 });
    await clock.advance(10_000);
    expect((await pageOf()).summary).toMatchObject({ transfers: { counts: { moving: 4 } }, verifying: 4 });
  });
});
