import fc from 'fast-check';
import { expect, it } from 'vitest';
import { command } from '../../../../test-support/main/transfers/store/commands.ts';
import { check } from '../../../../test-support/main/transfers/store/compare.ts';
import { Pair } from '../../../../test-support/main/transfers/store/pair.ts';

it('behaves like a plain list for random commands', async () => {
  const asked = fc.assert(
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
    { numRuns: Number(process.env['COFFER_RUNS'] ?? 40) },
  );
  await expect(asked).resolves.toBeUndefined();
});
