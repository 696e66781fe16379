import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { profileId } from './test/connect.ts';
import { jobRequestsPerSecond, World } from './test/world.ts';

const minuteMs = 60_000;
let world: World;
const begin = async (window: 'fixed' | 'sliding' = 'fixed') => {
  world = await World.begin(window);
};
beforeEach(() => begin());
afterEach(async () => {
  await world.end();
  await world.leave();
});

const states = () => world.all().map(({ state }) => state);
const only = () => {
  const [job] = world.all();
  if (!job) throw new Error('there is no job');
  return job;
};
const count = (what: string) => world.service.requests.filter((request) => request.what === what).length;

describe('windows', () => {
  test('warnings come at ten and at two minutes, once each, also over a restart', async () => {
    world.service.processingMs = 29 * minuteMs;
    await world.download();
    await world.clock.advance(19 * minuteMs);
    expect(world.warnings).toEqual([]);
    await world.clock.advance(2 * minuteMs);
    expect(world.warnings).toEqual([{ identifier: 'd/1', leftMs: expect.closeTo(10 * minuteMs, -4) }]);
    expect(world.jobs.summary()).toMatchObject({ counts: { closing: 1, running: 0 }, active: 1 });
    await world.restart(minuteMs);
    await world.clock.advance(6.5 * minuteMs);
    expect(world.warnings).toHaveLength(2);
    expect(world.warnings[1]?.leftMs).toBeLessThanOrEqual(2 * minuteMs);
    await world.clock.advance(5 * minuteMs);
    expect(only()).toMatchObject({ state: 'done', outcome: { kind: 'saved' } });
  });

  test('past its window a job is still followed for as long as it is answered', async () => {
    await world.leave();
    await begin('sliding');
    world.service.processingMs = 50 * minuteMs;
    await world.download();
    await world.clock.advance(35 * minuteMs);
    expect(only()).toMatchObject({ state: 'processing', pastWindow: true });
    await world.clock.advance(16 * minuteMs);
    expect(states()).toEqual(['done']);
  });

  test('a result that is gone is lost, and can be asked for again', async () => {
    world.service.processingMs = 40 * minuteMs;
    await world.download();
    await world.clock.advance(31 * minuteMs);
    expect(only()).toMatchObject({ state: 'lost', error: { code: 'missing' } });
    world.service.processingMs = 0;
    await world.jobs.startAgain([only().id]);
    await world.clock.advance(minuteMs);
    expect(states()).toEqual(['done']);
  });

  test('nobody answers: lost only when both readings have run out', async () => {
    world.service.processingMs = 29 * minuteMs;
    await world.download();
    await world.clock.advance(20 * minuteMs);
    world.setWeather({ kind: 'unreachable' });
    await world.clock.advance(25 * minuteMs);
    expect(only()).toMatchObject({ state: 'processing', pastWindow: true, waitingFor: 'network' });
    await world.clock.advance(10 * minuteMs);
    expect(states()).toEqual(['lost']);
  });

  test('a sleep counts, and a clock that is set back does not make time', async () => {
    world.service.processingMs = 40 * minuteMs;
    await world.download();
    await world.clock.advance(minuteMs);
    world.setWall(-120 * minuteMs);
    await world.clock.advance(9 * minuteMs);
    expect((only().windowEndsAtMs ?? 0) - world.clock.nowMs()).toBeCloseTo(20 * minuteMs, -4);
    world.setWall(120 * minuteMs);
    world.setWeather({ kind: 'unreachable' });
    world.sleep(25 * minuteMs);
    await world.clock.advance(minuteMs);
    // Not known to be lost: nobody could be asked.
    expect(only()).toMatchObject({ state: 'processing', pastWindow: true });
    world.setWeather({ kind: 'fine' });
    await world.clock.advance(minuteMs);
    expect(states()).toEqual(['lost']);
  });

  test('after a wake-up it is looked at once', async () => {
    world.service.processingMs = 5 * minuteMs;
    await world.download();
    await world.clock.advance(minuteMs);
    world.sleep(20 * minuteMs);
    await world.clock.advance(1000);
    await expect.poll(states).toEqual(['done']);
  });
});

describe('the service', () => {
  test('401: all wait for a new token, and nothing is sent', async () => {
    world.setWeather({ kind: 'refused' });
    await world.download();
    await world.upload();
    await world.clock.advance(minuteMs);
    const sent = world.service.requests.length;
    expect(world.all().map(({ waitingFor }) => waitingFor)).toEqual(['token', 'token']);
    await world.clock.advance(10 * minuteMs);
    expect(world.service.requests.length).toBe(sent);
    world.setWeather({ kind: 'fine' });
    await world.clock.advance(minuteMs);
    expect(states()).toEqual(['done', 'done']);
  });

  test('429: everybody of the profile slows down for as long as it says', async () => {
    await world.downloadMany(20);
    await world.clock.advance(2000);
    world.setWeather({ kind: 'tooMany', retryAfterMs: 60_000 });
    await world.clock.advance(2000);
    const sent = world.service.requests.length;
    await world.clock.advance(50_000);
    expect(world.service.requests.length).toBe(sent);
    expect(world.all().map(({ waitingFor }) => waitingFor)).toContain('retry');
  });

  test('after an outage the most endangered is looked at first', async () => {
    world.service.processingMs = 60 * minuteMs;
    await world.download();
    await world.clock.advance(5 * minuteMs);
    await world.download();
    await world.clock.advance(5 * minuteMs);
    world.setWeather({ kind: 'unreachable' });
    await world.clock.advance(5 * minuteMs);
    const before = world.all().map(({ identifier, checks }) => [identifier, checks]);
    world.setWeather({ kind: 'fine' });
    await world.clock.advance(10);
    const after = world.all().map(({ identifier, checks }) => [identifier, checks]);
    expect(before.map(([name]) => name)).toEqual(['d/1', 'd/2']);
    expect(after[0]?.[1]).toBe(Number(before[0]?.[1]) + 1);
    expect(after[1]?.[1]).toBe(before[1]?.[1]);
  });

  test('an answer that breaks off is fetched again, and a saved one never', async () => {
    await world.download();
    world.setWeather({ kind: 'cutting' });
    await world.clock.advance(minuteMs);
    expect(only().state).toBe('completed');
    expect(count('fetch data')).toBeGreaterThan(1);
    world.setWeather({ kind: 'fine' });
    await world.clock.advance(minuteMs);
    expect(states()).toEqual(['done']);
    const fetched = count('fetch data');
    await world.restart(minuteMs);
    await world.clock.advance(5 * minuteMs);
    expect(count('fetch data')).toBe(fetched);
  });

  test('nobody waits for a fetch that waits for its next try', async () => {
    await world.download();
    world.setWeather({ kind: 'cutting' });
    await world.clock.advance(2 * minuteMs);
    await world.upload();
    await world.clock.advance(5000);
    expect(states().toSorted()).toEqual(['completed', 'done']);
  });

  test('a result that is not what the list knows is fetched three times, then said to differ', async () => {
    await world.download();
    await world.catalogue.update([{ id: 1, patch: { sha256: '0'.repeat(64) } }]);
    await world.finish();
    expect(only()).toMatchObject({ state: 'failed', error: { code: 'digestDiffers' } });
    expect(count('fetch data')).toBe(3);
  });

  test('an error that stays says lost only past the window', async () => {
    world.service.processingMs = 20 * minuteMs;
    await world.download();
    await world.clock.advance(minuteMs);
    world.setWeather({ kind: 'errors' });
    await world.clock.advance(25 * minuteMs);
    expect(only()).toMatchObject({
      state: 'processing',
      waitingFor: 'retry',
      error: { code: 'serverError' },
    });
    await world.clock.advance(10 * minuteMs);
    expect(only()).toMatchObject({ state: 'lost', error: { code: 'serverError' } });
  });

  test('what is not there fails, and the list learns it', async () => {
    await world.download();
    world.service.objects.clear();
    await world.clock.advance(minuteMs);
    expect(only()).toMatchObject({ state: 'failed', error: { code: 'missing' } });
    expect(await world.catalogue.getMany([1])).toMatchObject([{ state: 'missing' }]);
    await world.jobs.clear('needsYou');
    expect(world.all()).toEqual([]);
    await world.leave();
    await begin();
  });
});

describe('the budget', () => {
  test('a thousand jobs stay within it, with one look at each in time', { timeout: 120_000 }, async () => {
    world.service.processingMs = 10 * minuteMs;
    await world.downloadMany(1000);
    await world.clock.advance(20 * minuteMs);
    const { requests } = world.service;
    expect(requests.length).toBeLessThanOrEqual(20 * 60 * jobRequestsPerSecond + jobRequestsPerSecond);
    await world.look();
    await world.clock.advance(10 * minuteMs);
    expect(states().filter((state) => state !== 'done')).toEqual([]);
  });
});

describe('an identifier that exists', () => {
  test('ask: fails before a byte moves, and beginning again keeps both', async () => {
    world.service.objects.set('u1', Buffer.from('theirs'));
    await world.upload('ask');
    await world.clock.advance(minuteMs);
    expect(only()).toMatchObject({ state: 'failed', error: { code: 'exists' } });
    expect(count('POST data')).toBe(0);
    await world.jobs.startAgain([only().id]);
    await world.clock.advance(minuteMs);
    expect(only()).toMatchObject({ state: 'done', identifier: 'u1-2' });
    expect(world.service.objects.get('u1')?.toString()).toBe('theirs');
    world.service.objects.set('u1-2', Buffer.from('the bytes of u1-2'));
  });

  test('skip leaves it, keep both takes the next name that is free', async () => {
    world.service.objects.set('u1', Buffer.from('the bytes of u1'));
    world.service.objects.set('u2', Buffer.from('theirs'));
    await world.upload('skip');
    await world.upload('keepBoth');
    await world.clock.advance(minuteMs);
    expect(world.all().map(({ identifier, outcome }) => [identifier, outcome?.kind])).toEqual(
      expect.arrayContaining([
        ['u1', 'skipped'],
        ['u2-2', 'stored'],
      ]),
    );
    world.service.objects.set('u2-2', Buffer.from('the bytes of u2-2'));
  });

  test('one that came meanwhile is in the result, and is not ours', async () => {
    world.service.processingMs = minuteMs;
    await world.upload('ask');
    await world.clock.advance(1000);
    world.service.objects.set('u1', Buffer.from('theirs, and longer than ours'));
    await world.clock.advance(2 * minuteMs);
    expect(only()).toMatchObject({ state: 'failed', error: { code: 'exists' } });
  });
});

describe('an answer to a start that was lost', () => {
  test.each([
    ['what is there is compared, and not sent again', 0, 1],
    ['what is not there yet is sent again, and met as our own', 5000, 2],
  ])('upload: %s', async (_says, processingMs, posts) => {
    world.service.processingMs = processingMs;
    world.setWeather({ kind: 'lossyStarts' });
    await world.upload();
    await world.clock.advance(400);
    expect(states()).toEqual(['unknown']);
    world.setWeather({ kind: 'fine' });
    await world.finish();
    expect(only()).toMatchObject({ state: 'done', outcome: { kind: 'stored' } });
    expect(count('POST data')).toBe(posts);
  });

  test('secret: it says what is unknown', async () => {
    world.setWeather({ kind: 'lossy' });
    await world.storeSecret();
    await world.clock.advance(minuteMs);
    expect(only()).toMatchObject({
      state: 'failed',
      error: { code: 'connectionLost', outcomeUnknown: true },
    });
    expect(await world.catalogue.getMany([1])).toMatchObject([{ state: 'unknown' }]);
    await world.jobs.startAgain('all');
    expect(states()).toEqual(['failed']);
  });
});

describe('secrets', () => {
  test('one that is read is cancelled when nobody waits any more', async () => {
    world.service.processingMs = minuteMs;
    const stop = new AbortController();
    world.service.secrets.set('key', Buffer.from('value'));
    const [row] = await world.catalogue.add(profileId, [{ kind: 'secret', identifier: 'key', patch: {} }]);
    const read = world.jobs.readSecret(row?.record.id ?? 0, stop.signal);
    const failure = read.catch((cause: unknown) => cause);
    await world.clock.advance(5000);
    stop.abort();
    expect(await failure).toMatchObject({ error: { code: 'cancelled' } });
    await expect.poll(states).toEqual(['cancelled']);
    await world.jobs.clear('done');
  });

  test('after a restart nobody waits for one, and a value that was not sent is gone', async () => {
    world.service.processingMs = minuteMs;
    await world.readSecret();
    await world.clock.advance(5000);
    world.setWeather({ kind: 'unreachable' });
    await world.storeSecret();
    await world.restart(0);
    expect(world.all().map(({ identifier, state }) => [identifier, state])).toEqual(
      expect.arrayContaining([
        ['r/1', 'cancelled'],
        ['s/2', 'failed'],
      ]),
    );
  });
});

test('cancel stops following, and the service goes on', async () => {
  world.service.processingMs = minuteMs;
  await world.upload();
  await world.clock.advance(5000);
  await world.jobs.cancel('all');
  expect(states()).toEqual(['cancelled']);
  expect(await world.catalogue.getMany([1])).toMatchObject([{ state: 'unknown' }]);
  const sent = world.service.requests.length;
  await world.clock.advance(5 * minuteMs);
  expect(world.service.requests.length).toBe(sent);

  // What it has stored meanwhile is found to be ours.
  world.service.objects.set('u1', Buffer.from('the bytes of u1'));
  await world.jobs.startAgain([only().id]);
  await world.finish();
  expect(only()).toMatchObject({ state: 'done', identifier: 'u1' });
  expect(count('POST data')).toBe(1);
});
