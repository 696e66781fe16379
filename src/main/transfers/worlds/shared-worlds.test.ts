import { expect, test } from 'vitest';
import { runSharedWorld } from '../../../../test-support/main/transfers/shared-world/random-shared-world.ts';

/** `npm run soak -- --shared N` runs others. */
const seeds = Array.from({ length: 40 }, (_, index) => index + 1);

test.each([0, 1, 2, 3])(
  'whatever several installations do at one service, nothing is lost, and nothing is deleted that nobody wished (%i)',
  async (part) => {
    const failed: string[] = [];
    for (const seed of seeds.filter((each) => each % 4 === part))
      await runSharedWorld(seed).catch((cause: unknown) => failed.push(String(cause)));
    expect(failed).toEqual([]);
  },
);
