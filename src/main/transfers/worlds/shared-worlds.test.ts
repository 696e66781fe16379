import { expect, test } from 'vitest';
import { runSharedWorld } from '../../../../test-support/main/transfers/shared-world/random-shared-world.ts';
import { SharedWorld } from '../../../../test-support/main/transfers/shared-world/shared-world.ts';

/**
 * Four of the first 48 seeds, which together reach most of the code that all 48 reach. `npm run soak -- --shared N`
 * runs others.
 */
const seeds = [8, 40, 42, 46];
/** These take four times as long, and reach another seven per cent of the blocks. */
const otherSeeds = [1, 5, 10, 11, 13, 17, 23, 24, 30, 35, 37, 45];

test.each(seeds)(
  'whatever several installations do on one service, nothing is lost or deleted unasked: seed %i',
  async (seed) => {
    await expect(runSharedWorld(seed)).resolves.toBeUndefined();
  },
);

test.each(otherSeeds)(
  'whatever several installations do on one service, nothing is lost or deleted unasked: other seed %i',
  { tags: 'all' },
  async (seed) => {
    await expect(runSharedWorld(seed)).resolves.toBeUndefined();
  },
);

test('an installation that is killed while the world looks at it is not awaited', async () => {
  const world = await SharedWorld.begin();
  const person = await world.join('person 1', ['p']);
  const shown = person.transfers();
  person.stopsAt = person.steps + 1;
  person.noteStep();
  expect(await shown).toEqual([]);
  await world.leave();
});
