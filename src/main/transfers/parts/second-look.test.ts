import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { World } from '../../../../test-support/main/transfers/world.ts';
import { isPartId } from './manifest.ts';

const minuteMs = 60_000;
let world: World;
beforeEach(async () => {
  world = await World.begin();
});
afterEach(() => world.leave());

/** Three parts. */
const text = (letter: string) => letter.repeat(2_000) + '-'.repeat(2_000) + letter.repeat(500);
const transfers = async () => (await world.transfers()).toSorted((a, b) => a.id - b.id);
const last = async () => (await transfers()).at(-1);
const partsThere = () =>
  [...world.service.versions.keys()].filter((id) => isPartId(id) && world.service.get(id) !== undefined);
const requests = (what: string, identifier?: string) =>
  world.service.requests.filter(
    (request) =>
      request.what === what &&
      (identifier === undefined ? isPartId(request.identifier) : request.identifier === identifier),
  );

/** Its parts are gone at once, and what is stored under their names next goes 40 s after that. */
async function storeAndDelete(identifier: string): Promise<void> {
  world.service.deletionMs = 40_000;
  world.service.weatherOf = (_, id) => {
    world.service.deletionKind = isPartId(id) ? 'hidden' : 'usual';
    return null;
  };
  await world.upload(identifier, { text: text('a') });
  // Threads take time of their own.
  for (let round = 0; round < 60 && (await last())?.state !== 'done'; round += 1)
    await world.clock.advance(1_000);
  await world.delete(identifier);
  await world.clock.advance(2 * minuteMs);
  expect(world.service.get(identifier)).toBeUndefined();
  expect(partsThere()).toEqual([]);
}

/** How the last transfer stands later on, with every part there that a list names. */
async function lookLater(identifier: string) {
  await world.clock.advance(4 * minuteMs);
  await world.look();
  const { state, error } = (await last()) ?? {};
  return { state, error, isThere: world.service.get(identifier) !== undefined };
}
const whole = { state: 'done', error: null, isThere: true };

describe('a part whose name was deleted before', () => {
  test('is looked at again before the list that names it leaves, and sent anew', async () => {
    await storeAndDelete('a');
    await world.upload('a', { text: text('a') });
    await world.clock.advance(30_000);
    expect(partsThere()).toHaveLength(3);
    expect(requests('POST', 'a')).toHaveLength(1);
    const { id = 0 } = (await last()) ?? {};
    const [record] = await world.database.transfers.getMany([id]);
    expect(record).toMatchObject({ tries: 0, trouble: { code: 'partsLeaving' } });
    expect(await lookLater('a')).toEqual(whole);
    expect(requests('POST')).toHaveLength(9);
  });

  test('is sent anew when it goes at once, too', async () => {
    await storeAndDelete('a');
    world.service.deletionMs = 0;
    await world.upload('a', { text: text('a') });
    expect(await lookLater('a')).toEqual(whole);
  });

  test.each([1_000, 30_000, 50_000, 65_000])('after a kill too, %i ms after it was stored', async (atMs) => {
    await storeAndDelete('a');
    await world.upload('a', { text: text('a') });
    await world.clock.advance(atMs);
    await world.kill(0);
    expect(await lookLater('a')).toEqual(whole);
  });

  test('and was stored again by an upload that was given up', async () => {
    await storeAndDelete('a');
    await world.upload('a', { text: text('a') });
    await world.clock.advance(10_000);
    const { id = 0 } = (await last()) ?? {};
    await world.settle(world.engine.actions.cancel({ kind: 'ids', ids: [id] }));
    await world.upload('a', { text: text('a') });
    expect(await lookLater('a')).toEqual(whole);
  });

  test('and is of two uploads at once', async () => {
    await storeAndDelete('a');
    await world.upload('a', { text: text('a') });
    await world.clock.advance(20_000);
    await world.upload('a@2', { text: text('a') });
    expect(await lookLater('a')).toEqual(whole);
    expect(await lookLater('a@2')).toEqual(whole);
    expect((await transfers()).map(({ state }) => state)).toEqual(['done', 'done', 'done']);
  });

  test('is given up when the service takes it away again and again', async () => {
    await storeAndDelete('a');
    await world.upload('a', { text: text('a') });
    for (let minutes = 0; minutes < 20; minutes += 1) {
      await world.clock.advance(minuteMs / 2);
      for (const id of partsThere()) world.service.remove(id, 'stranger');
    }
    expect(await last()).toMatchObject({
      state: 'failed',
      error: { code: 'partDiffers', storedBytes: null },
    });
    expect(world.service.get('a')).toBeUndefined();
  });

  test('costs nothing once it has stayed, and other names nothing at all', async () => {
    await storeAndDelete('a');
    await world.upload('b', { text: text('a') });
    await world.clock.advance(5_000);
    expect(await last()).toMatchObject({ state: 'done' });
    await world.upload('a', { text: text('a') });
    await world.clock.advance(4 * minuteMs);
    await world.upload('a@2', { text: text('a') });
    await world.clock.advance(5_000);
    expect(await last()).toMatchObject({ state: 'done', identifier: 'a@2' });
    expect(await world.database.documents.list('parts-deleted')).toEqual([]);
  });
});
