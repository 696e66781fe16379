import { expect, test } from 'vitest';
import { runWorld } from '../../../../test-support/main/transfers/random-world.ts';
import { runVersions } from '../../../../test-support/main/transfers/version-world.ts';

/** Of the first 48 those that together reach most of the code that all of them reach. `npm run soak -- --seeds N` runs others. */
const seeds = [1, 2, 8, 10, 15, 16, 17, 20, 21, 25, 27, 31, 35, 36, 38, 47];
/** `npm run soak -- --versions N` runs others. */
const versionSeeds = [1, 2, 3, 4, 5, 6, 7, 8];

test.each(seeds)(
  'whatever happens, nothing is lost, destroyed or said that is not so: seed %i',
  async (seed) => {
    await expect(runWorld(seed)).resolves.toBeUndefined();
  },
);

test.each(versionSeeds)('does not store again what is the newest version already: seed %i', async (seed) => {
  await expect(runVersions(seed)).resolves.toBeUndefined();
});
