import { appendFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isPartId } from '../../../shared/domain/made-names.ts';
import { AppFailure } from '../../../shared/app-failure.ts';
import type { ServiceClient } from '../../service/client.ts';
import { serviceId } from '../../../../test-support/main/transfers/world-acts.ts';
import { lossyFromPost, type Weather } from '../../../../test-support/main/transfers/weather.ts';
import { World } from '../../../../test-support/main/transfers/world.ts';

/** Faults that people saw, each described by its symptom. */

const minuteMs = 60_000;
let world: World;
beforeEach(async () => {
  world = await World.begin();
});
afterEach(() => world.leave());

const count = (what: string, identifier?: string) =>
  world.service.requests.filter(
    (request) => request.what === what && (identifier === undefined || request.identifier === identifier),
  ).length;
const transfers = async () => (await world.transfers()).toSorted((a, b) => a.id - b.id);
const states = async () => (await transfers()).map(({ state, waitingFor }) => waitingFor ?? state);
const jobStates = async () => (await world.jobs()).map(({ state, waitingFor }) => waitingFor ?? state);
const actions = () => world.engine.actions;
const textOf = (identifier: string) => Buffer.from(world.service.get(identifier) ?? '').toString();
const pause = (isPaused: boolean) => world.settle(actions().pause('all', isPaused));

/** Changes the answers of the service from now on, and restarts the engine over it. */
async function disturb(change: (client: ServiceClient) => Partial<ServiceClient>): Promise<void> {
  const make = world.service.client.bind(world.service);
  world.service.client = (isAlive) => {
    const client = make(isAlive);
    return { ...client, ...change(client) };
  };
  await world.kill(0);
}

/** Answers 404 this many times before the true answer. */
function lateBy(times: number): (client: ServiceClient) => Partial<ServiceClient> {
  let left = times;
  return (client) => ({
    async headData(...args) {
      const seen = await client.headData(...args);
      if (left <= 0) return seen;
      left -= 1;
      throw new AppFailure({ code: 'missing', status: 404 });
    },
  });
}

/** Stores a secret while the service is held, so that its value is in memory before its turn comes. */
async function storeSecret(identifier: string, value: string): Promise<void> {
  const breaker = world.engine.breakers.of(serviceId);
  breaker.reportFailure(0, new AppFailure({ code: 'unreachable', host: 'x', reason: 'refused' }));
  const secret = { identifier, classification: null, value: Buffer.from(value), sourceName: null };
  await world.engine.enqueue.storeSecret(serviceId, secret);
  breaker.release();
}

describe('an imported list', () => {
  test('deletes nothing, whatever it says of its rows', async () => {
    world.service.put('a', Buffer.from('precious'), 'stranger');
    const path = join(world.folder, 'list.jsonl');
    const header = { cofferCatalogue: 1 };
    const row = { kind: 'data', identifier: 'a', state: 'deleting', lengthBytes: 8 };
    await writeFile(path, [header, row].map((line) => JSON.stringify(line)).join('\n'));
    await world.database.catalogue.importFrom(serviceId, path, 'import');
    const [added] = await world.database.catalogue.add(serviceId, [
      { kind: 'data', identifier: 'b', patch: { state: 'deleting' } },
    ]);
    world.service.put('b', Buffer.from('precious'), 'stranger');
    expect(added?.record.state).toBe('deleting');
    await world.kill(minuteMs);
    await world.clock.advance(30 * minuteMs);
    expect(count('DELETE')).toBe(0);
    expect(world.service.get('a')).toBeDefined();
    expect(world.service.get('b')).toBeDefined();
  });
});

describe('a deletion whose answer was lost', () => {
  test.each(['nothing happens in between', 'Coffer is killed'])(
    'never removes what somebody has stored since: %s',
    async (between) => {
      world.service.put('a', Buffer.from('old'), 'stranger');
      await world.know('a');
      world.service.weatherOf = () => (count('DELETE') > 0 ? { kind: 'lossy' } : null);
      await world.delete('a');
      await world.clock.advance(500);
      expect(world.service.get('a')).toBeUndefined();
      world.service.put('a', Buffer.from('new, and of somebody else'), 'stranger');
      world.service.weatherOf = () => null;
      if (between === 'Coffer is killed') await world.kill(minuteMs);
      await world.clock.advance(30 * minuteMs);
      expect(textOf('a')).toBe('new, and of somebody else');
      expect(count('DELETE')).toBe(1);
      expect(await world.rowOf('a')).toMatchObject({ state: 'unknown' });
    },
  );
});

describe('the list keeps what is stored', () => {
  test('a failed upload, the same file stored by another, Retry of the first, Cancel at the prompt', async () => {
    await pause(true);
    await world.upload('a', { text: 'the bytes' });
    await world.upload('a', { text: 'the bytes' });
    // The first file is gone when its turn comes, and back later.
    await rm(join(world.folder, 'f1'));
    await pause(false);
    await world.clock.advance(minuteMs);
    await writeFile(join(world.folder, 'f1'), 'other bytes');
    expect(await states()).toEqual(['failed', 'done']);
    const [first] = await transfers();
    await world.settle(actions().retry({ kind: 'ids', ids: [first?.id ?? 0] }));
    await world.clock.advance(minuteMs);
    expect(await states()).toEqual(['answer', 'done']);
    await world.settle(actions().cancel({ kind: 'ids', ids: [first?.id ?? 0] }));
    await world.clock.advance(minuteMs);
    expect(await world.rowOf('a')).toMatchObject({ state: 'stored', lengthBytes: 9 });
  });

  test.each(['keepBoth', 'skip'] as const)('%s after another upload has filled the row', async (answer) => {
    await world.upload('a', { text: 'first' });
    await world.upload('a', { text: 'the second' });
    await world.clock.advance(minuteMs);
    expect((await states()).toSorted()).toEqual(['answer', 'done']);
    await world.answer(answer, false);
    await world.clock.advance(minuteMs);
    expect(await states()).toEqual(['done', 'done']);
    expect(await world.rowOf('a')).toMatchObject({
      state: 'stored',
      lengthBytes: world.service.get('a')?.length,
    });
    expect((await world.rowOf('a-2'))?.state).toBe(answer === 'keepBoth' ? 'stored' : undefined);
  });

  test('Start again of a deferred upload keeps the note of its row', async () => {
    await pause(true);
    await world.upload('a', { route: 'deferred' });
    await rm(join(world.folder, 'f1'));
    await pause(false);
    await world.clock.advance(minuteMs);
    expect(await jobStates()).toEqual(['failed']);
    const row = await world.rowOf('a');
    await world.database.catalogue.update([{ id: row?.id ?? 0, patch: { note: 'ask Ann first' } }]);
    const [job] = await world.jobs();
    const ids = [job?.id ?? 0];
    world.setWeather({ kind: 'unreachable' });
    await world.settle(actions().retry({ kind: 'ids', ids }));
    await world.clock.advance(1000);
    await world.settle(actions().cancel({ kind: 'ids', ids }));
    await world.clock.advance(minuteMs);
    expect(await world.rowOf('a')).toMatchObject({ note: 'ask Ann first' });
  });
});

test('does not show an object as stored that is deleted before its deferred result is fetched', async () => {
  world.service.put('a', Buffer.from('bytes'), 'stranger');
  world.service.processingMs = 20_000;
  await world.download('a', 'deferred');
  await world.clock.advance(5000);
  await world.delete('a');
  await world.clock.advance(10_000);
  expect(await world.rowOf('a')).toMatchObject({ state: 'gone' });
  // The result still has the bytes of the snapshot.
  await disturb((client) => ({
    checkDataDeferred: async (token, options) => {
      await client.checkDataDeferred(token, options);
      const result = { success: true, status: 200, message: '', activityToken: 'a' };
      return { state: 'complete', result };
    },
    async fetchDataDeferred(token, options) {
      world.service.put('a', Buffer.from('bytes'), 'stranger');
      try {
        world.service.settle();
        return await client.fetchDataDeferred(token, options);
      } finally {
        world.service.remove('a', 'stranger');
      }
    },
  }));
  await world.clock.advance(5 * minuteMs);
  expect(await jobStates()).toEqual(['done']);
  expect(await world.rowOf('a')).toMatchObject({ state: 'gone' });
});

describe('an upload over a row that is gone or missing, whose answer is lost', () => {
  test.each(['gone', 'missing'] as const)('%s: asks until it knows the outcome', async (state) => {
    await world.database.catalogue.add(serviceId, [
      { kind: 'data', identifier: 'a', patch: { state, lengthBytes: 3 } },
    ]);
    world.service.weatherOf = lossyFromPost();
    await world.upload('a', { text: 'new bytes' });
    await world.clock.advance(300);
    world.service.weatherOf = () => null;
    world.setWeather({ kind: 'unreachable' });
    await world.clock.advance(minuteMs);
    await world.settle(actions().cancel({ kind: 'all' }));
    await world.clock.advance(minuteMs);
    world.setWeather({ kind: 'fine' });
    await world.clock.advance(10 * minuteMs);
    expect(textOf('a')).toBe('new bytes');
    expect(await world.rowOf('a')).toMatchObject({ state: 'stored', lengthBytes: 9 });
    expect(await world.unfinished()).toBe(0);
  });
});

describe('503 with Retry-After', () => {
  test('holds everything back: 60 uploads send a few requests while it lasts', async () => {
    world.service.answerMs = 20;
    world.setWeather({ kind: 'unavailable', retryAfterMs: 120_000 });
    for (let number = 0; number < 60; number += 1) await world.upload(`q/${number}`);
    await world.clock.advance(111_000);
    expect(world.service.requests.length).toBeLessThanOrEqual(world.settings.transfersAtOnce);
    expect((await states()).filter((state) => state === 'retry').length).toBeGreaterThanOrEqual(56);
    const { causes } = (await world.engine.page({ tab: 'transfers', offset: 0, limit: 1 })).summary.transfers;
    expect(causes).toMatchObject([{ group: 'waiting', code: 'serverError', retryAtMs: expect.any(Number) }]);
    expect(causes[0]?.count).toBeGreaterThanOrEqual(56);
  });

  async function beOutForHours(weather: Weather): Promise<void> {
    world.service.put('d/1', Buffer.from('bytes'), 'stranger');
    world.setWeather(weather);
    for (let number = 0; number < 8; number += 1) await world.upload(`q/${number}`);
    await world.download('d/1');
    await world.clock.advance(6 * 60 * minuteMs);
    expect((await states()).filter((state) => state === 'failed')).toEqual([]);
    // Now and then one request probes the service.
    expect(world.service.requests.length).toBeLessThan(1500);
    await world.end();
  }

  test.each([{ kind: 'unavailable', retryAfterMs: 120_000 }, { kind: 'errors' }] as const)(
    'an outage of hours fails nothing: $kind',
    async (weather) => {
      await beOutForHours(weather);
      expect(new Set(await states())).toEqual(new Set(['done']));
    },
  );

  test.each([{ kind: 'unavailable', retryAfterMs: null }, { kind: 'unreachable' }] as const)(
    'nor does an outage without Retry-After: $kind',
    { tags: 'all' },
    async (weather) => {
      await beOutForHours(weather);
      expect(new Set(await states())).toEqual(new Set(['done']));
    },
  );
});

test('quitting with a queue sends nothing and loses nothing', async () => {
  world.service.answerMs = 200;
  for (let number = 0; number < 60; number += 1) await world.upload(`q/${number}`);
  await world.clock.advance(500);
  expect(world.engine.atStake()).toEqual([]);
  const closed = world.engine.close();
  await world.clock.advance(0);
  await closed;
  await world.kill(10 * minuteMs);
  await world.end();
  expect((await states()).filter((state) => state === 'done')).toHaveLength(60);
});

test('paused: what runs is finished, what is new waits, also after a restart, until Resume', async () => {
  world.service.answerMs = 2000;
  await world.upload('runs');
  await world.clock.advance(500);
  await pause(true);
  await world.upload('new');
  await world.clock.advance(minuteMs);
  expect(await states()).toEqual(['done', 'paused']);
  await world.kill(minuteMs);
  await world.clock.advance(minuteMs);
  expect(await states()).toEqual(['done', 'paused']);
  expect(count('POST')).toBe(1);
  await pause(false);
  await world.clock.advance(minuteMs);
  expect(await states()).toEqual(['done', 'done']);
  expect(count('POST')).toBe(2);
});

test('an open deferred request keeps the computer awake also while everything is paused, and a new one does not', async () => {
  const unpaused = async () => (await world.settle(world.engine.summary())).unpaused;
  world.service.processingMs = 10 * minuteMs;
  await world.upload('open', { route: 'deferred' });
  await world.clock.advance(5000);
  await pause(true);
  await world.upload('new', { route: 'deferred' });
  await world.clock.advance(minuteMs);
  expect([await unpaused(), world.engine.atStake().length]).toEqual([1, 1]);
  await world.clock.advance(10 * minuteMs);
  expect(await unpaused()).toBe(0);
});

describe('Cancel while the service still processes', () => {
  test('finds what it stores later, and shows it as unknown until then', async () => {
    world.service.processingMs = 20_000;
    await world.upload('a', { route: 'deferred', text: 'bytes' });
    await world.clock.advance(5000);
    await world.settle(actions().cancel({ kind: 'all', tab: 'jobs' }));
    await world.clock.advance(1000);
    expect(await world.rowOf('a')).toMatchObject({ state: 'unknown' });
    await world.clock.advance(10 * minuteMs);
    expect(await world.rowOf('a')).toMatchObject({ state: 'stored', lengthBytes: 5 });
    expect(await jobStates()).toEqual(['cancelled']);
  });

  test('reports an upload that never comes as failed only after minutes', async () => {
    world.service.processingMs = 60 * minuteMs;
    await world.upload('a', { route: 'deferred' });
    await world.clock.advance(5000);
    await world.settle(actions().cancel({ kind: 'all', tab: 'jobs' }));
    await world.clock.advance(2 * minuteMs);
    expect(await world.rowOf('a')).toMatchObject({ state: 'unknown' });
    await world.clock.advance(10 * minuteMs);
    expect(await world.rowOf('a')).toMatchObject({ state: 'failed' });
  });
});

test('closing ends the check of what a cancelled upload has stored', async () => {
  world.setWeather({ kind: 'lossy' });
  await world.upload('a');
  await world.clock.advance(300);
  world.setWeather({ kind: 'fine' });
  world.service.answerMs = minuteMs;
  await world.settle(actions().cancel({ kind: 'all' }));
  await world.clock.advance(1000);
  expect(world.service.inFlight).toBe(1);
  // No time passes meanwhile.
  const closed = world.engine.close();
  await world.clock.advance(0);
  await closed;
  expect(world.service.inFlight).toBe(0);
  await world.kill(0);
});

test('removing a service while files are enqueued leaves neither transfers nor rows', async () => {
  const path = join(world.folder, 'one');
  await writeFile(path, 'x');
  const item = {
    path,
    fileName: 'one',
    sizeBytes: 1,
    mtimeMs: 0,
    classification: null,
    ifExists: 'ask',
  } as const;
  const items = Array.from({ length: 3000 }, (_, index) => ({ ...item, identifier: `many/${index}` }));
  world.setWeather({ kind: 'unreachable' });
  const enqueued = world.engine.enqueue.uploads(serviceId, items, 'direct').catch((cause: unknown) => cause);
  await world.settle(
    (async () => {
      await world.database.documents.delete('services', serviceId);
      await world.engine.removeService(serviceId);
      await world.database.catalogue.removeService(serviceId);
      await enqueued;
    })(),
  );
  expect(await enqueued).toMatchObject({ error: { code: 'notFound' } });
  await world.clock.advance(minuteMs);
  expect(await world.transfers()).toEqual([]);
  expect(await world.database.allRows()).toEqual([]);
});

describe('a check of a deferred request that is answered 404', () => {
  const forget = (times: number) => {
    let left = times;
    return (client: ServiceClient): Partial<ServiceClient> => ({
      async checkDataDeferred(...args) {
        if (left <= 0) return client.checkDataDeferred(...args);
        left -= 1;
        await client.checkDataDeferred(...args).catch(() => undefined);
        throw new AppFailure({ code: 'missing', status: 404 });
      },
    });
  };

  test.each([1, 2])('%i times: still fetches the result', async (times) => {
    world.service.put('a', Buffer.from('bytes'), 'stranger');
    await disturb(forget(times));
    await world.download('a', 'deferred');
    await world.clock.advance(3 * minuteMs);
    expect(await jobStates()).toEqual(['done']);
  });

  test('three times, within a minute at most: loses the result', async () => {
    world.service.put('a', Buffer.from('bytes'), 'stranger');
    await disturb(forget(1000));
    await world.download('a', 'deferred');
    await world.clock.advance(3 * minuteMs);
    expect(await jobStates()).toEqual(['lost']);
    expect(count('check')).toBe(3);
  });
});

test('a data object of the same identifier never proves a secret', async () => {
  world.service.answerMs = 5000;
  await storeSecret('secret/1', 'a value');
  world.service.put('secret/1', Buffer.from('data of the same identifier'), 'stranger');
  await world.clock.advance(1000);
  expect(count('start')).toBe(1);
  await world.kill(minuteMs);
  await world.clock.advance(30 * minuteMs);
  expect(count('HEAD')).toBe(0);
  expect((await world.rowOf('secret/1', 'secret'))?.state).toBe('unknown');
});

test('Retry after the file has changed sends the file as it is, and does not mistake the stored one for it', async () => {
  await world.upload('a', { text: 'as it was' });
  world.setWeather({ kind: 'lossy' });
  await world.clock.advance(300);
  world.setWeather({ kind: 'unreachable' });
  await world.clock.advance(1000);
  await world.settle(actions().cancel({ kind: 'all' }));
  world.setWeather({ kind: 'fine' });
  await world.clock.advance(10 * minuteMs);
  expect(textOf('a')).toBe('as it was');
  await appendFile(join(world.folder, 'f1'), ', and more');
  const [first] = await transfers();
  await world.settle(actions().retry({ kind: 'ids', ids: [first?.id ?? 0] }));
  await world.clock.advance(minuteMs);
  expect(await states()).toEqual(['answer']);
  await world.answer('keepBoth', false);
  await world.clock.advance(minuteMs);
  expect(textOf('a-2')).toBe('as it was, and more');
  expect(await world.rowOf('a-2')).toMatchObject({ state: 'stored', lengthBytes: 19 });
});

describe('deferred uploads', () => {
  test('with Ask, of a file in parts, prompt before a byte moves', async () => {
    world.service.put('a', Buffer.from('theirs'), 'stranger');
    await world.upload('a', { route: 'deferred', ifExists: 'ask', sizeBytes: 9_500 });
    await world.clock.advance(minuteMs);
    expect(await jobStates()).toEqual(['answer']);
    expect(world.service.requests.map(({ what }) => what)).toEqual(['HEAD']);
  });

  test('with Ask, of a small new file, prompt when it is refused, and continue with the answer', async () => {
    world.service.put('a', Buffer.from('theirs'), 'stranger');
    await world.upload('a', { route: 'deferred', ifExists: 'ask', text: 'mine' });
    await world.clock.advance(minuteMs);
    expect(await jobStates()).toEqual(['answer']);
    expect(textOf('a')).toBe('theirs');
    await world.answer('keepBoth', false);
    await world.clock.advance(minuteMs);
    expect(await jobStates()).toEqual(['done']);
    expect(textOf('a')).toBe('theirs');
    expect(textOf('a-2')).toBe('mine');
  });

  test('wait for an object that shows late', async () => {
    await world.upload('a', { route: 'deferred' });
    // Two looks find nothing although the object is stored.
    await disturb(lateBy(2));
    await world.clock.advance(minuteMs);
    expect(await jobStates()).toEqual(['done']);
    expect(await world.rowOf('a')).toMatchObject({ state: 'stored' });
  });
});

test('logs no path of the person', async () => {
  const lines: string[] = [];
  await disturb(() => ({
    uploadData: () => Promise.reject(new Error('a bug')),
    downloadData: () => Promise.reject(new Error('a bug')),
  }));
  world.service.put('d/1', Buffer.from('bytes'), 'stranger');
  await world.upload('u/1');
  await world.download('d/1');
  await world.clock.advance(minuteMs);
  expect(await states()).toEqual(['failed', 'failed']);
  for (const problem of world.problems.splice(0)) lines.push(JSON.stringify(problem));
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.filter((line) => line.includes(world.folder))).toEqual([]);
});

test('does not fetch a saved file again after a restart', async () => {
  world.service.put('a', Buffer.from('bytes'), 'stranger');
  await world.download('a', 'deferred');
  await world.clock.advance(minuteMs);
  const fetched = count('fetch');
  await world.kill(minuteMs);
  await world.clock.advance(5 * minuteMs);
  expect(count('fetch')).toBe(fetched);
  expect(await readdir(join(world.folder, 'downloads'))).toEqual(['a']);
  expect(await readFile(join(world.folder, 'downloads/a'), 'utf8')).toBe('bytes');
});

describe('a cancel', () => {
  const trouble = () => new AppFailure({ code: 'serverError', status: 500, retryAfterMs: null });

  test('ends a transfer that is being put back for its retry', async () => {
    let turns = 0;
    let cancelled: Promise<void> = Promise.resolve();
    await disturb(() => ({
      downloadData() {
        cancelled = (async () => {
          for (let turn = 0; turn < turns; turn += 1) await setImmediate();
          await actions().cancel({ kind: 'all' });
        })();
        return Promise.reject(trouble());
      },
    }));
    for (; turns < 40; turns += 1) {
      world.engine.breakers.of(serviceId).release();
      await world.download(`x${turns}`);
      await world.clock.advance(100);
      await world.settle(cancelled);
      expect([turns, await world.unfinished()]).toEqual([turns, 0]);
    }
  });

  test('of a secret that waits for its retry is reported to the caller that reads it', async () => {
    await disturb(() => ({ startSecretDownload: () => Promise.reject(trouble()) }));
    const [row] = await world.database.catalogue.add(serviceId, [
      { kind: 'secret', identifier: 's', patch: { state: 'stored' } },
    ]);
    const id = row?.record.id ?? 0;
    const read = world.engine.readSecret(id, new AbortController().signal);
    const ending = read.catch((cause: unknown) => cause);
    await world.clock.advance(100);
    expect((await world.engine.overlay([id])).get(id)).toMatchObject({ transfer: { waitingFor: 'retry' } });
    expect(await jobStates()).toEqual([]);
    await world.settle(actions().cancel({ kind: 'all' }));
    expect(await ending).toMatchObject({ error: { code: 'cancelled' } });
  });
});

describe('a transfer that has just failed', () => {
  test('retries it although its failure is not in the database yet', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const { transfers: store } = world.database;
    const apply = store.apply.bind(store);
    store.apply = async (transitions) => {
      if (transitions.some(({ change }) => change.state?.name === 'failed')) await held;
      return apply(transitions);
    };
    world.service.refuses = ({ what }) => (what === 'POST' ? { code: 'forbidden', status: 403 } : null);
    await world.upload('a');
    for (let round = 0; round < 20 && !(await states()).includes('failed'); round += 1)
      await world.clock.advance(1_000);
    world.service.refuses = () => null;
    const [failed] = await transfers();
    const retried = world.retry(failed?.id ?? 0);
    await world.clock.advance(1_000);
    release();
    await retried;
    await world.clock.advance(minuteMs);
    expect(await states()).toEqual(['done']);
  });
});

describe('a transfer whose result cannot be written', () => {
  test('fails alone, and the others go on', async () => {
    const { transfers: store } = world.database;
    const apply = store.apply.bind(store);
    store.apply = async (transitions) => {
      const isBad = transitions.some(({ id, change }) => id === 1 && change.state?.name === 'done');
      if (isBad) throw Object.assign(new Error('NOT NULL constraint failed'), { errcode: 1299 });
      return apply(transitions);
    };
    for (const identifier of ['a', 'b', 'c']) await world.upload(identifier);
    await world.clock.advance(10 * minuteMs);
    const states = Object.fromEntries(
      (await transfers()).map(({ id, state, error }) => [id, [state, error?.code]]),
    );
    expect(states).toEqual({ 1: ['failed', 'unexpected'], 2: ['done', undefined], 3: ['done', undefined] });
    const logged = world.problems.splice(0);
    expect(logged.at(-1)).toMatchObject({ message: 'a transfer failed unexpectedly' });
  });
});

describe('a transfer that is put back just when the database thread has died', () => {
  test('continues once there is another thread', async () => {
    const { transfers: store } = world.database;
    const unclaim = store.unclaim.bind(store);
    let deaths = 1;
    store.unclaim = async (ids) => {
      if (deaths === 0) return unclaim(ids);
      deaths -= 1;
      throw new AppFailure({ code: 'catalogueStopped', isStartedAgain: true });
    };
    const busy = { code: 'tooManyRequests', status: 429, retryAfterMs: null } as const;
    world.service.refuses = ({ what }) => (what === 'POST' ? busy : null);
    for (const identifier of ['a', 'b', 'c', 'd']) await world.upload(identifier);
    await world.clock.advance(1_000);
    world.service.refuses = () => null;
    await world.clock.advance(10 * minuteMs);
    expect(deaths).toBe(0);
    expect(await states()).toEqual(['done', 'done', 'done', 'done']);
    world.problems.splice(0);
  });
});

describe('a file in parts whose deletion takes effect after the last check', () => {
  const parts = () =>
    [...world.service.versions.keys()].filter((id) => isPartId(id) && world.service.get(id));

  beforeEach(async () => {
    await world.upload('a', { sizeBytes: 9_500 });
    await world.clock.advance(minuteMs);
    world.service.deletionMs = 20 * minuteMs;
    await world.delete('a');
    await world.clock.advance(15 * minuteMs);
    world.service.deletionMs = 0;
  });

  test('leaves its parts for a person, who removes them when it is gone', async () => {
    expect(parts()).toHaveLength(5);
    await world.clock.advance(10 * minuteMs);
    expect(world.service.get('a')).toBeUndefined();
    const [{ upload } = { upload: '' }, ...others] = world.engine.orphans.left(serviceId);
    expect(others).toEqual([]);
    await world.settle(world.engine.orphans.removeLeft(serviceId, [upload]));
    await world.clock.advance(minuteMs);
    expect(parts()).toEqual([]);
    expect(world.engine.orphans.left(serviceId)).toEqual([]);
  });

  test('keeps its parts as long as it is there, and removes them with it', async () => {
    const uploads = world.engine.orphans.left(serviceId).map(({ upload }) => upload);
    await world.settle(world.engine.orphans.removeLeft(serviceId, uploads));
    await world.clock.advance(minuteMs);
    expect(parts()).toHaveLength(5);
    await world.delete('a');
    await world.clock.advance(minuteMs);
    expect(parts()).toEqual([]);
  });
});

test('leaves the parts for a person if the deletion of their file could not be observed', async () => {
  await world.upload('a', { sizeBytes: 9_500 });
  await world.clock.advance(minuteMs);
  world.service.weatherOf = (what) => (what === 'DELETE' || what === 'HEAD' ? { kind: 'lossy' } : null);
  await world.delete('a');
  await world.clock.advance(10 * minuteMs);
  expect(world.service.get('a')).toBeUndefined();
  expect(await world.rowOf('a')).toMatchObject({ state: 'unknown' });
  expect(world.engine.orphans.left(serviceId)).toMatchObject([{ identifier: 'a', parts: 5, why: 'unknown' }]);
  world.service.weatherOf = () => null;
  await world.delete('a');
  await world.clock.advance(minuteMs);
  expect(await world.rowOf('a')).toMatchObject({ state: 'gone' });
  const uploads = world.engine.orphans.left(serviceId).map(({ upload }) => upload);
  await world.settle(world.engine.orphans.removeLeft(serviceId, uploads));
  await world.clock.advance(minuteMs);
  const parts = [...world.service.versions.keys()].filter((id) => isPartId(id));
  expect(parts.filter((id) => world.service.get(id))).toEqual([]);
});

test.each([
  { copy: 'stays for a while', deletionMs: 40_000 },
  { copy: 'stays for minutes', deletionMs: 5 * minuteMs },
  { copy: 'is read before the file is sent again', deletionMs: 5 * minuteMs, isKilled: true },
  { copy: 'goes when it is to be deleted again', deletionMs: 5 * minuteMs, goesAtGet: true },
])(
  'Keep both during a Replace by a file in parts removes its parts, although the copy beside the object $copy',
  async ({ deletionMs, goesAtGet = false, isKilled = false }) => {
    world.service.put('a', Buffer.from('old'), 'stranger');
    await world.upload('a', { ifExists: 'replace', sizeBytes: 9_500 });
    world.service.beforeRequest = (what, identifier) => {
      if (goesAtGet && what === 'GET' && identifier.includes('~r-')) world.service.remove(identifier, 'us');
      if (count('DELETE', 'a') === 0 || world.service.peek('a') !== undefined) return;
      world.service.put('a', Buffer.from('theirs'), 'stranger');
      world.service.deletionMs = deletionMs;
    };
    await world.clock.advance(minuteMs);
    await world.answer('keepBoth', false);
    if (isKilled) {
      world.service.answerMs = 100;
      const copy = [...world.service.versions.keys()].find((id) => id.includes('~r-')) ?? '';
      while (!(await world.rowOf(copy))) await world.clock.advance(100);
      await world.kill(0);
    }
    await world.clock.advance(20 * minuteMs);
    expect(await states()).toEqual(['done']);
    expect(textOf('a-2')).not.toBe('');
    const parts = [...world.service.versions.keys()].filter((id) => isPartId(id) && world.service.get(id));
    expect(parts.filter((id) => !id.startsWith('a-2~'))).toEqual([]);
    expect(parts).toHaveLength(5);
    expect(world.engine.orphans.left(serviceId)).toEqual([]);
  },
);

test('Clear during an Undo of a file in parts removes no part that it needs', async () => {
  world.service.deletionMs = 40_000;
  await world.upload('a', { sizeBytes: 9_500 });
  await world.clock.advance(minuteMs);
  const restored = textOf('a');
  await world.upload('a', { ifExists: 'replace' });
  await world.clock.advance(5 * minuteMs);
  await world.undo('a');
  while (count('POST', 'a') < 3) {
    await world.clock.advance(1_000);
    await world.settle(world.undoCopies.clear());
  }
  await world.clock.advance(20 * minuteMs);
  expect(await states()).toEqual(['done', 'done', 'done']);
  expect(textOf('a')).toBe(restored);
  const parts = [...world.service.versions.keys()].filter((identifier) => isPartId(identifier));
  expect(parts.filter((identifier) => world.service.get(identifier))).toHaveLength(5);
});

test('an object that another upload stores while the parts of the first are checked keeps its row', async () => {
  await disturb((client) => ({
    async headData(identifier, options) {
      if (isPartId(identifier)) await world.clock.delay(1_000);
      return client.headData(identifier, options);
    },
  }));
  await world.upload('a', { sizeBytes: 9_500 });
  // Before its manifest is sent, and after.
  while (count('HEAD', 'a') < 2) await world.clock.advance(100);
  world.service.remove('a', 'stranger');
  await world.upload('a', { text: 'another', classification: 'Secret' });
  await world.clock.advance(minuteMs);
  expect(textOf('a')).toBe('another');
  expect(await world.rowOf('a')).toMatchObject({ state: 'stored', lengthBytes: 7, classification: 'Secret' });
});

test('an Undo of a file in parts deletes none of its parts, also if the object is replaced elsewhere meanwhile', async () => {
  await world.upload('a', { sizeBytes: 9_500 });
  await world.clock.advance(minuteMs);
  const ofRestored = [...world.service.versions.keys()].filter((identifier) => isPartId(identifier));
  await world.upload('a', { ifExists: 'replace' });
  await world.clock.advance(5 * minuteMs);
  // Another installation has deleted the object, and will store it again: its undo copy names the same parts.
  world.service.beforeRequest = (what, identifier) => {
    if (what === 'DELETE' && identifier.includes('~o-')) world.service.remove('a', 'stranger');
  };
  await world.undo('a');
  await world.clock.advance(20 * minuteMs);
  expect(world.service.get('a')).toBeUndefined();
  expect(ofRestored.filter((identifier) => world.service.get(identifier))).toHaveLength(5);
});

test('never stores an undo copy of a manifest that an older database does not know under another identifier', async () => {
  await world.upload('a', { sizeBytes: 9_500 });
  await world.clock.advance(minuteMs);
  await world.upload('a', { ifExists: 'replace' });
  await world.clock.advance(5 * minuteMs);
  for (const { key } of await world.database.documents.list('undoManifests'))
    await world.database.documents.delete('undoManifests', key);
  await world.kill(0);
  world.service.remove('a', 'stranger');
  world.service.put('a', Buffer.from('theirs'), 'stranger');
  await world.undo('a');
  await world.clock.advance(minuteMs);
  await world.answer('keepBoth', false);
  await world.clock.advance(5 * minuteMs);
  expect((await transfers()).at(-1)?.error?.code).toBe('partsShared');
  expect(world.service.get('a-2')).toBeUndefined();
});
