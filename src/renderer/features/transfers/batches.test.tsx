import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { Batch } from '../../../shared/domain/transfer-summary.ts';
import type { Transfer } from '../../../shared/domain/transfer.ts';
import { expectAccessible } from '../../../../test-support/renderer/expect-accessible.ts';
import { entry, openDock, resetDock } from '../../../../test-support/renderer/dock-world.tsx';
import { testSummary, testTransfer } from '../../../../test-support/renderer/testing.tsx';

afterEach(resetDock);

const holiday: Batch = {
  id: 7,
  serviceId: 'p1',
  action: 'upload',
  folder: 'pictures/Holiday',
  state: 'moving',
  open: 178,
  paused: 0,
  asking: 1,
  failed: 3,
  done: 118,
  cancelled: 0,
  next: { id: 40, priority: 'normal', waitingFor: 'turn', retryAtMs: null, error: null },
  finishedBytes: 118_000_000,
  doneBytes: 120_000_000,
  totalBytes: 296_000_000,
  bytesPerSecond: 2_000_000,
  finishedAtMs: null,
};
const over: Batch = {
  ...holiday,
  action: 'download',
  state: 'done',
  open: 0,
  asking: 0,
  failed: 0,
  done: 300,
  next: null,
  finishedAtMs: 1,
};
const name = 'Uploading 300 files, Holiday, 118 of 300, 3 failed, 1 needs your answer';

/** The dock with one batch, as sent by main: when expanded, its transfers follow it. */
async function open(
  start: Batch,
  members: readonly Transfer[] = [],
  more: Parameters<typeof openDock>[2] = {},
) {
  return openDock(
    'transfers',
    {},
    {
      'transfers.dock': ({ offset, opened: ids }) => {
        const below = ids.includes(start.id) ? members : [];
        const counts = { ...testSummary.transfers.counts, [start.state]: 1 + below.length };
        return {
          summary: { ...testSummary, revision: 1 },
          counts,
          entries: { ...testSummary.transfers.counts, [start.state]: 1 },
          verifying: 0,
          total: 1 + below.length,
          offset,
          rows: [{ batch: start }, ...below.map((transfer) => ({ transfer }))],
        };
      },
      'transfers.clear': () => undefined,
      ...more,
    },
  );
}

const member = (id: number, identifier: string, state: Transfer['state']): Transfer => ({
  ...testTransfer,
  id,
  identifier,
  state,
  waitingFor: state === 'waiting' ? 'turn' : null,
  batch: 7,
});

it('shows a batch as one entry with its progress, which expands into its transfers by keyboard', async () => {
  const { container } = await open(holiday, [
    member(39, 'a.jpg', 'uploading'),
    member(40, 'b.jpg', 'waiting'),
  ]);
  const shown = await entry(name);
  expect(shown.textContent).toContain('40%');
  expect(screen.getAllByRole('listitem')).toHaveLength(1);
  await expectAccessible(container);
  act(() => shown.focus());
  fireEvent.keyDown(shown, { key: 'Enter' });
  expect(await entry('a.jpg, upload, Uploading')).toBeTruthy();
  expect(await entry('b.jpg, upload, Waiting')).toBeTruthy();
  expect(document.activeElement).toBe(shown);
  expect(within(shown).getByRole('button', { name: 'Hide each: Uploading 300 files' })).toBeTruthy();
  // The heading counts entries.
  expect(screen.getByRole('heading', { name: 'Moving' }).parentElement?.textContent).toBe('Moving1');
  await expectAccessible(container);
  fireEvent.keyDown(shown, { key: 'ArrowLeft' });
  await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(1));
  fireEvent.keyDown(shown, { key: 'ArrowRight' });
  const first = await entry('a.jpg, upload, Uploading');
  fireEvent.keyDown(shown, { key: 'ArrowDown' });
  expect(document.activeElement).toBe(first);
});

it('uploads the rest of what was cancelled', async () => {
  const ids = Array.from({ length: 10_001 }, (_, at) => at + 5);
  const { user, inputsOf } = await open(
    { ...holiday, state: 'done', open: 0, asking: 0, failed: 0, done: 118, cancelled: 10_001 },
    [],
    // More than one call takes.
    {
      'transfers.open': () => ({ ids }),
      'transfers.retry': () => undefined,
    },
  );
  await user.click(await screen.findByRole('button', { name: 'Upload the rest' }));
  await waitFor(() =>
    expect(inputsOf('transfers.retry')).toEqual([{ which: ids.slice(0, -1) }, { which: [10_005] }]),
  );
  expect(inputsOf('transfers.open')[0]).toEqual({ which: { cancelledOf: holiday.id } });
});

it('says how fast it is while nothing is wrong', async () => {
  await open({ ...holiday, asking: 0, failed: 0 });
  const shown = await entry(/^Uploading 296 files/);
  expect(shown.textContent).toContain('2.0 MB/s1 min left');
});

it('has one remedy in its line, where more would not fit, and the others in its menu', async () => {
  const { user } = await open({ ...holiday, state: 'done', open: 0, asking: 0, failed: 1, cancelled: 2 });
  const shown = await entry(/1 failed$/);
  expect(within(shown).getByRole('button', { name: 'Try 1 again' })).toBeTruthy();
  expect(within(shown).queryByRole('button', { name: 'Upload the rest' })).toBeNull();
  fireEvent.keyDown(shown, { key: 'F10', shiftKey: true });
  await user.click(await screen.findByRole('menuitem', { name: 'Upload the rest' }));
});

it('says what holds up its service, and retries it now', async () => {
  const heldUp = {
    error: { code: 'unreachable', reason: 'refused', host: 'archive.example' },
    retryAtMs: Date.now() + 600_000,
  } as const;
  const next = { id: 40, priority: 'normal', waitingFor: 'network', retryAtMs: null, error: null } as const;
  const { user, inputsOf } = await open({ ...holiday, state: 'waiting', heldUp, next });
  const shown = await entry(/^300 files to upload/);
  expect(shown.textContent).toContain('Waiting 10 min, can’t reach the service, 118 of 300');
  await user.click(within(shown).getByRole('button', { name: 'Try now' }));
  const which = { serviceId: 'p1', group: 'waiting', code: 'unreachable' };
  expect(inputsOf('transfers.retry')).toEqual([{ which }]);
});

it('does not repeat the banner that asks for a new token', async () => {
  const heldUp = { error: { code: 'tokenRefused', status: 401 }, retryAtMs: null } as const;
  const next = { id: 40, priority: 'normal', waitingFor: 'token', retryAtMs: null, error: null } as const;
  await open({ ...holiday, state: 'waiting', heldUp, next });
  const shown = await entry(/^300 files to upload/);
  expect(shown.textContent).toContain('Waiting for a new token');
  expect(within(shown).queryByRole('button', { name: 'Try now' })).toBeNull();
});

it('selects its visible entries with Ctrl+A, and none with Escape', async () => {
  await open(holiday, [member(39, 'a.jpg', 'uploading'), member(40, 'b.jpg', 'waiting')]);
  const shown = await entry(name);
  fireEvent.keyDown(shown, { key: 'ArrowRight' });
  await entry('a.jpg, upload, Uploading');
  const selected = () => document.querySelectorAll('.transfer.is-selected').length;
  fireEvent.keyDown(shown, { key: 'a', ctrlKey: true });
  await waitFor(() => expect(selected()).toBe(2));
  fireEvent.keyDown(shown, { key: 'Escape' });
  await waitFor(() => expect(selected()).toBe(0));
});

it('pauses, retries, cancels and prioritises a batch as a whole', async () => {
  const { user, inputsOf } = await open(holiday);
  const shown = await entry(name);
  act(() => shown.focus());
  fireEvent.keyDown(shown, { key: ' ' });
  expect(inputsOf('transfers.pause')).toEqual([{ which: { batch: 7 } }]);
  await user.click(within(shown).getByRole('button', { name: 'Try 3 again' }));
  expect(inputsOf('transfers.retry')).toEqual([{ which: { batch: 7 } }]);
  fireEvent.keyDown(shown, { key: 'F10', shiftKey: true });
  await user.click(await screen.findByRole('menuitem', { name: 'Now' }));
  expect(inputsOf('transfers.setPriority')).toEqual([{ batch: 7, priority: 'now' }]);
  fireEvent.keyDown(shown, { key: 'Delete' });
  await waitFor(() => expect(inputsOf('transfers.cancel')).toEqual([{ which: { batch: 7 } }]));
});

it('shows its folder and leaves the list when it is done', async () => {
  const { user, inputsOf } = await open(over);
  const shown = await entry(/^300 files downloaded, Holiday, /);
  await user.click(within(shown).getByRole('button', { name: 'Show in folder' }));
  expect(inputsOf('transfers.showInFolder')).toEqual([{ batch: 7 }]);
  await user.click(within(shown).getByRole('button', { name: 'Remove from list' }));
  expect(inputsOf('transfers.clear')).toEqual([{ batch: 7 }]);
  expect(within(shown).queryByRole('button', { name: /^Cancel/ })).toBeNull();
});

it.each<[string, Partial<Batch>, RegExp]>([
  [
    'some failed',
    { state: 'done', open: 0, asking: 0, done: 297 },
    /^297 of 300 files uploaded, Holiday, .*, 3 failed$/,
  ],
  [
    'it is paused',
    { state: 'waiting', paused: 178, next: holiday.next && { ...holiday.next, waitingFor: 'paused' } },
    /^300 files to upload, Holiday, Paused, 118 of 300, /,
  ],
  ['it has no folder', { folder: '', failed: 0, asking: 0, open: 182 }, /^Uploading 300 files, 118 of 300$/],
  [
    'it moves objects',
    { action: 'move', state: 'done', open: 0, asking: 0, failed: 0, done: 6 },
    /^6 objects moved, /,
  ],
])('is called by what is true of it when %s', async (_, change, expected) => {
  await open({ ...holiday, ...change });
  expect(await entry(expected)).toBeTruthy();
});

it('shows no queue position after a batch, which is only one entry', async () => {
  const { batch: _, ...alone } = member(90, 'alone.jpg', 'waiting');
  const none = testSummary.transfers.counts;
  const counts = { ...none, moving: 1, waiting: 1 };
  const transfers = { ...testSummary.transfers, counts: { ...none, moving: 4, waiting: 175 } };
  await openDock(
    'transfers',
    {},
    {
      'transfers.dock': ({ offset }) => ({
        summary: { ...testSummary, revision: 1, transfers },
        counts,
        entries: counts,
        verifying: 0,
        total: 2,
        offset,
        rows: [{ batch: holiday }, { transfer: alone }],
      }),
    },
  );
  expect((await entry(/^alone/)).textContent).toContain('Waiting for its turn');
});
