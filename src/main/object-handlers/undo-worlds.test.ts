import { expect, test } from 'vitest';
import { runUndoWorld } from '../../../test-support/main/transfers/undo-world.ts';

/** Each was red once. `npm run soak -- --undos N` runs others. */
const seeds = [12, 22, 128, 209, 734];
const otherSeeds = [9, 10, 27, 30, 47, 48, 52, 111, 112, 113, 114, 123, 130, 578, 686, 2409];

test.each(seeds)(
  'what is undone is as it was, in the list and at the service, whatever comes in between: seed %i',
  async (seed) => {
    await expect(runUndoWorld(seed)).resolves.toBeUndefined();
  },
);

test.each(otherSeeds)(
  'what is undone is as it was, in the list and at the service, whatever comes in between: other seed %i',
  { tags: 'all' },
  async (seed) => {
    await expect(runUndoWorld(seed)).resolves.toBeUndefined();
  },
);
