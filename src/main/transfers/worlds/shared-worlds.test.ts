import { expect, test } from 'vitest';
import { runSharedWorld } from '../../../../test-support/main/transfers/shared-world/random-shared-world.ts';

/** Of the first 48 those that together reach most of the code that all of them reach. `npm run soak -- --shared N` runs others. */
const seeds = [8, 40, 42, 46];
/** These take four times as long, and reach seven blocks in a hundred that those do not. */
const otherSeeds = [1, 5, 10, 11, 13, 17, 23, 24, 30, 35, 37, 45];

test.each(seeds)(
  'whatever several installations do at one service, nothing is lost, and nothing is deleted that nobody wished: seed %i',
  async (seed) => {
    await expect(runSharedWorld(seed)).resolves.toBeUndefined();
  },
);

test.each(otherSeeds)(
  'whatever several installations do at one service, nothing is lost, and nothing is deleted that nobody wished: other seed %i',
  { tags: 'all' },
  async (seed) => {
    await expect(runSharedWorld(seed)).resolves.toBeUndefined();
  },
);
