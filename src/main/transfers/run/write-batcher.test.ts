import { expect, test } from 'vitest';
import { createTestLog } from '../../../../test-support/main/test-ports.ts';
import { openWriteBatcher } from './write-batcher.ts';
import { createVirtualClock } from '../../../../test-support/main/transfers/virtual-clock.ts';
import type { TransferStore } from '../model/store-types.ts';

/** @param refuse throws what the database would */
async function open(refuse: (ids: readonly number[]) => void = () => undefined) {
  const batches: number[][] = [];
  const clock = createVirtualClock();
  const apply: TransferStore['apply'] = async (transitions) => {
    const ids = transitions.map(({ id }) => id);
    refuse(ids);
    batches.push(ids);
    return transitions.map(() => ({ isThere: true, rowChanged: false }));
  };
  const batcher = await openWriteBatcher({
    store: { apply },
    documents: { get: async () => null, put: async () => undefined },
    clock,
    log: createTestLog(),
    closing: new AbortController().signal,
    moments: [],
  });
  return { batches, clock, write: (id: number) => batcher.write({ id, change: {} }) };
}

/** As `node:sqlite` throws it. */
function sqliteError(errcode: number): Error {
  return Object.assign(new Error('refused'), { code: 'ERR_SQLITE_ERROR', errcode });
}

test('writes a change that is added just after a write has ended', async () => {
  const { batches, clock, write } = await open();
  const all = Promise.all([write(1), write(2).then(() => write(3)), write(4)]);
  await clock.advance(100);
  await all;
  expect(batches).toEqual([[1, 2, 4], [3]]);
});

test('rejects the one change that cannot be written, and writes the others in order', async () => {
  const notNull = 1299;
  const { batches, clock, write } = await open((ids) => {
    if (ids.includes(3)) throw sqliteError(notNull);
  });
  const all = Promise.allSettled([1, 2, 3, 4, 5].map(write));
  await clock.advance(100);
  expect((await all).map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
  ]);
  expect(batches.flat()).toEqual([1, 2, 4, 5]);
});

test('keeps trying, whatever the changes, while the disk refuses', async () => {
  let isBroken = true;
  const ioError = 10;
  const { batches, clock, write } = await open(() => {
    if (isBroken) throw sqliteError(ioError);
  });
  const all = Promise.all([write(1), write(2)]);
  await clock.advance(60_000);
  expect(batches).toEqual([]);
  isBroken = false;
  await clock.advance(60_000);
  await all;
  expect(batches).toEqual([[1, 2]]);
});
