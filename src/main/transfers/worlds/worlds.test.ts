import { expect, test } from 'vitest';
import { runWorld } from '../../../../test-support/main/transfers/random-world.ts';
import { runVersions } from '../../../../test-support/main/transfers/version-world.ts';

/** `npm run soak -- --seeds N` and `--versions N` run others. */
const seeds = Array.from({ length: 40 }, (_, index) => index + 1);

test.each([0, 1, 2, 3])(
  'whatever happens, nothing is lost, destroyed or said that is not so (%i)',
  async (part) => {
    expect(
      await failuresOf(
        seeds.filter((each) => each % 4 === part),
        runWorld,
      ),
    ).toEqual([]);
  },
);

test('does not store again what is the newest version already', async () => {
  expect(await failuresOf(seeds.slice(0, 8), runVersions)).toEqual([]);
});

async function failuresOf(some: readonly number[], run: (seed: number) => Promise<void>): Promise<string[]> {
  const failed: string[] = [];
  for (const seed of some) {
    await run(seed).catch((cause: unknown) => {
      failed.push(`seed ${seed}: ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`);
    });
  }
  return failed;
}
