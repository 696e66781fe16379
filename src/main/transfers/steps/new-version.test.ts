import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RequestKind } from '../../../shared/domain/service.ts';
import type { Transfer } from '../../../shared/domain/transfer.ts';
import { startBench, until, type Bench } from '../../../../test-support/main/transfers/bench.ts';
import { sha256Of } from '../../../../test-support/main/local-files/testing.ts';
import { serviceId } from '../../../../test-support/main/transfers/world-acts.ts';
import { World } from '../../../../test-support/main/transfers/world.ts';

const newVersion = { ifExists: 'newVersion' } as const;
const told = ({ identifier, state, error, outcome }: Transfer) => ({
  identifier,
  state: error?.code ?? state,
  ...(outcome?.kind === 'skipped' && { isIdentical: outcome.isIdentical }),
});

describe('over HTTP', () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await startBench();
  });
  afterEach(() => bench.close());

  const objects = () =>
    Object.fromEntries(
      [...bench.server.objects].map(([identifier, { bytes }]) => [identifier, String(bytes)]),
    );
  const requests = (wanted: string) => bench.server.requests.filter(({ method }) => method === wanted).length;

  test('stores under its own name when that is free', async () => {
    await bench.upload([await bench.makeFile('a.txt', 'mine', newVersion)]);
    expect((await bench.settled()).map(told)).toEqual([{ identifier: 'up/a.txt', state: 'done' }]);
  });

  test('takes the next number after the newest on the service, including versions of strangers', async () => {
    await bench.store('up/a.txt', 'first');
    for (const number of [2, 3, 4, 5, 6, 7]) await bench.store(`up/a@${number}.txt`, `v${number}`, null);
    await bench.upload([await bench.makeFile('a.txt', 'mine', { ...newVersion, classification: 'C' })]);
    expect((await bench.settled()).map(told)).toEqual([{ identifier: 'up/a@8.txt', state: 'done' }]);
    expect(bench.server.objects.get('up/a@8.txt')).toEqual({
      bytes: Buffer.from('mine'),
      classification: 'C',
    });
    expect(await bench.rowOf('up/a@8.txt')).toMatchObject({ state: 'stored', sha256: sha256Of('mine') });
    expect(await bench.rowOf('up/a.txt')).toMatchObject({ state: 'stored', sha256: sha256Of('first') });
    // The list knew the first one: no byte was sent to be refused.
    expect(requests('POST')).toBe(1);
  });

  test('finds the newest version past a gap when only the service knows it', async () => {
    await bench.store('up/a.txt', 'first');
    await bench.store('up/a@5.txt', 'from another computer', null);
    await bench.upload([await bench.makeFile('a.txt', 'mine', newVersion)]);
    await bench.settled();
    await bench.upload([await bench.makeFile('a.txt', 'mine again', newVersion)]);
    await bench.settled();
    expect(objects()).toMatchObject({ 'up/a@6.txt': 'mine', 'up/a@7.txt': 'mine again' });
  });

  test('becomes the newest version when its name is free and the service has later ones', async () => {
    await bench.store('up/a@5.txt', 'from another computer', null);
    await bench.upload([await bench.makeFile('a.txt', 'mine', newVersion)]);
    expect((await bench.settled()).map(told)).toEqual([{ identifier: 'up/a@6.txt', state: 'done' }]);
    expect(await bench.rowOf('up/a.txt')).toBeUndefined();
  });

  test('looks no further when the version reach is 0', async () => {
    bench.settings = { ...bench.settings, versionReach: 0 };
    await bench.store('up/a@5.txt', 'from another computer', null);
    await bench.upload([await bench.makeFile('a.txt', 'mine', newVersion)]);
    expect((await bench.settled()).map(told)).toEqual([{ identifier: 'up/a.txt', state: 'done' }]);
    // The HEAD that verifies the upload.
    expect(requests('HEAD')).toBe(1);
  });

  test('the newest is not in the list and has the same bytes: nothing is stored', async () => {
    await bench.store('up/a.txt', 'older', null);
    await bench.store('up/a@2.txt', 'mine', null);
    await bench.upload([await bench.makeFile('a.txt', 'mine', newVersion)]);
    expect((await bench.settled()).map(told)).toEqual([
      { identifier: 'up/a.txt', state: 'done', isIdentical: true },
    ]);
    expect(objects()).toEqual({ 'up/a.txt': 'older', 'up/a@2.txt': 'mine' });
  });

  test('the newest is not in the list and the token may not read it: it counts as different', async () => {
    await bench.store('up/a.txt', 'mine', null);
    bench.server.plan = ({ method }) => (method === 'GET' ? { status: 403 } : null);
    await bench.upload([await bench.makeFile('a.txt', 'mine', newVersion)]);
    expect((await bench.settled()).map(told)).toEqual([{ identifier: 'up/a@2.txt', state: 'done' }]);
  });

  test('the newest is not in the list: it is fetched only when it has the same length', async () => {
    await bench.store('up/a.txt', 'longer', null);
    await bench.upload([await bench.makeFile('a.txt', 'mine', newVersion)]);
    await bench.settled();
    expect(requests('GET')).toBe(0);
    await bench.store('up/b.txt', 'else', null);
    await bench.upload([await bench.makeFile('b.txt', 'mine', newVersion)]);
    await bench.settled();
    expect(requests('GET')).toBe(1);
    expect(objects()).toEqual({
      'up/a.txt': 'longer',
      'up/a@2.txt': 'mine',
      'up/b.txt': 'else',
      'up/b@2.txt': 'mine',
    });
  });

  test('a taken version leads to the next number of its base', async () => {
    await bench.store('up/a@2.txt', 'theirs', null);
    await bench.store('up/a.txt', 'theirs', null);
    const item = await bench.makeFile('b', 'mine', { ...newVersion, identifier: 'up/a@2.txt' });
    await bench.upload([item]);
    expect((await bench.settled()).map(told)).toEqual([{ identifier: 'up/a@3.txt', state: 'done' }]);
  });

  test('gives each of many concurrent uploads a number of its own, without gaps', async () => {
    await bench.store('up/a.txt', 'first', null);
    const items = await Promise.all(
      [2, 3, 4, 5].map((number) =>
        bench.makeFile(`f${number}`, `mine ${number}`, { ...newVersion, identifier: 'up/a.txt' }),
      ),
    );
    await bench.upload(items);
    const transfers = await bench.settled();
    expect(transfers.map(told).map(({ state }) => state)).toEqual(Array(4).fill('done'));
    expect(Object.keys(objects()).toSorted()).toEqual([
      'up/a.txt',
      'up/a@2.txt',
      'up/a@3.txt',
      'up/a@4.txt',
      'up/a@5.txt',
    ]);
    expect(objects()['up/a.txt']).toBe('first');
  });

  test('does not reuse a number that another upload has stored meanwhile', async () => {
    await bench.store('up/a.txt', 'first', null);
    let looks = 0;
    let isStored = false;
    bench.server.plan = ({ method, identifier }) => {
      if (method === 'HEAD' && identifier === 'up/a@2.txt') looks += 1;
      // The first is stored once the second has seen that it is missing, and the second continues once it is stored.
      if (method === 'POST' && identifier === 'up/a@2.txt') return { holdRequest: () => looks > 1 };
      if (method === 'HEAD' && identifier === 'up/a.txt' && looks > 1) return { holdRequest: () => isStored };
      return null;
    };
    const upload = async (name: string) =>
      bench.upload([await bench.makeFile(name, name, { ...newVersion, identifier: 'up/a.txt' })]);
    await upload('mine');
    await until(() => requests('POST')).toBe(1);
    await upload('another');
    await until(async () => (await bench.rowOf('up/a@2.txt'))?.state).toBe('stored');
    isStored = true;
    expect((await bench.settled()).map(told)).toEqual([
      { identifier: 'up/a@2.txt', state: 'done' },
      { identifier: 'up/a@3.txt', state: 'done' },
    ]);
    expect(await bench.rowOf('up/a@2.txt')).toMatchObject({ state: 'stored', sha256: sha256Of('mine') });
  });

  test('does not store the same bytes twice under the same identifier', async () => {
    let [looks, tries] = [0, 0];
    bench.server.plan = ({ method, identifier }) => {
      if (identifier === 'up/a@2.txt') tries += 1;
      if (method !== 'HEAD' || identifier !== 'up/a.txt') return null;
      looks += 1;
      // The first one asks whether it was stored, and gets the answer once the second has decided what to do.
      return looks === 1 ? { holdRequest: () => tries > 1 } : null;
    };
    const item = await bench.makeFile('a.txt', 'mine', newVersion);
    await bench.upload([item]);
    await until(() => looks).toBe(1);
    await bench.upload([item]);
    expect((await bench.settled()).map(told)).toEqual([
      { identifier: 'up/a.txt', state: 'done' },
      { identifier: 'up/a.txt', state: 'done', isIdentical: true },
    ]);
    expect(objects()).toEqual({ 'up/a.txt': 'mine' });
  });

  test('waits for the same bytes that another upload is storing as the newest version', async () => {
    await bench.store('up/a.txt', 'first');
    let looks = 0;
    let isSentTwice = false;
    bench.server.plan = ({ method, identifier }) => {
      if (method === 'POST' && identifier === 'up/a@3.txt') isSentTwice = true;
      if (method !== 'HEAD' || identifier !== 'up/a@2.txt') return null;
      looks += 1;
      // The first one asks whether it was stored, and gets the answer once the second has looked twice.
      return looks === 2 ? { holdRequest: () => looks > 3 || isSentTwice } : null;
    };
    const item = await bench.makeFile('a.txt', 'mine', newVersion);
    await bench.upload([item]);
    await until(() => looks).toBe(2);
    await bench.upload([item]);
    expect((await bench.settled()).map(told)).toEqual([
      { identifier: 'up/a@2.txt', state: 'done' },
      { identifier: 'up/a.txt', state: 'done', isIdentical: true },
    ]);
    expect(objects()).toEqual({ 'up/a.txt': 'first', 'up/a@2.txt': 'mine' });
  });

  test('takes the next number after a 409 when somebody else takes the number first', async () => {
    await bench.store('up/a.txt', 'first');
    bench.server.plan = ({ method, identifier }) => {
      if (method === 'POST' && identifier === 'up/a@2.txt' && !bench.server.objects.has(identifier))
        bench.server.objects.set(identifier, { bytes: Buffer.from('theirs'), classification: null });
      return null;
    };
    await bench.upload([await bench.makeFile('a.txt', 'mine', newVersion)]);
    expect((await bench.settled()).map(told)).toEqual([{ identifier: 'up/a@3.txt', state: 'done' }]);
    expect(objects()).toMatchObject({ 'up/a@2.txt': 'theirs', 'up/a@3.txt': 'mine' });
    expect(await bench.rowOf('up/a@2.txt')).toBeUndefined();
  });

  test('stores nothing when the newest has these bytes, and a new version when only an earlier one has', async () => {
    await bench.store('up/a.txt', 'old');
    await bench.store('up/a@2.txt', 'mine');
    await bench.upload([await bench.makeFile('a.txt', 'mine', newVersion)]);
    expect((await bench.settled()).map(told)).toEqual([
      { identifier: 'up/a.txt', state: 'done', isIdentical: true },
    ]);
    await bench.upload([await bench.makeFile('a.txt', 'old', newVersion)]);
    expect((await bench.settled()).map(told)).toContainEqual({ identifier: 'up/a@3.txt', state: 'done' });
    expect(requests('POST')).toBe(1);
  });

  test('reuses the number of a deleted object that is still in the list', async () => {
    await bench.store('up/a.txt', 'first');
    const id = await bench.store('up/a@2.txt', 'second');
    bench.server.objects.delete('up/a@2.txt');
    await bench.catalogue.update([{ id, patch: { state: 'gone' } }]);
    await bench.upload([await bench.makeFile('a.txt', 'mine', newVersion)]);
    expect((await bench.settled()).map(told)).toEqual([{ identifier: 'up/a@2.txt', state: 'done' }]);
    expect(await bench.rowOf('up/a@2.txt')).toMatchObject({ id, state: 'stored', sha256: sha256Of('mine') });
  });

  test('after a 409 for an object that HEAD never shows, checks for a while, then fails without sending again', async () => {
    bench.server.plan = ({ method, identifier }) =>
      identifier === 'up/a@2.txt' ? { status: method === 'POST' ? 409 : 404 } : null;
    await bench.store('up/a.txt', 'first');
    await bench.upload([await bench.makeFile('a.txt', 'mine', newVersion)]);
    expect((await bench.settled()).map(told)).toEqual([{ identifier: 'up/a@2.txt', state: 'exists' }]);
    expect(requests('POST')).toBe(1);
    expect(await bench.rowOf('up/a@2.txt')).toMatchObject({ state: 'failed' });
  });

  test('as an answer to the conflict prompt', async () => {
    await bench.store('up/a.txt', 'first', null);
    await bench.upload([await bench.makeFile('a.txt', 'mine')]);
    const [transfer] = await bench.settled();
    await bench.engine.actions.answer({
      transferId: transfer?.id ?? 0,
      answer: 'newVersion',
      applyToAll: false,
    });
    expect((await bench.settled()).map(told)).toEqual([{ identifier: 'up/a@2.txt', state: 'done' }]);
  });
});

describe('in virtual time', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.begin();
    world.service.put('a/1', Buffer.from('theirs'), 'stranger');
  });
  afterEach(() => world.leave());

  const stored = () => [...world.service.versions.keys()].toSorted();

  test('finds its number at a service that takes fewer requests a second than one search needs', async () => {
    const refusal = { code: 'tooManyRequests', status: 429, retryAfterMs: null } as const;
    world.service.limit = { counts: 'perSecond', most: 4, refusal };
    expect(world.settings.versionReach).toBeGreaterThan(4);
    await world.upload('a/1', newVersion);
    await world.upload('a/1', newVersion);
    await world.finish();
    expect(stored()).toEqual(['a/1', 'a/1@2', 'a/1@3']);
    expect(await world.unfinished()).toBe(0);
  });

  test.each<RequestKind>(['direct', 'deferred'])('%s, killed after every few requests', async (route) => {
    world.service.answerMs = 50;
    await world.upload('a/1', { ...newVersion, route });
    await world.upload('a/1', { ...newVersion, route });
    for (let kills = 0; kills < 30; kills += 1) {
      await world.clock.advance(120 + kills * 35);
      await world.kill(kills % 3 === 0 ? 5000 : 0);
      await world.look();
    }
    await world.end();
    expect(stored()).toEqual(['a/1', 'a/1@2', 'a/1@3']);
  });

  test('deferred: another upload takes the number while it is processed', async () => {
    world.service.processingMs = 20_000;
    await world.upload('a/1', { ...newVersion, route: 'deferred' });
    await world.clock.advance(5000);
    world.service.put('a/1@2', Buffer.from('theirs too'), 'stranger');
    await world.clock.advance(120_000);
    expect((await world.jobs()).map(({ identifier, state }) => `${identifier} ${state}`)).toEqual([
      'a/1@3 done',
    ]);
  });

  test('waits when the next number is another upload of ours, and takes the one after it', async () => {
    world.service.answerMs = 30_000;
    await world.upload('a/1@2', newVersion);
    await world.clock.advance(10_000);
    world.service.answerMs = 10;
    await world.upload('a/1', newVersion);
    await world.clock.advance(5_000);
    expect(stored()).toEqual(['a/1']);
    expect((await world.transfers()).map(({ state }) => state).toSorted()).toEqual(['uploading', 'waiting']);
    await world.clock.advance(120_000);
    expect(stored()).toEqual(['a/1', 'a/1@2', 'a/1@3']);
  });

  test.each<RequestKind>(['direct', 'deferred'])(
    '%s, at another address it is numbered anew',
    async (route) => {
      world.service.answerMs = 1000;
      await world.upload('a/1', { ...newVersion, route });
      const one = async () => [...(await world.transfers()), ...(await world.jobs())][0];
      while ((await one())?.identifier !== 'a/1@2') await world.clock.advance(100);
      await world.move(false);
      await world.retry((await one())?.id ?? 0);
      await world.clock.advance(120_000);
      expect(await one()).toMatchObject({ identifier: 'a/1', state: 'done' });
      expect(stored()).toEqual(['a/1']);
      expect((await world.rowOf('a/1'))?.state).toBe('stored');
    },
  );

  test.each<RequestKind>(['direct', 'deferred'])(
    '%s, the first version was deleted: the next after the newest is stored, and not the first again',
    async (route) => {
      for (const text of ['second', 'third']) {
        await world.upload('a/1', { ...newVersion, text });
        await world.clock.advance(60_000);
      }
      await world.know('a/1');
      await world.delete('a/1');
      await world.clock.advance(60_000);
      await world.upload('a/1', { ...newVersion, text: 'fourth', route });
      await world.clock.advance(60_000);
      expect(world.service.get('a/1')).toBeUndefined();
      expect(world.service.versions.get('a/1@4')).toMatchObject([{ text: 'fourth' }]);
    },
  );

  test('the same bytes again, and killed: the list keeps their original classification', async () => {
    await world.upload('b/1', { ...newVersion, text: 'mine', classification: 'Public' });
    await world.clock.advance(60_000);
    world.service.answerMs = 400;
    await world.upload('b/1', { ...newVersion, text: 'mine', classification: 'Restricted' });
    await world.clock.advance(100);
    await world.kill(0);
    await world.clock.advance(120_000);
    expect(await world.rowOf('b/1')).toMatchObject({ state: 'stored', classification: 'Public' });
    expect(stored()).toEqual(['a/1', 'b/1']);
  });

  test('the same bytes twice at once, and every answer lost: the list has the classification they were stored with', async () => {
    world.setWeather({ kind: 'lossy' });
    await world.upload('b/1', { ...newVersion, text: 'mine', classification: 'Public' });
    await world.upload('b/1', { ...newVersion, text: 'mine', classification: 'Restricted' });
    await world.clock.advance(1_000);
    world.setWeather({ kind: 'fine' });
    await world.clock.advance(120_000);
    expect(world.service.classificationOf('b/1')).toBe('Public');
    expect(await world.rowOf('b/1')).toMatchObject({ state: 'stored', classification: 'Public' });
  });

  test('cancelled while it waits for its number: stores nothing and leaves no row', async () => {
    world.service.answerMs = 30_000;
    await world.upload('a/1', newVersion);
    await world.clock.advance(70_000);
    await world.settle(world.engine.actions.cancel({ kind: 'all' }));
    await world.clock.advance(600_000);
    expect(stored()).toEqual(['a/1']);
    expect((await world.database.allRows()).map(({ identifier }) => identifier)).toEqual([]);
  });
});

describe('secrets', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.begin();
    world.service.processingMs = 5000;
  });
  afterEach(() => world.leave());

  async function store(text: string, asNewVersion: boolean): Promise<string> {
    const value = Buffer.from(text);
    const secret = { identifier: 'key', classification: null, value, sourceName: null, asNewVersion };
    return (await world.engine.enqueue.storeSecret(serviceId, secret)).identifier;
  }
  const stored = () =>
    Object.fromEntries([...world.service.secrets].map(([identifier, value]) => [identifier, String(value)]));

  test('stores the next version of a listed secret only when asked to', async () => {
    expect(await store('first', false)).toBe('key');
    await world.clock.advance(60_000);
    await expect(store('second', false)).rejects.toMatchObject({ error: { code: 'exists' } });
    expect(await Promise.all([store('second', true), store('third', true)])).toEqual(
      expect.arrayContaining(['key@2', 'key@3']),
    );
    await world.clock.advance(60_000);
    expect(Object.keys(stored()).toSorted()).toEqual(['key', 'key@2', 'key@3']);
    expect((await world.rowOf('key@3', 'secret'))?.state).toBe('stored');
  });

  test('takes the next number when somebody else has this one', async () => {
    await store('first', false);
    await world.clock.advance(60_000);
    world.service.secrets.set('key@2', Buffer.from('theirs'));
    await store('mine', true);
    await world.clock.advance(120_000);
    expect(stored()).toEqual({ key: 'first', 'key@2': 'theirs', 'key@3': 'mine' });
    expect((await world.jobs()).map(({ identifier, state }) => `${identifier} ${state}`).toSorted()).toEqual([
      'key done',
      'key@3 done',
    ]);
    expect(await world.rowOf('key@2', 'secret')).toBeUndefined();
  });

  test('killed before the answer: reports that the value is gone', async () => {
    await store('first', false);
    await world.clock.advance(60_000);
    world.service.secrets.set('key@2', Buffer.from('theirs'));
    await store('mine', true);
    await world.clock.advance(2_000);
    await world.kill(0);
    await world.clock.advance(120_000);
    expect(stored()).toEqual({ key: 'first', 'key@2': 'theirs' });
    expect((await world.jobs()).find(({ identifier }) => identifier === 'key@2')).toMatchObject({
      state: 'failed',
      error: { code: 'exists' },
    });
  });
});
