import { expect, test } from 'vitest';
import { changes, runStepped } from '../../../../test-support/main/transfers/stepped-world.ts';
import '../../../../test-support/main/transfers/world.ts';

/** Tests every ninth step; `npm run soak -- --steps` kills at all of them. */
const stride = 9;

test.each(changes.map((change, index) => [change.name, change, index] as const))(
  'killed at any of its steps it comes to the same end: %s',
  async (_, change, index) => {
    const steps = await runStepped(change, null);
    const failed: string[] = [];
    for (let stopsAt = 1 + (index % stride); stopsAt <= steps; stopsAt += stride)
      await runStepped(change, stopsAt).catch((cause: unknown) =>
        failed.push(`${stopsAt}: ${String(cause)}`),
      );
    expect(failed).toEqual([]);
  },
);
