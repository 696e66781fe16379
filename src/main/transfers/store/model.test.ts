import fc from 'fast-check';
import { expect, it } from 'vitest';
import { command } from '../../../../test-support/main/transfers/store/commands.ts';
import { check } from '../../../../test-support/main/transfers/store/compare.ts';
import { Pair } from '../../../../test-support/main/transfers/store/pair.ts';

const behavesLikeAList = (numRuns: number) =>
  fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 60 }), fc.nat(), async (steps, seed) => {
      const pair = await Pair.open();
      try {
        for (const [index, step] of steps.entries()) {
          await pair.run(step);
          if ((index + seed) % 4 === 0) await check(pair);
        }
        await check(pair);
      } finally {
        pair.close();
      }
    }),
    { numRuns },
  );

it('behaves like a plain list for random commands', async () => {
  await expect(behavesLikeAList(15)).resolves.toBeUndefined();
});

it('behaves like a plain list for more random commands', { tags: 'all' }, async () => {
  await expect(behavesLikeAList(Number(process.env['COFFER_RUNS'] ?? 40))).resolves.toBeUndefined();
});
