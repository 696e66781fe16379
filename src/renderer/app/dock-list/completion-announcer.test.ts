import { afterEach, expect, it, vi } from 'vitest';
import type { Transfer } from '../../../shared/domain/transfer.ts';
import {
  createFakeMain,
  pageOf,
  testSummary,
  testTransfer,
} from '../../../../test-support/renderer/testing.tsx';
import { createDoneTeller } from './completion-announcer.ts';

afterEach(() => void vi.useRealTimers());

it('finds for the next message what ends while the list is read for this one', async () => {
  vi.useFakeTimers();
  const rows: Transfer[] = [];
  const still = { moving: 0, waiting: 0 };
  const end = (id: number) => {
    vi.setSystemTime(Date.now() + 10);
    rows.unshift({ ...testTransfer, id, direction: 'download', state: 'done', finishedAtMs: Date.now() });
    teller.hear({ ...still, done: rows.length });
    vi.setSystemTime(Date.now() + 10);
  };
  const main = createFakeMain({
    'transfers.page': () => {
      const page = { ...pageOf(testSummary, rows.length), rows: [...rows] };
      if (rows.length === 1) end(2);
      return page;
    },
  });
  const described: number[][] = [];
  const teller = createDoneTeller({
    client: main.client,
    tab: 'transfers',
    direction: 'download',
    describe: async (count, found) => {
      described.push([count, ...found.map(({ id }) => id)]);
      return null;
    },
  });
  teller.hear({ ...still, done: 0 });
  end(1);
  await vi.advanceTimersByTimeAsync(2000);
  expect(described).toEqual([
    [1, 2, 1],
    [1, 2],
  ]);
});
