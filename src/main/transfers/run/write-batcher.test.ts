import { expect, test } from 'vitest';
import { createTestLog } from '../../../../test-support/main/test-ports.ts';
import { openWriteBatcher } from './write-batcher.ts';
import { createVirtualClock } from '../../../../test-support/main/transfers/virtual-clock.ts';

test('writes a change that is added just after a write has ended', async () => {
  const batches: number[][] = [];
  const clock = createVirtualClock();
  const batcher = await openWriteBatcher({
    store: {
      async apply(transitions) {
        batches.push(transitions.map(({ id }) => id));
        return transitions.map(() => ({ isThere: true, rowChanged: false }));
      },
    },
    documents: { get: async () => null, put: async () => undefined },
    clock,
    log: createTestLog(),
    closing: new AbortController().signal,
    moments: [],
  });
  const write = (id: number) => batcher.write({ id, change: {} });
  const all = Promise.all([write(1), write(2).then(() => write(3)), write(4)]);
  await clock.advance(100);
  await all;
  expect(batches).toEqual([[1, 2, 4], [3]]);
});
