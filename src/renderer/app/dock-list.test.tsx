import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Tab, Transfer } from '../../shared/domain/transfer.ts';
import type { TransferProgress } from '../../shared/domain/transfer-summary.ts';
import { usePlace } from './place.ts';
import {
  away,
  deferred,
  entry,
  missing,
  openDock,
  resetDock,
  uploading,
} from '../../../test-support/renderer/dock-world.tsx';
import { expectAccessible, testTransfer } from '../../../test-support/renderer/testing.tsx';

afterEach(resetDock);

const both = [
  ['transfers', { transfers: [testTransfer] }],
  ['jobs', { jobs: [deferred] }],
] as const;
/** Both tabs use the same list, so the jobs tab repeats these tests only in the full run. */
const ifOnceMore = (tab: Tab) => (tab === 'jobs' ? { tags: ['all'] } : {});

describe.each(both)('one of the %s', (tab, world) => {
  it(
    'pauses it, puts it first and gives it a priority from its menu, by keyboard too',
    ifOnceMore(tab),
    async () => {
      const { user, inputsOf } = await openDock(tab, world);
      const one = await entry(/^a\.bin/);
      one.focus();
      await user.keyboard('{Shift>}{F10}{/Shift}');
      const menu = await screen.findByRole('menu', { name: 'a.bin' });
      await expectAccessible(menu);
      const items = within(menu)
        .getAllByRole('menuitem')
        .map((item) => item.querySelector('[slot="label"]')?.textContent);
      expect(items).toEqual([
        'Pause',
        'Move to top',
        'Move up',
        'Move down',
        'Now',
        'Normal',
        'When idle',
        'Cancel',
      ]);
      await user.click(within(menu).getByRole('menuitem', { name: 'Pause' }));
      await waitFor(() => expect(document.activeElement).toBe(one));
      await user.click(within(one).getByRole('button', { name: /^More actions/ }));
      await user.click(await screen.findByRole('menuitem', { name: 'Now' }));
      await waitFor(() => expect(one.contains(document.activeElement)).toBe(true));
      fireEvent.contextMenu(one, { clientX: 20, clientY: 20 });
      await user.click(await screen.findByRole('menuitem', { name: 'Move to top' }));
      await waitFor(() => expect(one.contains(document.activeElement)).toBe(true));
      act(() => one.focus());
      await user.keyboard(' {Delete}');
      expect(inputsOf('transfers.pause')).toEqual([{ which: [1] }, { which: [1] }]);
      expect(inputsOf('transfers.setPriority')).toEqual([{ ids: [1], priority: 'now' }]);
      expect(inputsOf('transfers.reorder')).toEqual([{ ids: [1], before: 'top' }]);
      expect(inputsOf('transfers.cancel')).toEqual([{ which: [1] }]);
    },
  );

  it('goes on from its own pause', ifOnceMore(tab), async () => {
    const { user, inputsOf } = await openDock(tab, {
      transfers: [{ ...testTransfer, waitingFor: 'paused' }],
      jobs: [{ ...deferred, waitingFor: 'paused' }],
    });
    const one = await entry(/^a\.bin/);
    expect(one.textContent).toContain('Paused');
    one.focus();
    await user.keyboard('{Shift>}{F10}{/Shift}');
    await user.click(await screen.findByRole('menuitem', { name: 'Resume' }));
    expect(inputsOf('transfers.resume')).toEqual([{ which: [1] }]);
  });

  it('waits behind the pause of all, which the bar says and ends', ifOnceMore(tab), async () => {
    const { user, inputsOf, set } = await openDock(tab, world);
    await user.click(await screen.findByRole('button', { name: 'Pause all' }));
    expect(inputsOf('transfers.pause')).toEqual([{ which: 'all' }]);
    set({
      transfers: [{ ...testTransfer, waitingFor: 'paused' }],
      jobs: [{ ...deferred, waitingFor: 'paused' }],
      summary: { paused: { all: true, byHour: false, serviceIds: [] }, finishing: 2 },
    });
    const bar = await screen.findByRole('region', { name: 'Everything is paused' });
    expect(bar.textContent).toContain('2 already started and will finish.');
    // The rows are asked for again once the summary has arrived.
    await waitFor(async () => expect((await entry(/^a\.bin/)).textContent).toContain('Paused'));
    expect(screen.queryByRole('heading', { name: 'Waiting' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Pause all' })).toBeNull();
    await expectAccessible(document.body);
    await user.click(within(bar).getByRole('button', { name: 'Stop now' }));
    await user.click(within(bar).getByRole('button', { name: 'Resume all' }));
    expect(inputsOf('transfers.stopNow')).toHaveLength(1);
    expect(inputsOf('transfers.resume')).toEqual([{ which: 'all' }]);
  });
});

describe('what is paused', () => {
  it('is also a service alone', async () => {
    const paused = { all: false, byHour: false, serviceIds: ['p1'] };
    const { user, inputsOf, set } = await openDock('transfers', { summary: { paused } });
    await user.click(await screen.findByRole('button', { name: 'Resume Meridian Archive' }));
    expect(inputsOf('transfers.resume')).toEqual([{ which: { serviceId: 'p1' } }]);
    expect(await screen.findByText('Meridian Archive paused')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Stop now' })).toBeNull();

    set({ summary: { paused, finishing: 2 } });
    const bar = await screen.findByRole('region', { name: 'Meridian Archive is paused' });
    await waitFor(() => expect(bar.textContent).toContain('2 already started and will finish.'));
    expect(await screen.findByText('Meridian Archive paused, 2 finish first')).toBeTruthy();
    await user.click(within(bar).getByRole('button', { name: 'Stop now' }));
    expect(inputsOf('transfers.stopNow')).toHaveLength(1);
  });

  it('keeps the focus where Pause all, Stop now and Resume all follow each other', async () => {
    const all = { all: true, byHour: false, serviceIds: [] };
    const { user, set } = await openDock('transfers', { transfers: [uploading] });
    (await screen.findByRole('button', { name: 'Pause all' })).focus();
    await user.keyboard('{Enter}');
    set({ summary: { paused: all, finishing: 1 } });
    const stop = await screen.findByRole('button', { name: 'Stop now' });
    expect(document.activeElement).toBe(stop);
    set({ summary: { paused: all, finishing: 0 } });
    const resume = screen.getByRole('button', { name: 'Resume all' });
    await waitFor(() => expect(document.activeElement).toBe(resume));
    set({ summary: {} });
    const pause = await screen.findByRole('button', { name: 'Pause all' });
    expect(document.activeElement).toBe(pause);
  });

  it('keeps the focus in the list when the entry that had it goes', async () => {
    const three = [1, 2, 3].map((id) => ({ ...testTransfer, id, identifier: `${id}.bin` }));
    const { set } = await openDock('transfers', { transfers: three });
    const second = await entry(/^2/);
    act(() => second.focus());
    const focus = vi.spyOn(HTMLElement.prototype, 'focus');
    set({ transfers: three.filter(({ id }) => id !== 2) });
    await waitFor(() => expect(screen.queryByRole('listitem', { name: /^2/ })).toBeNull());
    expect(document.activeElement).toBe(await entry(/^3/));
    // It may have been scrolled out of view: moving the focus must not scroll the list.
    expect(focus).toHaveBeenCalledExactlyOnceWith({ preventScroll: true });
    focus.mockRestore();
    // As if scrolled back into view.
    set({ transfers: three });
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toMatch(/^2/));
  });

  it('keeps the focus on the entry that a key was meant for', async () => {
    const three = [1, 2, 3].map((id) => ({ ...testTransfer, id, identifier: `${id}.bin` }));
    const { user, set, inputsOf } = await openDock('transfers', { transfers: three });
    const second = await entry(/^2/);
    act(() => second.focus());
    set({ transfers: three.filter(({ id }) => id !== 2) });
    await waitFor(async () => expect(document.activeElement).toBe(await entry(/^3/)));
    await user.keyboard(' ');
    await waitFor(() => expect(inputsOf('transfers.pause')).toEqual([{ which: [3] }]));
    set({ transfers: three });
    await entry(/^2/);
    expect(document.activeElement).toBe(await entry(/^3/));
  });

  it('is paused by the hours, until one that is named', async () => {
    const untilMs = new Date(2026, 6, 15, 18).getTime();
    const { user } = await openDock('transfers', {
      summary: {
        paused: { all: false, byHour: true, serviceIds: [] },
        limit: { uploadBytesPerSecond: null, downloadBytesPerSecond: null, untilMs },
      },
    });
    const bar = await screen.findByRole('region', { name: 'Paused until 18:00' });
    await waitFor(() => expect(screen.getAllByText('Paused until 18:00')).toHaveLength(2));
    await user.click(within(bar).getByRole('button', { name: 'Change hours…' }));
    expect(usePlace.getState().view).toBe('settings');
    usePlace.setState(usePlace.getInitialState(), true);
  });
});

describe('transfers that are being verified', () => {
  it('lists them under Moving, but does not count them as moving', async () => {
    const verifying: Transfer = { ...uploading, state: 'verifying' };
    const { set } = await openDock('transfers', {
      transfers: [uploading, { ...verifying, id: 2 }, { ...verifying, id: 3 }],
      summary: { verifying: 2 },
    });
    await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(3));
    const head = () => screen.getByRole('heading', { name: 'Moving' }).parentElement?.textContent;
    expect(head()).toMatch(/^Moving1· 2 verifying/);
    expect(screen.getByText('1 moving').nextElementSibling?.textContent).toBe('2 verifying');
    set({ transfers: [verifying], summary: { verifying: 1 } });
    await waitFor(() => expect(head()).toMatch(/^Moving1 verifying/));
    expect(screen.queryByText(/\d moving/)).toBeNull();
  });
});

describe('the order of waiting transfers', () => {
  const queue = (['a', 'b', 'c'] as const).map((name, at) => ({
    ...testTransfer,
    id: at + 1,
    identifier: `${name}.bin`,
  }));

  it('shows it, with marks for other than normal priority', async () => {
    const [a, b, c] = queue;
    await openDock('transfers', {
      transfers: [
        { ...testTransfer, ...a, priority: 'now' },
        { ...testTransfer, ...b },
        { ...testTransfer, ...c, priority: 'whenIdle' },
      ],
    });
    expect((await entry(/^a/)).textContent).toBe('a.binNow1st in line1.0 MB');
    expect((await entry(/^b/)).textContent).toBe('b.bin2nd in line1.0 MB');
    expect((await entry(/^c/)).textContent).toBe('c.binWhen idleWhen nothing else is waiting1.0 MB');
  });

  it('changes it by Alt and an arrow, press after press, and announces that', async () => {
    // A press continues from the previous one only for a moment, which a busy machine may exceed.
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const { user, inputsOf } = await openDock('transfers', { transfers: queue });
    (await entry(/^c/)).focus();
    await user.keyboard('{Alt>}{ArrowUp}');
    await waitFor(() =>
      expect(screen.getByRole('status', { name: 'Messages' }).textContent).toMatch(
        /c\.bin: 2nd of 3 waiting/,
      ),
    );
    await user.keyboard('{ArrowUp}{ArrowUp}{/Alt}');
    expect(inputsOf('transfers.reorder')).toEqual([
      { ids: [3], before: 2 },
      { ids: [3], before: 1 },
    ]);
    (await entry(/^b/)).focus();
    await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
    expect(inputsOf('transfers.reorder').at(-1)).toEqual({ ids: [2], before: null });
  });

  it('changes it by dragging the grip, and not by letting go where it was', async () => {
    const { inputsOf, container } = await openDock('transfers', { transfers: queue });
    const grip = (await entry(/^a/)).querySelector('.transfer__grip');
    if (grip === null) throw new Error('no grip');
    fireEvent.pointerDown(grip, { button: 0, clientY: 40 });
    fireEvent.pointerMove(window, { clientY: 32 + 46 * 2 });
    expect(container.querySelector<HTMLElement>('.transfers__drop')?.style.top).toBe(`${32 + 46 * 2}px`);
    fireEvent.pointerUp(window, { clientY: 32 + 46 * 2 });
    expect(inputsOf('transfers.reorder')).toEqual([{ ids: [1], before: 3 }]);
    fireEvent.pointerDown(grip, { button: 0, clientY: 40 });
    fireEvent.pointerMove(window, { clientY: 32 + 46 * 2 });
    fireEvent.keyDown(window, { key: 'Escape' });
    fireEvent.pointerUp(window, { clientY: 32 + 46 * 2 });
    expect(inputsOf('transfers.reorder')).toHaveLength(1);
    expect(container.querySelector('.transfers__drop')).toBeNull();
  });

  it('is one Tab stop, walked with the arrows, Home and End', async () => {
    const { user } = await openDock('transfers', { transfers: queue });
    const first = await entry(/^a/);
    const tops = new Map([...document.querySelectorAll('[data-entry]')].map((li, at) => [li, at]));
    for (const [li, at] of tops) li.getBoundingClientRect = () => new DOMRect(0, at * 46, 300, 46);
    screen.getByRole('button', { name: 'Cancel all' }).focus();
    await user.tab();
    expect(document.activeElement).toBe(first);
    await user.keyboard('{ArrowDown}');
    const second = await entry(/^b/);
    expect(document.activeElement).toBe(second);
    await user.keyboard('{End}');
    expect(document.activeElement).toBe(await entry(/^c/));
    await user.keyboard('{Home}');
    expect(document.activeElement).toBe(first);
    await user.keyboard('{Shift>}{End}{/Shift}');
    await waitFor(() => expect(screen.getAllByRole('listitem', { description: 'Selected' })).toHaveLength(3));
    await user.keyboard('{ArrowUp}');
    // Tab leads to the buttons of this entry, and of no other.
    await user.tab();
    expect(document.activeElement).toBe(within(second).getByRole('button', { name: /^Cancel/ }));
    await user.tab();
    expect(document.activeElement).toBe(within(second).getByRole('button', { name: /^More actions/ }));
    await user.tab();
    expect(document.activeElement?.closest('[data-entry]')).toBeNull();
    await user.tab({ shift: true });
    await user.tab({ shift: true });
    await user.tab({ shift: true });
    expect(document.activeElement).toBe(second);
  });
});

describe.each(['transfers', 'jobs'] as const)('causes of the %s', (tab) => {
  const heldOf = (count: number) => ({
    held: Array.from({ length: count }, (_, at) => ({
      ...testTransfer,
      id: 100 + at,
      identifier: `held/${at}.bin`,
      waitingFor: 'network' as const,
    })),
    heldJobs: Array.from({ length: count }, (_, at) => ({
      ...deferred,
      id: 100 + at,
      identifier: `held/${at}.bin`,
      waitingFor: 'network' as const,
    })),
  });

  it('are one entry each, with a count, what comes next, and one link', ifOnceMore(tab), async () => {
    const { user, inputsOf } = await openDock(tab, {
      summary: { causes: [away, missing, { ...missing, code: 'forbidden', count: 1 }] },
    });
    const waits = await entry('212 waiting: can’t reach the service');
    await waitFor(() => expect(waits.textContent).toContain('Meridian Archive, next try in 30 min'));
    const gone = await entry('8 not found at the service');
    // Shortened before the link beside it, with and without a time.
    for (const each of [waits, gone])
      expect((await within(each).findByText('Meridian Archive')).className).toBe('cause__service');
    expect(screen.getAllByRole('listitem')).toHaveLength(2);
    // What is tried again by itself asks nothing.
    const countUnder = (name: string) =>
      screen.getByRole('heading', { name }).nextElementSibling?.textContent;
    expect(countUnder('Needs your answer')).toBe('8');
    expect(countUnder('Waiting')).toBe('212');
    await expectAccessible(document.body);
    await user.click(within(waits).getByRole('button', { name: 'Try now' }));
    await user.click(within(gone).getByRole('button', { name: 'Try again' }));
    await user.click(within(waits).getByRole('button', { name: 'Cancel 212' }));
    expect(within(gone).queryByRole('button', { name: /^Cancel/ })).toBeNull();
    const key = { serviceId: 'p1', group: 'waiting', code: 'unreachable' };
    const goneKey = { serviceId: 'p1', group: 'needsYou', code: 'missing' };
    expect(inputsOf('transfers.retry')).toEqual([{ which: key }, { which: goneKey }]);
    expect(inputsOf('transfers.cancel')).toEqual([{ which: key }]);
  });

  it('are paused with everything, and not tried', ifOnceMore(tab), async () => {
    const paused = { all: true, byHour: false, serviceIds: [] };
    await openDock(tab, { summary: { causes: [away], paused } });
    const waits = await entry('212 paused');
    await waitFor(() => expect(waits.textContent).not.toContain('next try'));
    expect(within(waits).queryByRole('button', { name: 'Try now' })).toBeNull();
    expect(within(waits).getByRole('button', { name: 'Cancel 212' })).toBeTruthy();
  });

  it(
    'say of a refused token that another one helps, and trying again does not',
    ifOnceMore(tab),
    async () => {
      const refused = { ...away, code: 'tokenRefused', retryAtMs: null };
      await openDock(tab, {
        summary: { causes: [{ ...refused, error: { code: 'tokenRefused', status: 401 } }] },
      });
      const waits = await entry('212 waiting for a new token');
      await waitFor(() => expect(waits.textContent).toBe('212 waiting for a new tokenMeridian Archive'));
      expect(within(waits).queryByRole('button', { name: /^Try/ })).toBeNull();
    },
  );

  it('unfold by their chevron alone, fifty at a time', ifOnceMore(tab), async () => {
    const { user, set, inputsOf } = await openDock(tab, { summary: { causes: [away] }, ...heldOf(60) });
    const waits = await entry('212 waiting: can’t reach the service');
    set({ summary: { causes: [{ ...away, count: 213 }] } });
    await entry('213 waiting: can’t reach the service');
    expect(within(waits).queryAllByRole('listitem')).toHaveLength(0);
    await user.click(within(waits).getByRole('button', { name: /^Show each/ }));
    await waitFor(() => expect(within(waits).getAllByRole('listitem')).toHaveLength(50));
    expect(inputsOf('transfers.page')).toContainEqual(
      expect.objectContaining({
        limit: 50,
        cause: { serviceId: 'p1', group: 'waiting', code: 'unreachable' },
      }),
    );
    await user.click(within(waits).getByRole('button', { name: 'Show 163 more' }));
    await waitFor(() => expect(within(waits).getAllByRole('listitem')).toHaveLength(60));
    act(() => waits.focus());
    fireEvent.keyDown(waits, { key: 'ArrowLeft' });
    expect(within(waits).queryAllByRole('listitem')).toHaveLength(0);
  });
});

it('places what needs an answer by the height of its text, and what is in view stays when that above is shorter', async () => {
  let px = 73;
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockImplementation(() => px);
  const failed = ['a', 'b', 'c'].map((name, at) => ({
    ...testTransfer,
    id: at + 1,
    identifier: `${name}.bin`,
    state: 'failed' as const,
    waitingFor: null,
    error: { code: 'missing' as const, status: 404 },
  }));
  const { set } = await openDock('transfers', { transfers: [...failed, { ...uploading, id: 9 }] });
  const last = await entry(/^c\.bin/);
  expect([last.style.height, last.style.top]).toEqual(['', `${32 + 2 * 73}px`]);
  const scroller = last.closest('.transfers');
  if (scroller === null) throw new Error('no list');
  scroller.scrollTop = 60;
  px = 91;
  set({});
  await waitFor(() => expect(last.style.top).toBe(`${32 + 2 * 91}px`));
  // Only the first starts above the viewport.
  expect(scroller.scrollTop).toBe(60 + 18);
});

const unanswered = (identifier: string, id: number): Transfer => ({
  ...testTransfer,
  id,
  identifier,
  state: 'failed',
  waitingFor: null,
  error: { code: 'missing', status: 404 },
});

it('keeps the height of an entry when others come before it', async () => {
  const heightOf: Record<string, number> = { 'a.bin': 73, 'b.bin': 105 };
  let isHidden = false;
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockImplementation(function (this: HTMLElement) {
    const [identifier = ''] = this.getAttribute('aria-label')?.split(',') ?? [];
    return isHidden ? 0 : (heightOf[identifier] ?? 0);
  });
  const [a, b] = [unanswered('a.bin', 1), unanswered('b.bin', 2)];
  const moving: Transfer = { ...uploading, id: 9, identifier: 'moving.bin' };
  const { set } = await openDock('transfers', { transfers: [a, b, moving] });
  const second = await entry(/^b\.bin/);
  expect(second.style.top).toBe(`${32 + 73}px`);
  // From now on nothing can be measured, as for an entry out of view.
  isHidden = true;
  set({ transfers: [unanswered('new.bin', 3), a, b, moving] });
  await entry(/^new\.bin/);
  expect((await entry(/^a\.bin/)).style.top).toBe(`${32 + 124}px`);
  expect((await entry(/^b\.bin/)).style.top).toBe(`${32 + 124 + 73}px`);
  const movingHead = screen.getByRole('heading', { name: 'Moving' }).parentElement;
  expect(movingHead?.style.top).toBe(`${32 + 124 + 73 + 105 + 6}px`);
});

it('makes the transfers of an unfolded cause as tall as their text, and puts what follows below them', async () => {
  let px = 48 + 2 * 161;
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockImplementation(function (this: HTMLElement) {
    return this.classList.contains('cause') ? px : 0;
  });
  const { user, set } = await openDock('transfers', {
    transfers: [{ ...uploading, id: 9 }],
    summary: { causes: [{ ...missing, count: 2 }] },
    held: [unanswered('a.bin', 1), unanswered('b.bin', 2)],
  });
  const cause = await entry('2 not found at the service');
  const movingTop = () => screen.getByRole('heading', { name: 'Moving' }).parentElement?.style.top;
  expect([cause.style.height, movingTop()]).toEqual(['48px', `${32 + 48 + 6}px`]);
  await user.click(within(cause).getByRole('button', { name: /^Show each/ }));
  const each = await within(cause).findAllByRole('listitem');
  expect([cause.style.height, ...each.map(({ style }) => style.height)]).toEqual(['', '', '']);
  expect(movingTop()).toBe(`${32 + px + 6}px`);
  px -= 161;
  set({ held: [unanswered('a.bin', 1)] });
  await waitFor(() => expect(movingTop()).toBe(`${32 + px + 6}px`));
  await user.click(within(cause).getByRole('button', { name: /^Hide each/ }));
  expect([cause.style.height, movingTop()]).toEqual(['48px', `${32 + 48 + 6}px`]);
});

it('moves the focus on within an unfolded cause, and to the cause after the last', async () => {
  const { user, set } = await openDock('transfers', {
    summary: { causes: [{ ...missing, count: 3 }] },
    held: [1, 2, 3].map((id) => unanswered(`${String(id)}.bin`, id)),
  });
  const cause = await entry('3 not found at the service');
  await user.click(within(cause).getByRole('button', { name: /^Show each/ }));
  const third = await within(cause).findByRole('listitem', { name: /^3/ });
  act(() => third.focus());
  set({
    summary: { causes: [{ ...missing, count: 2 }] },
    held: [unanswered('1.bin', 1), unanswered('2.bin', 2)],
  });
  await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toMatch(/^2/));
  set({ held: [] });
  await waitFor(() => expect(document.activeElement).toBe(cause));
});

describe('failures of one cause', () => {
  it('announces them although none of them is among the rows', async () => {
    const { set } = await openDock('transfers', { transfers: [testTransfer], summary: { failed: 1 } });
    await screen.findByRole('button', { name: /1 failed/ });
    const finishedAtMs = Date.now() + 1000;
    const held = [1, 2, 3].map((id) => ({
      ...testTransfer,
      id,
      state: 'failed' as const,
      waitingFor: null,
      finishedAtMs: id === 3 ? 1 : finishedAtMs,
    }));
    set({ held, summary: { failed: 3, causes: [{ ...missing, count: 3 }] } });
    await waitFor(() =>
      expect(screen.getByRole('alert', { name: 'Urgent messages' }).textContent).toBe('2 transfers failed'),
    );
  });
});

describe('finished transfers', () => {
  const finished = Array.from({ length: 1204 }, (_, at) => ({
    ...testTransfer,
    id: at + 1,
    state: 'done' as const,
    waitingFor: null,
    finishedAtMs: 1,
  }));

  it('collapse into a line when they exceed a screenful, and never expand by themselves', async () => {
    const { user, set } = await openDock('transfers', { transfers: finished });
    const line = await screen.findByRole('button', { name: '1,204 finished', expanded: false });
    set({ transfers: finished.slice(1) });
    await screen.findByRole('button', { name: '1,203 finished', expanded: false });
    await user.click(line);
    expect((await screen.findAllByRole('listitem')).length).toBeGreaterThan(5);
    expect(screen.getByRole('button', { name: 'Clear done' })).toBeTruthy();
  });
});

describe('a deferred upload that already exists', () => {
  it('asks like a direct one', async () => {
    const { user, main } = await openDock('jobs', { jobs: [{ ...deferred, id: 7, waitingFor: 'answer' }] });
    const one = await entry(/^a\.bin/);
    expect(one.textContent).toContain('Waiting for your answer.');
    await user.click(within(one).getByRole('button', { name: /^Answer/ }));
    await waitFor(() =>
      expect(main.calls).toContainEqual({ name: 'transfers.conflictPrompt', input: { transferId: 7 } }),
    );
  });
});

describe('progress', () => {
  const moved: TransferProgress = {
    entries: [
      { id: 1, objectId: 1, doneBytes: 640_000, totalBytes: 1_000_000, bytesPerSecond: 50_000, leftMs: 7000 },
    ],
    bytesPerSecond: 50_000,
    leftMs: 7000,
    fraction: 0.64,
  };

  it('changes entries and the line at the bottom, and asks for nothing', async () => {
    const { main } = await openDock('transfers', { transfers: [uploading] });
    const one = await entry(/^a\.bin/);
    expect(one.textContent).not.toContain('640 KB');
    const asked = main.calls.length;
    for (let step = 0; step < 8; step += 1) act(() => main.emit('transfers.progress', moved));
    expect(one.textContent).toContain('640 KB of 1.0 MB · 50 KB/s · 7 s left');
    expect(screen.getByRole('button', { name: /1 moving/ }).textContent).toContain('64%50 KB/s7 s left');
    expect(main.calls).toHaveLength(asked);
  });

  it('keeps its last value until the transfer is loaded again', async () => {
    const { main, set } = await openDock('transfers', { transfers: [uploading] });
    const one = await entry(/^a\.bin/);
    const line = await screen.findByRole('button', { name: /1 moving/ });
    act(() => main.emit('transfers.progress', moved));
    act(() => main.emit('transfers.progress', { ...moved, entries: [], fraction: null }));
    expect(one.textContent).toContain('640 KB of 1.0 MB');
    expect(line.textContent).toContain('64%');
    act(() => set({ transfers: [{ ...uploading, doneBytes: 0 }], summary: { fraction: 0.02 } }));
    await waitFor(() => expect(one.textContent).not.toContain('640 KB'));
    await waitFor(() => expect(line.textContent).toContain('2%'));
  });

  it('shows it for deferred requests, too', async () => {
    const { main } = await openDock('jobs', {
      jobs: [{ ...deferred, state: 'uploading', waitingFor: null }],
      summary: { movingJobs: 1 },
    });
    expect(await screen.findByText('1 moving')).toBeTruthy();
    const one = await entry(/^a\.bin/);
    act(() => main.emit('transfers.progress', moved));
    expect(one.textContent).toContain('Uploading, 640 KB of 1.0 MB');
  });
});

it('after a refused token the status line only counts waiting transfers', async () => {
  const { set } = await openDock('transfers', { transfers: [testTransfer] });
  const line = await screen.findByRole('button', { name: /1 waiting/ });
  set({ summary: { tokenRefused: ['p1'] } });
  await waitFor(() => expect(within(line).queryByRole('progressbar')).toBeNull());
  expect(line.textContent).toBe('1 waiting');
});

describe('the limit in force', () => {
  const untilMs = new Date(2026, 6, 15, 18).getTime();
  it('shows it in the status line', async () => {
    const { set } = await openDock('transfers', { transfers: [uploading] });
    for (const [limit, words] of [
      [
        { uploadBytesPerSecond: 5_000_000, downloadBytesPerSecond: 5_000_000, untilMs },
        'At most 5 MB/s until 18:00',
      ],
      [
        { uploadBytesPerSecond: 1_500_000, downloadBytesPerSecond: 800_000, untilMs: null },
        'At most 1.5 MB/s up, 800 KB/s down',
      ],
      [
        { uploadBytesPerSecond: 2_000_000, downloadBytesPerSecond: null, untilMs },
        'At most 2 MB/s up until 18:00',
      ],
    ] as const) {
      set({ summary: { limit } });
      expect(await screen.findByText(words)).toBeTruthy();
    }
  });
});
