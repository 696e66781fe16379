import { act, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { openDock, resetDock, uploading } from '../../../../test-support/renderer/dock-world.tsx';
import { useDock } from '../dock.ts';

afterEach(() => {
  vi.useRealTimers();
  resetDock();
});

const polite = () => screen.getByRole('status', { name: 'Messages' }).textContent;
const urgent = () => screen.getByRole('alert', { name: 'Urgent messages' });
const show = () => screen.queryByRole('button', { name: 'Show transfers' });

const none = { moving: 0, done: 0, waiting: 0 };
type Counted = Partial<typeof none> & { down?: Partial<typeof none>; failed?: number; rechecking?: number };

/** Sets these counts in the summary, of uploads unless they are in `down`, and lets a moment pass. */
async function open(isDockOpen: boolean) {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const opened = await openDock('transfers', { transfers: [uploading] });
  act(() => useDock.setState({ isOpen: isDockOpen }));
  const count = async ({ down = {}, failed = 0, rechecking = 0, ...up }: Counted, passMs = 1000) => {
    const upload = { ...none, ...up };
    const download = { ...none, ...down };
    const counts = {
      closing: 0,
      needsYou: failed,
      moving: upload.moving + download.moving + rechecking,
      waiting: upload.waiting + download.waiting,
      done: upload.done + download.done,
    };
    opened.set({ summary: { failed, counts, byDirection: { upload, download } } });
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
  expect(polite()).toBe('1,000,000 uploads done');
  const pages = inputsOf('transfers.page').slice(asked);
  expect(pages.filter((page) => (page as { limit: number }).limit > 1)).toHaveLength(1);
  await act(() => vi.advanceTimersByTimeAsync(5000));
  await count({ moving: 1, done: 1_000_000 });
  await count({ done: 1_000_003 });
  expect(polite()).toBe('3 uploads done');
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
  await count({ moving: 0, rechecking: 1, done: 12 });
  expect(polite()).toBe('12 uploads done');
});

it('announces downloads while uploads move, and the uploads later, each without the other', async () => {
  const { count } = await open(true);
  await count({ moving: 1, done: 3, down: { moving: 4 } });
  await count({ moving: 1, done: 4, down: { done: 12 } });
  expect(polite()).toBe('12 downloads done');
  await act(() => vi.advanceTimersByTimeAsync(4000));
  expect(polite()).toBe('');
  await count({ done: 5, down: { done: 12 } });
  expect(polite()).toBe('5 uploads done');
});

it('gives downloads that wait for their turn time, and not those that only uploads wait beside', async () => {
  const { count } = await open(true);
  await count({ down: { moving: 1 } });
  await count({ moving: 4, waiting: 9, down: { done: 1, waiting: 1 } }, 4000);
  expect(polite()).toBe('');
  await count({ moving: 4, waiting: 9, down: { done: 1, moving: 1 } }, 10_000);
  expect(polite()).toBe('');
  await count({ moving: 4, waiting: 9, down: { done: 2 } });
  expect(polite()).toBe('2 downloads done');
});

it('counts failures until nothing of either direction moves', async () => {
  const { count } = await open(false);
  await count({ moving: 1, failed: 1, down: { moving: 1 } });
  await count({ moving: 1, failed: 1 }, 10_000);
  await count({ moving: 1, failed: 2 }, 10_000);
  expect(urgent().textContent).toBe('2 transfers failed');
  await count({ failed: 2 }, 10_000);
  await count({ failed: 4, moving: 1 });
  expect(urgent().textContent).toBe('2 transfers failed');
  await count({ failed: 5 });
  expect(urgent().textContent).toBe('3 transfers failed');
});
