import { expect, test } from 'vitest';
import { changes, runStepped } from '../../../../test-support/main/transfers/stepped-world.ts';
import '../../../../test-support/main/transfers/world.ts';

/** Kills at every 36th step, `npm run test:all` at every ninth, `npm run soak -- --steps` at all of them. */
const stride = 36;

async function failures(change: (typeof changes)[number], ...froms: number[]): Promise<string[]> {
  const steps = await runStepped(change, null);
  // It has at least one of the steps: a short change has no more.
  expect(steps).toBeGreaterThan(Math.min(...froms) % 9);
  const failed: string[] = [];
  for (const from of froms)
    for (let stopsAt = 1 + from; stopsAt <= steps; stopsAt += stride)
      await runStepped(change, stopsAt).catch((cause: unknown) =>
        failed.push(`${stopsAt}: ${String(cause)}`),
      );
  return failed;
}

const each = changes.map((change, index) => [change.name, change, index % 9] as const);

test.each(each)('killed at every 36th step, it ends in the same way: %s', async (_, change, from) => {
  expect(await failures(change, from)).toEqual([]);
});

test.each(each)('killed at other steps: %s', { tags: 'all' }, async (_, change, from) => {
  expect(await failures(change, from + 9, from + 18, from + 27)).toEqual([]);
});
