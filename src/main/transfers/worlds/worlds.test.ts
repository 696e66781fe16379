import { expect, test } from 'vitest';
import { runWorld } from '../../../../test-support/main/transfers/random-world.ts';
import { runVersions } from '../../../../test-support/main/transfers/version-world.ts';

/**
 * Four of the first 48 seeds, which together reach most of the code that all 48 reach. `npm run soak -- --seeds N`
 * runs others.
 */
const seeds = [10, 27, 38, 47];
/** These reach another six per cent of the blocks. */
const otherSeeds = [1, 2, 8, 15, 16, 17, 20, 21, 25, 31, 35, 36];
/** `npm run soak -- --versions N` runs others. */
const versionSeeds = [3];
const otherVersionSeeds = [1, 2, 4, 5, 6, 7, 8];

test.each(seeds)(
  'whatever happens, nothing is lost, destroyed or reported wrongly: seed %i',
  async (seed) => {
    await expect(runWorld(seed)).resolves.toBeUndefined();
  },
);

test.each(otherSeeds)(
  'whatever happens, nothing is lost, destroyed or reported wrongly: other seed %i',
  { tags: 'all' },
  async (seed) => {
    await expect(runWorld(seed)).resolves.toBeUndefined();
  },
);

test.each(versionSeeds)('does not store again what is the newest version already: seed %i', async (seed) => {
  await expect(runVersions(seed)).resolves.toBeUndefined();
});

test.each(otherVersionSeeds)(
  'does not store again what is the newest version already: other seed %i',
  { tags: 'all' },
  async (seed) => {
    await expect(runVersions(seed)).resolves.toBeUndefined();
  },
);
