import { expect, test } from 'vitest';
import { runWorld } from '../../../test-support/main/transfers/random-world.ts';

/** `npm run soak -- --seeds N` runs others. */
const seeds = Array.from({ length: 40 }, (_, index) => index + 1);

test.each([0, 1, 2, 3])(
  'whatever happens, nothing is lost, destroyed or said that is not so (%i)',
  async (part) => {
    const failed: string[] = [];
    for (const seed of seeds.filter((each) => each % 4 === part)) {
      await runWorld(seed).catch((cause: unknown) => {
        failed.push(
          `seed ${seed}: ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`,
        );
      });
    }
    expect(failed).toEqual([]);
  },
);
