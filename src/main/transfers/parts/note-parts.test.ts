import { afterEach, beforeEach, expect, test } from 'vitest';
import { World } from '../../../../test-support/main/transfers/world.ts';
import { isPartId } from './manifest.ts';

const minuteMs = 60_000;
let world: World;
beforeEach(async () => {
  world = await World.begin();
});
afterEach(() => world.leave());

test('a deletion that was killed before it had written down the parts still takes them along', async () => {
  await world.upload('a', { text: 'a'.repeat(4_001) });
  await world.clock.advance(10_000);
  const partsThere = () =>
    [...world.service.versions.keys()].filter((id) => isPartId(id) && world.service.get(id) !== undefined);
  expect(partsThere()).not.toEqual([]);
  const { documents } = world.database;
  const put = documents.put.bind(documents);
  documents.put = (collection, ...document) =>
    collection === 'parts' ? new Promise(() => undefined) : put(collection, ...document);
  await world.delete('a');
  await world.clock.advance(1_000);
  documents.put = put;
  await world.kill(0);
  expect(world.service.requests.filter(({ what }) => what === 'DELETE')).toEqual([]);
  // Its DELETE is never sent again, and somebody else's word lets the object go.
  world.service.remove('a', 'stranger');
  await world.clock.advance(minuteMs);
  expect(await world.rowOf('a')).toMatchObject({ state: 'gone' });
  await world.upload('a', { text: 'whole' });
  await world.clock.advance(minuteMs);
  expect(partsThere()).toEqual([]);
});
