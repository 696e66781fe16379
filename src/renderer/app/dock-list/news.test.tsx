import { act, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { openDock, resetDock, uploading } from '../../../../test-support/renderer/dock-world.tsx';
import { testSummary } from '../../../../test-support/renderer/testing.tsx';
import { useDock } from '../dock.ts';

afterEach(() => {
  vi.useRealTimers();
  resetDock();
});

const polite = () => screen.getByRole('status', { name: 'Messages' }).textContent;
const urgent = () => screen.getByRole('alert', { name: 'Urgent messages' });
const show = () => screen.queryByRole('button', { name: 'Show transfers' });

/** Sets these counts in the summary and lets a moment pass. */
async function open(isDockOpen: boolean) {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const opened = await openDock('transfers', { transfers: [uploading] });
  act(() => useDock.setState({ isOpen: isDockOpen }));
  const count = async ({ moving = 0, done = 0, failed = 0, rechecking = 0 }, passMs = 1000) => {
    opened.set({
      summary: {
        failed,
        done,
        rechecking,
        counts: { ...testSummary.transfers.counts, moving, done, needsYou: failed },
      },
    });
    await act(() => vi.advanceTimersByTimeAsync(passMs));
  };
  return { ...opened, count };
}

it('announces successes once, when nothing moves any more, and reads one page of a million', async () => {
  const { count, inputsOf } = await open(true);
  await count({ moving: 4, done: 12 }, 15_000);
  await count({ moving: 4, done: 600_000 }, 15_000);
  expect(polite()).toBe('');
  const asked = inputsOf('transfers.page').length;
  await count({ done: 1_000_000 });
  expect(polite()).toBe('1,000,000 transfers done');
  const pages = inputsOf('transfers.page').slice(asked);
  expect(pages.filter((page) => (page as { limit: number }).limit > 1)).toHaveLength(1);
  await act(() => vi.advanceTimersByTimeAsync(5000));
  await count({ moving: 1, done: 1_000_000 });
  await count({ done: 1_000_003 });
  expect(polite()).toBe('3 transfers done');
});

it('announces how many failed since the batch began, replacing the previous message', async () => {
  const { count } = await open(false);
  await count({ moving: 4, failed: 2 });
  expect(urgent().textContent).toBe('2 transfers failed');
  await count({ moving: 4, failed: 5 });
  expect(urgent().textContent).toBe('2 transfers failed');
  await count({ moving: 4, failed: 40 }, 10_000);
  expect(urgent().textContent).toBe('40 transfers failed');
  await count({ failed: 41 });
  expect(urgent().textContent).toBe('41 transfers failed');
});

it('withdraws a failure as soon as some of it is retried', async () => {
  const { count } = await open(false);
  await count({ moving: 4, failed: 5 });
  expect(urgent().textContent).toBe('5 transfers failed');
  await count({ moving: 5, failed: 4 });
  expect(urgent().textContent).toBe('');
});

it('only speaks a failure that the list shows, and else offers a button that opens the list', async () => {
  const { count } = await open(true);
  await count({ failed: 2 });
  expect(urgent().textContent).toBe('2 transfers failed');
  expect(show()).toBeNull();
  act(() => useDock.setState({ isOpen: false }));
  await count({ failed: 5 });
  act(() => show()?.click());
  expect(useDock.getState()).toMatchObject({ isOpen: true, tab: 'transfers' });
  expect(urgent().textContent).toBe('');
});

it('does not wait for the final check of a Replace', async () => {
  const { count } = await open(true);
  await count({ moving: 2 });
  await count({ moving: 1, rechecking: 1, done: 12 });
  expect(polite()).toBe('12 transfers done');
});
