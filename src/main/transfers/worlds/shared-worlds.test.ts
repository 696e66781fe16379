import { expect, test } from 'vitest';
import { runSharedWorld } from '../../../../test-support/main/transfers/shared-world/random-shared-world.ts';

/** Of the first 48 those that together reach most of the code that all of them reach. `npm run soak -- --shared N` runs others. */
const seeds = [1, 5, 8, 10, 11, 13, 17, 23, 24, 30, 35, 37, 40, 42, 45, 46];

test.each(seeds)(
  'whatever several installations do at one service, nothing is lost, and nothing is deleted that nobody wished: seed %i',
  async (seed) => {
    await expect(runSharedWorld(seed)).resolves.toBeUndefined();
  },
);
