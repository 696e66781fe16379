import { expect, test } from 'vitest';
import type { Transfer } from '../shared/domain/transfer.ts';
import type { Context } from './context.ts';
import { exitCodes } from './exit-code.ts';
import { followTransfers } from './follow.ts';

test('what ends soon is noticed before its event comes', async () => {
  let looks = 0;
  const transfer = () => ({ state: looks < 5 ? 'uploading' : 'done' }) as Transfer;
  const context = {
    coffer: {
      follow: async () => undefined,
      async call() {
        looks += 1;
        return { transfers: [transfer()] };
      },
    },
    output: { showsProgress: false, progress: () => undefined },
    interrupted: new AbortController().signal,
    makeWay: new AbortController().signal,
    waitMs: 0,
  } as unknown as Context;
  const beginMs = performance.now();
  expect(await followTransfers(context, [1], { ended: () => exitCodes.done })).toBe(exitCodes.done);
  // Once a second, where no event comes, it would take three at least.
  expect(performance.now() - beginMs).toBeLessThan(2000);
});
