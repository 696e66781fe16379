import fc from 'fast-check';
import { expect, it } from 'vitest';
import { command } from '../../../../test-support/main/transfers/store/commands.ts';
import { Twins } from '../../../../test-support/main/transfers/store/twins.ts';

const keepsItsLaws = (numRuns: number) =>
  fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 60 }), fc.nat(), async (steps, seed) => {
      const twins = await Twins.open();
      try {
        for (const [index, step] of steps.entries()) {
          await twins.run(step);
          if ((index + seed) % 4 === 0) await twins.check();
        }
        await twins.check();
      } finally {
        twins.close();
      }
    }),
    { numRuns },
  );

it('changes what a command means, and nothing else, for random commands', async () => {
  await expect(keepsItsLaws(15)).resolves.toBeUndefined();
});

it('changes what a command means, and nothing else, for more random commands', { tags: 'all' }, async () => {
  await expect(keepsItsLaws(Number(process.env['COFFER_RUNS'] ?? 40))).resolves.toBeUndefined();
});
