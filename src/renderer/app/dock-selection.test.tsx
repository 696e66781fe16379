import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import {
  away,
  deferred,
  entry,
  openDock,
  resetDock,
  uploading,
  type World,
} from '../../../test-support/renderer/dock-world.tsx';
import { expectAccessible, testTransfer } from '../../../test-support/renderer/testing.tsx';

afterEach(resetDock);

describe.each(['transfers', 'jobs'] as const)('a selection of the %s', (tab) => {
  // Both tabs use the same list, so the jobs tab repeats these tests only in the full run.
  const again = tab === 'jobs' ? { tags: ['all'] } : {};
  /** 1 is running, 2 to 4 wait, 5 is paused itself, 6 failed, 7 is cancelled, 8 is done. */
  const world = {
    transfers: [
      { ...testTransfer, state: 'failed' as const, waitingFor: null, finishedAtMs: 1 },
      { ...uploading },
      ...Array.from({ length: 3 }, () => ({ ...testTransfer })),
      { ...testTransfer, waitingFor: 'paused' as const },
      { ...testTransfer, state: 'cancelled' as const, waitingFor: null, finishedAtMs: 1 },
      { ...testTransfer, state: 'done' as const, waitingFor: null, finishedAtMs: 1 },
    ].map((each, at) => ({ ...each, id: at + 1, identifier: `${at + 1}.bin` })),
    jobs: [
      { ...deferred, state: 'lost' as const, waitingFor: null, finishedAtMs: 1 },
      { ...deferred, state: 'uploading' as const, waitingFor: null },
      ...Array.from({ length: 3 }, () => ({ ...deferred })),
      { ...deferred, waitingFor: 'paused' as const },
      { ...deferred, state: 'cancelled' as const, waitingFor: null, finishedAtMs: 1 },
      { ...deferred, state: 'done' as const, waitingFor: null, finishedAtMs: 1 },
    ].map((each, at) => ({ ...each, id: at + 1, identifier: `${at + 1}.bin` })),
  };
  const start = async (change: Partial<World> = {}) => {
    const opened = await openDock(tab, { ...world, ...change });
    await entry(/^8/);
    // Positions as the list computed them.
    for (const li of document.querySelectorAll<HTMLElement>('[data-entry]'))
      li.getBoundingClientRect = () => new DOMRect(0, parseFloat(li.style.top), 300, 46);
    return opened;
  };
  const selected = () =>
    screen
      .queryAllByRole('listitem', { description: 'Selected' })
      .map((li) => Number(li.getAttribute('data-entry')))
      .toSorted((a, b) => a - b);
  const labels = (menu: HTMLElement) =>
    [...menu.querySelectorAll('[slot="label"]')].map((label) => label.textContent);

  it('makes it with the mouse: alone, with Shift a range, with Ctrl one more or less', again, async () => {
    const { user } = await start();
    await user.click(await entry(/^3/));
    expect(selected()).toEqual([3]);
    await user.keyboard('{Shift>}');
    await user.click(await entry(/^6/));
    await user.keyboard('{/Shift}');
    await waitFor(() => expect(selected()).toEqual([3, 4, 5, 6]));
    await user.keyboard('{Control>}');
    await user.click(await entry(/^4/));
    await user.click(await entry(/^1/));
    await user.keyboard('{/Control}');
    expect(selected()).toEqual([1, 3, 5, 6]);
    const spoken = () => screen.getByRole('status', { name: 'Messages' }).textContent;
    await waitFor(() => expect(spoken()).toBe('4 selected'));
    await expectAccessible(document.body);
    await user.click(await entry(/^2/));
    expect(selected()).toEqual([2]);
  });

  it('makes it with the keyboard: arrows, Shift, Ctrl+Space, Ctrl+A, and ends it by Esc', again, async () => {
    const { user } = await start();
    act(() => screen.getByRole('listitem', { name: /^2/ }).focus());
    await user.keyboard('{Shift>}{ArrowDown}{/Shift}');
    await waitFor(() => expect(selected()).toEqual([2, 3]));
    await user.keyboard('{ArrowUp}{ArrowDown}');
    expect(selected()).toEqual([3]);
    await user.keyboard('{Shift>}{ArrowDown}{/Shift}');
    await waitFor(() => expect(selected()).toEqual([3, 4]));
    await user.keyboard('{Shift>}{ArrowDown}{/Shift}');
    await waitFor(() => expect(selected()).toEqual([3, 4, 5]));
    await user.keyboard('{Control>}{ArrowDown} {/Control}');
    expect(document.activeElement).toBe(await entry(/^6/));
    expect(selected()).toEqual([3, 4, 5, 6]);
    await user.keyboard('{Control>}a{/Control}');
    await waitFor(() => expect(selected()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]));
    await user.keyboard('{Escape}');
    expect(selected()).toEqual([]);
    const spoken = () => screen.getByRole('status', { name: 'Messages' }).textContent;
    await waitFor(() => expect(spoken()).toBe('Nothing selected'));
  });

  it('shows the folder of what several have saved', again, async () => {
    const { user, inputsOf } = await start({
      [tab]: world[tab].map((each) =>
        each.id < 3
          ? { ...each, state: 'done', outcome: { kind: 'saved', fileName: 'a', verifiedBy: 'digest' } }
          : each,
      ),
    });
    act(() => screen.getByRole('listitem', { name: /^2/ }).focus());
    await user.keyboard('{Control>}a{/Control}');
    await waitFor(() => expect(selected()).toHaveLength(8));
    fireEvent.contextMenu(await entry(/^4/), { clientX: 20, clientY: 20 });
    await user.click(await screen.findByRole('menuitem', { name: 'Show in folder' }));
    expect(inputsOf('transfers.showInFolder')).toEqual([{ ids: [1, 2] }]);
  });

  it('offers actions in its menu, with counts, for the transfers they apply to', again, async () => {
    const { user, inputsOf } = await start();
    act(() => screen.getByRole('listitem', { name: /^2/ }).focus());
    await user.keyboard('{Control>}a{/Control}');
    await waitFor(() => expect(selected()).toHaveLength(8));
    const choose = async (name: string) => {
      fireEvent.contextMenu(await entry(/^4/), { clientX: 20, clientY: 20 });
      const menu = await screen.findByRole('menu', { name: '8 selected' });
      expect(labels(menu)).toEqual([
        'Pause 4 of 8',
        'Resume 1 of 8',
        'Move 4 of 8 to top',
        'Move up',
        'Move down',
        'Try 2 of 8 again',
        'Now',
        'Normal',
        'When idle',
        'Cancel 5 of 8',
      ]);
      expect(menu.textContent).toContain('Priority, 4 of 8');
      await user.click(within(menu).getByRole('menuitem', { name }));
    };
    for (const name of [
      'Pause 4 of 8',
      'Resume 1 of 8',
      'Move 4 of 8 to top',
      'When idle',
      'Try 2 of 8 again',
      'Cancel 5 of 8',
    ])
      await choose(name);
    expect(inputsOf('transfers.pause')).toEqual([{ which: [2, 3, 4, 5] }]);
    expect(inputsOf('transfers.resume')).toEqual([{ which: [6] }]);
    expect(inputsOf('transfers.reorder')).toEqual([{ ids: [3, 4, 5, 6], before: 'top' }]);
    expect(inputsOf('transfers.setPriority')).toEqual([{ ids: [3, 4, 5, 6], priority: 'whenIdle' }]);
    expect(inputsOf('transfers.retry')).toEqual([{ which: [1, 7] }]);
    expect(inputsOf('transfers.cancel')).toEqual([{ which: [2, 3, 4, 5, 6] }]);
  });

  it(
    'offers actions by keyboard for the current selection; a transfer outside of it is handled alone',
    again,
    async () => {
      const { user, inputsOf, set } = await start();
      await user.click(await entry(/^3/));
      await user.keyboard('{Shift>}{ArrowDown}{ArrowDown}{/Shift}');
      await waitFor(() => expect(selected()).toEqual([3, 4, 5]));
      set({
        transfers: world.transfers.filter(({ id }) => id !== 4),
        jobs: world.jobs.filter(({ id }) => id !== 4),
      });
      await user.keyboard(' ');
      await user.keyboard('{Alt>}{Shift>}{ArrowUp}{/Shift}{/Alt}');
      await user.keyboard('{Delete}');
      await waitFor(() => expect(inputsOf('transfers.cancel')).toEqual([{ which: [3, 5] }]));
      expect(inputsOf('transfers.pause')).toEqual([{ which: [3, 5] }]);
      expect(inputsOf('transfers.reorder')).toEqual([{ ids: [3, 5], before: 'top' }]);
      await user.keyboard('{Control>}{ArrowDown}{/Control}{Delete}');
      await waitFor(() => expect(inputsOf('transfers.cancel').at(-1)).toEqual({ which: [6] }));
      await waitFor(() => expect(selected()).toEqual([3, 5]));
    },
  );

  it('moves as a whole, by keyboard and by dragging', again, async () => {
    const { inputsOf, user } = await start();
    await user.click(await entry(/^3/));
    await user.keyboard('{Control>}');
    await user.click(await entry(/^5/));
    await user.keyboard('{/Control}{Alt>}{ArrowDown}{/Alt}');
    await waitFor(() => expect(inputsOf('transfers.reorder')).toEqual([{ ids: [3, 5], before: 6 }]));
    const five = await entry(/^5/);
    const grip = five.querySelector('.transfer__grip');
    if (grip === null) throw new Error('no grip');
    fireEvent.pointerDown(grip, { button: 0, clientY: 0 });
    fireEvent.pointerMove(window, { clientY: 10_000 });
    expect(document.querySelectorAll('.is-dragged')).toHaveLength(2);
    fireEvent.pointerUp(window, { clientY: 10_000 });
    await waitFor(() => expect(inputsOf('transfers.reorder').at(-1)).toEqual({ ids: [3, 5], before: null }));
  });

  it('keeps transfers that move, and includes those that are not loaded', again, async () => {
    const many = Array.from({ length: 700 }, (_, at) => at + 1);
    const { user, set, inputsOf } = await openDock(tab, {
      transfers: many.map((id) => ({ ...testTransfer, id, identifier: `${id}.bin` })),
      jobs: many.map((id) => ({ ...deferred, id, identifier: `${id}.bin` })),
    });
    await user.click(await entry(/^2\.bin/));
    await user.keyboard('{Control>}a{/Control}');
    await waitFor(() => expect(selected().length).toBeGreaterThan(5));
    set({});
    fireEvent.contextMenu(await entry(/^3\.bin/), { clientX: 20, clientY: 20 });
    await user.click(await screen.findByRole('menuitem', { name: 'Pause 700' }));
    expect(inputsOf('transfers.pause')).toEqual([{ which: many }]);
  });

  it('survives closing and reopening its tab', again, async () => {
    const { user } = await start();
    await user.click(await entry(/^3/));
    await user.keyboard('{Shift>}{ArrowDown}{/Shift}');
    await waitFor(() => expect(selected()).toEqual([3, 4]));
    await user.click(screen.getByRole('tab', { name: tab === 'jobs' ? /^Transfers/ : /^Jobs/ }));
    expect(selected()).toEqual([]);
    await user.click(screen.getByRole('tab', { name: tab === 'jobs' ? /^Jobs/ : /^Transfers/ }));
    await entry(/^8/);
    expect(selected()).toEqual([3, 4]);
    await user.click(await entry(/^5/));
    expect(selected()).toEqual([5]);
  });

  it('can consist of transfers held up by one cause', again, async () => {
    const held = [101, 102, 103].map((id) => ({
      id,
      identifier: `held/${id}.bin`,
      waitingFor: 'network' as const,
    }));
    const { user, inputsOf } = await openDock(tab, {
      summary: { causes: [{ ...away, count: 3 }] },
      held: held.map((each) => ({ ...testTransfer, ...each })),
      heldJobs: held.map((each) => ({ ...deferred, ...each })),
    });
    await user.click(await screen.findByRole('button', { name: /^Show each/ }));
    await user.click(await entry(/^held.101/));
    await user.keyboard('{Shift>}');
    await user.click(await entry(/^held.102/));
    await user.keyboard('{/Shift}');
    expect(selected()).toEqual([101, 102]);
    await user.keyboard('{Delete}');
    await waitFor(() => expect(inputsOf('transfers.cancel')).toEqual([{ which: [101, 102] }]));
  });
});
