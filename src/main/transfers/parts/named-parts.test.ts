import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { World } from '../../../../test-support/main/transfers/world.ts';
import { isPartId } from './manifest.ts';

/** Parts go only when no list names them: also those that nobody finds by the list of objects. */

const minuteMs = 60_000;
let world: World;
beforeEach(async () => {
  world = await World.begin();
});
afterEach(() => world.leave());

const text = 'a'.repeat(2_000) + '-'.repeat(2_000) + 'b';
const partsThere = () =>
  [...world.service.versions.keys()].filter((id) => isPartId(id) && world.service.get(id) !== undefined);
const last = async () => (await world.transfers()).toSorted((a, b) => a.id - b.id).at(-1);

/** Threads take time of their own. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let round = 0; round < 60 && !(await isSo()); round += 1) await world.clock.advance(1_000);
  expect(await isSo()).toBe(true);
}

async function storeInParts(): Promise<void> {
  await world.upload('a', { text });
  await until(async () => (await last())?.state === 'done');
  expect(partsThere()).toHaveLength(3);
}

/** What is there is kept on the service. */
async function replaceWithoutRoom(): Promise<void> {
  world.freeBytes = 1_000;
  await world.upload('a', { text: 'new', ifExists: 'replace' });
  await until(async () => (await last())?.error?.code === 'noRoomToKeep');
  const failed = await last();
  await world.keepOnService(failed?.id ?? 0);
}

const beside = () => [...world.service.versions.keys()].find((id) => id.includes('~o-')) ?? '';

describe('what a Replace keeps on the service', () => {
  beforeEach(async () => {
    await storeInParts();
    // What stands beside the object takes its time to go, so that the Replace goes on after the row has changed.
    world.service.deletionMs = 10_000;
    await replaceWithoutRoom();
  });

  test.each(['nothing happens', 'Coffer is killed'])('has its parts while it goes on: %s', async (what) => {
    for (let round = 0; round < 30; round += 1) {
      await world.clock.advance(5_000);
      if (what === 'Coffer is killed') await world.kill(0);
      world.engine.leftParts.tidy();
    }
    expect(await last()).toMatchObject({ state: 'done' });
    expect(world.service.get(beside())).toBeDefined();
    await world.look();
    expect(partsThere()).toHaveLength(3);
    expect(await world.database.documents.list('parts-kept')).toEqual([]);
  });

  test('takes them along when it is deleted', async () => {
    await world.clock.advance(3 * minuteMs);
    await world.delete(beside());
    await world.clock.advance(3 * minuteMs);
    expect(partsThere()).toEqual([]);
  });
});

test.each(['here', 'on the service'])(
  'an object that is replaced while the lists are read, and kept %s, keeps its parts',
  async (where) => {
    await storeInParts();
    await world.upload('a@2', { text });
    await world.clock.advance(5_000);
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const { catalogue } = world.database;
    const find = catalogue.identifiersFrom.bind(catalogue);
    catalogue.identifiersFrom = async (...args) => {
      const found = await find(...args);
      await held;
      return found;
    };
    await world.delete('a@2');
    await world.clock.advance(minuteMs);
    if (where === 'here') await world.upload('a', { text: 'new', ifExists: 'replace' });
    else await replaceWithoutRoom();
    await world.clock.advance(3 * minuteMs);
    expect(await last()).toMatchObject({ state: 'done', outcome: { kind: 'stored' } });
    release();
    await world.clock.advance(3 * minuteMs);
    expect(partsThere()).toHaveLength(3);
  },
);
