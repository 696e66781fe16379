import { AppFailure } from '../../../shared/app-failure.ts';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { serviceId } from '../../../../test-support/main/transfers/world-acts.ts';
import { World } from '../../../../test-support/main/transfers/world.ts';

/** A service, or something between it and Coffer, that stores bytes and answers 409 for them. */
let world: World;
beforeEach(async () => {
  world = await World.begin();
  onTestFinished(() => world.leave());
  world.service.falseConflicts = Infinity;
});

const minuteMs = 60_000;
const stored = () =>
  [...world.service.versions].filter(([, versions]) => versions.at(-1)?.untilMs === Infinity);
const names = () => stored().map(([identifier]) => identifier);
const ended = async () =>
  [...(await world.transfers()), ...(await world.jobs())].map(({ identifier, state, error, outcome }) => ({
    identifier,
    state: error?.code ?? state,
    how: outcome?.kind === 'skipped' ? { isIdentical: outcome.isIdentical } : outcome?.kind,
  }));
const asked = { classification: 'Secret', text: 'mine' } as const;

describe.each(['ask', 'skip', 'keepBoth', 'newVersion', 'replace'] as const)('with %s', (ifExists) => {
  test('stores a deferred upload that is killed at any step once', { tags: 'all' }, async () => {
    for (let stopsAt = 1; stopsAt <= 12; stopsAt += 1) {
      const other = await World.begin();
      other.service.falseConflicts = Infinity;
      other.stopsAt = stopsAt;
      await other.upload('a.txt', { ...asked, ifExists, route: 'deferred' }).catch(() => undefined);
      await other.clock.advance(5 * minuteMs);
      await other.kill(1_000);
      await other.clock.advance(5 * minuteMs);
      await other.end();
      expect([...other.service.versions.keys()], `step ${stopsAt}`).toEqual(['a.txt']);
      await other.leave();
    }
  });

  test('stores a file in parts once', async () => {
    await world.upload('a.txt', { ifExists, route: 'deferred', sizeBytes: 9_500 });
    await world.clock.advance(5 * minuteMs);
    expect(names().filter((name) => !name.includes('~p-'))).toEqual(['a.txt']);
    expect(await ended()).toEqual([{ identifier: 'a.txt', state: 'done', how: 'stored' }]);
    await world.end();
  });
});

const answers = [
  ['ask', { isIdentical: true }],
  ['skip', {}],
  ['keepBoth', { isIdentical: true }],
  ['newVersion', 'stored'],
  ['replace', 'stored'],
] as const;
const ways = (['direct', 'deferred'] as const).flatMap((route) =>
  answers.map(([ifExists, how]) => [route, ifExists, how] as const),
);

test.each(ways)('a %s upload with %s is there once, and is no failure', async (route, ifExists, how) => {
  await world.upload('a.txt', { ...asked, ifExists, route });
  await world.clock.advance(5 * minuteMs);
  expect(names()).toEqual(['a.txt']);
  expect(await ended()).toEqual([{ identifier: 'a.txt', state: 'done', how }]);
  expect(await world.rowOf('a.txt')).toMatchObject({ state: 'stored', lengthBytes: 4 });
});

test('a direct upload that is cancelled while it is compared stays on the list', async () => {
  world.service.answerMs = 400;
  await world.upload('a.txt', { ...asked, ifExists: 'keepBoth' });
  await world.clock.advance(1_000);
  expect(world.service.requests.map(({ what }) => what)).toEqual(['POST', 'HEAD', 'GET']);
  await world.settle(world.engine.actions.cancel({ kind: 'all' }));
  await world.clock.advance(5 * minuteMs);
  expect(await ended()).toMatchObject([{ state: 'cancelled' }]);
  expect(await world.rowOf('a.txt')).toMatchObject({ state: 'stored', lengthBytes: 4 });
});

describe.each(['direct', 'deferred'] as const)('%s, beside another object', (route) => {
  test.each(['keepBoth', 'newVersion'] as const)('%s stores one object', async (ifExists) => {
    world.service.put('a.txt', Buffer.from('their'), 'stranger');
    await world.upload('a.txt', { ...asked, ifExists, route });
    await world.clock.advance(5 * minuteMs);
    expect(names()).toEqual(['a.txt', expect.stringMatching(/2/)]);
    expect(await ended()).toMatchObject([{ state: 'done', how: 'stored' }]);
  });

  test.each(['keepBoth', 'newVersion'] as const)(
    '%s also where the bytes of others are not skipped',
    async (ifExists) => {
      world.settings = { ...world.settings, skipIdentical: false };
      world.service.put('a.txt', Buffer.from('their'), 'stranger');
      await world.upload('a.txt', { ...asked, ifExists, route });
      await world.clock.advance(5 * minuteMs);
      expect(names()).toHaveLength(2);
      expect(await ended()).toMatchObject([{ state: 'done', how: 'stored' }]);
    },
  );
});

describe('where what is stored is not shown', () => {
  beforeEach(() => {
    world.service.refuses = ({ what }) => (what === 'HEAD' ? { code: 'missing', status: 404 } : null);
  });

  test.each(['direct', 'deferred'] as const)(
    'keepBoth ends after three names, and says so, %s',
    async (route) => {
      await world.upload('a.txt', { ...asked, ifExists: 'keepBoth', route });
      await world.clock.advance(20 * minuteMs);
      expect(names()).toHaveLength(4);
      expect(await ended()).toMatchObject([{ state: 'namesRefused' }]);
      await world.clock.advance(20 * minuteMs);
      expect(names()).toHaveLength(4);
    },
  );

  test('a new try takes three more', async () => {
    await world.upload('a.txt', { ...asked, ifExists: 'keepBoth' });
    await world.clock.advance(20 * minuteMs);
    world.service.falseConflicts = 0;
    world.service.refuses = () => null;
    const [transfer] = await world.transfers();
    await world.retry(transfer?.id ?? 0);
    await world.clock.advance(20 * minuteMs);
    expect(await ended()).toMatchObject([{ state: 'done' }]);
  });
});

test.each(['direct', 'deferred'] as const)(
  'keepBoth ends after three names where other bytes are stored than were sent, %s',
  async (route) => {
    world.service.onRequest = (_, identifier) => {
      if (world.service.peek(identifier) === undefined) return;
      world.service.remove(identifier, 'stranger');
      world.service.put(identifier, Buffer.from('else'), 'stranger');
    };
    await world.upload('a.txt', { ...asked, ifExists: 'keepBoth', route });
    await world.clock.advance(20 * minuteMs);
    expect(await ended()).toMatchObject([{ state: 'namesRefused' }]);
    expect(names().length).toBeLessThanOrEqual(4);
  },
);

test('Replace stages its copy under three names at the most, and leaves the object as it is', async () => {
  world.service.falseConflicts = 0;
  await world.upload('a.txt', { text: 'old' });
  await world.clock.advance(minuteMs);
  world.service.falseConflicts = Infinity;
  world.service.refuses = ({ what, identifier }) =>
    what !== 'POST' && identifier.includes('~r-') ? { code: 'missing', status: 404 } : null;
  await world.upload('a.txt', { text: 'new one', ifExists: 'replace' });
  await world.clock.advance(20 * minuteMs);
  expect(await ended()).toMatchObject([{ state: 'namesRefused' }, { state: 'done' }]);
  expect(Buffer.from(world.service.get('a.txt') ?? '').toString()).toBe('old');
  expect(names().filter((name) => name.includes('~r-')).length).toBeLessThanOrEqual(4);
});

test('Replace goes on with what it has stored itself', async () => {
  world.service.falseConflicts = 0;
  await world.upload('a.txt', { text: 'old' });
  await world.clock.advance(minuteMs);
  world.service.falseConflicts = Infinity;
  await world.upload('a.txt', { text: 'new one', ifExists: 'replace' });
  await world.clock.advance(10 * minuteMs);
  expect((await ended())[0]).toMatchObject({ state: 'done', how: 'stored' });
  expect(names()).toEqual(['a.txt']);
});

test('a secret takes three numbers at the most', async () => {
  const breaker = world.engine.breakers.of(serviceId);
  breaker.reportFailure(0, new AppFailure({ code: 'unreachable', host: 'x', reason: 'refused' }));
  const secret = { identifier: 'key', classification: null, value: Buffer.from('x'), sourceName: null };
  await world.engine.enqueue.storeSecret(serviceId, { ...secret, asNewVersion: true });
  breaker.release();
  await world.clock.advance(20 * minuteMs);
  expect(world.service.secrets.size).toBe(4);
  expect((await ended())[0]).toMatchObject({ state: 'namesRefused' });
});
