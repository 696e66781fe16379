import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Input, ObjectRow, Output } from '../../../shared/contract.ts';
import type { ObjectQuery, Selection } from '../../../shared/domain/object.ts';
import type { Favourite } from '../../../shared/domain/shown-list.ts';
import { settingsDefault } from '../../../shared/domain/settings.ts';
import type { Task } from '../../../shared/domain/task.ts';
import { AppFailure } from '../../../shared/app-failure.ts';
import { AppProvider } from '../../app/AppProvider.tsx';
import { features } from '../../features.ts';
import { runCommand } from '../../app/commands.ts';
import { useDock } from '../../app/dock.ts';
import { useFirstUpload } from '../../app/first-upload.ts';
import { usePlace } from '../../app/place.ts';
import {
  type Answers,
  expectAccessible,
  inTeam,
  mixWithFailed,
  renderInApp,
  testObject,
  testService,
  testTask,
} from '../../../../test-support/renderer/testing.tsx';
import { LiveRegions } from '../../ui/announce.tsx';
import { showKnown } from './shown-known.ts';
import { seekObject, useBrowser } from './state/browser-store.ts';
import { selectIds } from './state/selection.ts';
import { AddKnown } from './AddKnownDialog.tsx';
import { ObjectsView } from './ObjectsView.tsx';

const million = 1_000_000;

function makeRow(index: number): ObjectRow {
  return {
    ...testObject,
    id: index + 1,
    identifier: `reports/2026/object-${index}.pdf`,
    state: index === 2 ? 'missing' : 'stored',
    lengthBytes: 1000 * index,
    sha256: index.toString(16).padStart(64, '0'),
    classification: index % 2 === 0 ? 'Internal' : null,
    storedAtMs: 1_700_000_000_000,
  };
}

/** A list of a million rows; each letter of a search finds one row less. */
function totalOf({ search }: ObjectQuery): number {
  return search === 'nothing' ? 0 : million - search.length;
}

/** State of the simulated main process. */
let keptCount = million;
const frozen = { kind: 'frozen' as const, ticket: '5f0c1a52-5a0e-4c8e-9d57-0f7d3a1b2c3d' };

function countOf(selection: Selection): number {
  if (selection.kind === 'folders') return selection.paths.length;
  if (selection.kind === 'frozen')
    return keptCount - (selection.exceptIds?.length ?? 0) + (selection.plusIds?.length ?? 0);
  return selection.kind === 'ids'
    ? selection.ids.length
    : totalOf(selection.query) - selection.exceptIds.length;
}

function pageOf({ query, offset, limit }: Input<'objects.page'>): Output<'objects.page'> {
  const total = totalOf(query);
  const length = Math.max(0, Math.min(limit, total - offset));
  const rows = Array.from({ length }, (_, at) => makeRow(offset + at));
  return { revision: 1, total, totalBytes: 0, offset, rows };
}

/** So many that a deletion is asked about. */
const manyObjects = { count: 21, totalBytes: 15_500_000, unknownLengths: 0 };

const answers: Answers = {
  'objects.page': pageOf,
  'objects.selectRange': ({ from, to }) => {
    const [first, last] = [Math.min(from.index, to.index), Math.max(from.index, to.index)];
    const count = last - first + 1;
    // A row's id is its index plus one.
    const bytes = '\xff'.repeat(Math.floor(count / 8)) + String.fromCharCode((1 << (count % 8)) - 1);
    keptCount = count;
    return { selection: frozen, count, firstId: first + 1, bits: btoa(bytes) };
  },
  'objects.savedFile': () => ({ saved: null }),
  'objects.savedFiles': () => ({ transferIds: [] }),
  'objects.mixOf': () => mixWithFailed(0),
  'objects.indexOf': ({ id }) => ({ index: id - 1 }),
  'objects.freeze': () => ({ selection: frozen }),
  'objects.freezeVersions': ({ selection }) => ({
    selection: selection.kind === 'frozen' ? selection : frozen,
    older: 0,
  }),
  'objects.summarize': ({ selection }) => ({
    count: countOf(selection),
    totalBytes: 15_500_000,
    unknownLengths: 0,
  }),
  'objects.names': ({ limit }) => ({
    rows: Array.from({ length: Math.min(3, limit) }, (_, at) => makeRow(at)),
  }),
  'objects.check': () => testTask,
  'objects.delete': () => testTask,
  'objects.addKnown': () => testTask,
  'objects.copyIdentifiers': ({ selection }) => ({ count: countOf(selection) }),
  'objects.downloadDeferred': ({ selection }) => ({ count: countOf(selection) }),
  'objects.download': ({ selection }) => ({ count: countOf(selection) }),
  'objects.downloadEstimate': ({ selection }) => ({
    count: countOf(selection),
    totalBytes: 1000,
    unknownLengths: 0,
    freeBytes: 1_000_000,
  }),
  'settings.update': () => {
    throw new AppFailure({ code: 'unexpected', reference: 'r' });
  },
};

beforeEach(() => {
  keptCount = million;
  usePlace.setState({ ...usePlace.getInitialState(), place: { kind: 'all' } }, true);
  useBrowser.setState(useBrowser.getInitialState(), true);
  useDock.setState(useDock.getInitialState(), true);
  showKnown(null);
  // jsdom has no layout. Ten rows below the column headings: each render draws them all.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(348);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(900);
});

async function renderView(more: Answers = {}) {
  const app = renderInApp(<ObjectsView />, { ...answers, ...more });
  await screen.findByRole('row', { name: /^reports\/2026\/object-0\.pdf/ });
  const grid = screen.getByRole('grid', { name: 'Objects' });
  const inputOf = (name: string) => app.main.calls.findLast((call) => call.name === name)?.input;
  return { ...app, grid, inputOf };
}

const row = (index: number) => screen.getByRole('row', { name: new RegExp(`object-${index}\\.pdf`) });

function selectedRows(): (string | null)[] {
  return screen
    .queryAllByRole('row', { selected: true })
    .map((row) => /object-(\d+)/.exec(row.getAttribute('aria-label') ?? '')?.[1] ?? null);
}

describe('the first upload', () => {
  it.each([
    ['of an empty list is selected, with its details, also in a narrow window', 0, ['0']],
    ['is that of an empty list only', 1, []],
  ])('%s', async (_, before, selected) => {
    useDock.setState({ tab: 'transfers', isOpen: false, isNarrow: true });
    let count = before;
    const page = (revision: number) => ({
      revision,
      total: count,
      totalBytes: 0,
      offset: 0,
      rows: Array.from({ length: count }, (_each, index) => makeRow(index)),
    });
    const { main } = renderInApp(<ObjectsView />, { ...answers, 'objects.page': () => page(1 + count) });
    await waitFor(() => expect(useFirstUpload.getState().isListEmpty).toBe(before === 0));
    if (before > 0) await screen.findByRole('row', { name: /object-0/ });
    // As the upload sheet does.
    act(() => useFirstUpload.setState({ isAwaited: useFirstUpload.getState().isListEmpty }));
    count += 1;
    act(() => main.emit('objects.changed', { serviceId: 'p1', revision: 1 + count }));
    await screen.findByRole('row', { name: new RegExp(`object-${before}`) });
    await waitFor(() => expect(selectedRows()).toEqual(selected));
    expect(useDock.getState()).toMatchObject(
      before === 0 ? { tab: 'details', isOpen: true } : { tab: 'transfers', isOpen: false },
    );
  });
});

describe('a large download', () => {
  it('asks about it with count, size and free space, and begins only then', async () => {
    const { user, grid, inputOf } = await renderView({
      'objects.downloadEstimate': () => ({
        count: 1001,
        totalBytes: 25e12,
        unknownLengths: 2,
        freeBytes: 1e12,
      }),
    });
    await user.click(within(grid).getByRole('row', { name: /object-1\.pdf/ }));
    await user.click(screen.getByRole('button', { name: 'Download' }));
    const question = await screen.findByRole('alertdialog', { name: 'Download 1,001 objects?' });
    expect(question.textContent).toContain('Total size: 25.0 TB. Free on the disk: 1.0 TB.');
    expect(question.textContent).toContain('The sizes of 2 objects aren’t known.');
    await expectAccessible(question);
    await user.keyboard('{Enter}');
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(inputOf('objects.download')).toBeUndefined();
    await user.click(screen.getByRole('button', { name: 'Download' }));
    await user.click(await screen.findByRole('button', { name: 'Download 1,001 objects' }));
    await waitFor(() => expect(inputOf('objects.download')).toMatchObject({ saveAs: false, below: '' }));
  });
});

describe('an object of which nothing was stored', () => {
  it('offers to remove it from the list, and not to delete, check or download it', async () => {
    const { user, grid, inputOf } = await renderView({
      'objects.page': (input) => {
        const page = pageOf(input);
        return {
          ...page,
          rows: page.rows.map((row) => ({ ...row, state: 'failed' as const, transfer: null })),
        };
      },
      'objects.forget': () => ({ forgotten: 1, removal: null }),
    });
    render(<LiveRegions />);
    await user.click(await within(grid).findByRole('row', { name: /object-1\.pdf/ }));
    expect(await screen.findByRole('button', { name: 'Remove from list' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Delete' })).toBeNull();
    act(() => {
      runCommand('check');
      runCommand('download');
    });
    expect(screen.getByRole('status', { name: 'Messages' }).textContent).toContain('Nothing was stored.');
    expect([inputOf('objects.check'), inputOf('objects.download')]).toEqual([undefined, undefined]);
    await user.keyboard('{Delete}');
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(inputOf('objects.forget')).toEqual({ selection: { kind: 'ids', ids: [2] } });
  });

  it('puts what was removed from the list back, and says what is on it again already', async () => {
    const removal = '0d1f7a52-6f0b-4b8e-9d0e-3f6c0f0f5a01';
    const { user, inputOf } = await renderView({
      'objects.mixOf': ({ selection }) => mixWithFailed(countOf(selection)),
      'objects.forget': () => ({ forgotten: 2, removal }),
      'objects.putBack': () => ({ count: 1 }),
    });
    render(<LiveRegions />);
    await user.click(row(1));
    await user.keyboard('{Shift>}{ArrowDown}{/Shift}{Delete}');
    const dialog = await screen.findByRole('alertdialog', { name: 'Remove 2 objects from the list?' });
    await user.click(within(dialog).getByRole('button', { name: 'Remove from list' }));
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(inputOf('objects.putBack')).toEqual({ removal }));
    await waitFor(() =>
      expect(screen.getByRole('status', { name: 'Messages' }).textContent).toContain(
        '1 object is on the list again. 1 is not put back: its identifier is on the list again.',
      ),
    );
  });

  it('confirms that it is removed from the list, with nothing to delete', async () => {
    const { user, main, inputOf } = await renderView({
      'objects.mixOf': ({ selection }) => mixWithFailed(countOf(selection)),
      'objects.forget': () => ({ forgotten: 2, removal: null }),
    });
    await user.click(row(1));
    await user.keyboard('{Shift>}{ArrowDown}{/Shift}{Delete}');
    const dialog = await screen.findByRole('alertdialog', { name: 'Remove 2 objects from the list?' });
    expect(dialog.textContent).toContain('None of them was ever stored');
    expect(dialog.textContent).not.toContain('undone');
    await user.click(within(dialog).getByRole('button', { name: 'Remove from list' }));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(inputOf('objects.forget')).toEqual({
      selection: { kind: 'ids', ids: [2, 3] },
      unstoredOnly: true,
    });
    expect(main.calls.some(({ name }) => name === 'objects.delete')).toBe(false);
  });

  it('distinguishes it from deleted objects when both are selected', async () => {
    const { user, inputOf } = await renderView({
      'objects.mixOf': () => mixWithFailed(1),
      'objects.forget': () => ({ forgotten: 1, removal: null }),
    });
    await user.click(row(1));
    await user.keyboard('{Shift>}{ArrowDown}{ArrowDown}{/Shift}{Delete}');
    const dialog = await screen.findByRole('alertdialog', { name: 'Delete 2 objects?' });
    expect(dialog.textContent).toContain('1 more was never stored and is only removed from the list.');
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }));
    const selection = { kind: 'ids', ids: [2, 3, 4] };
    await waitFor(() => expect(inputOf('objects.delete')).toEqual({ selection, isHeld: true }));
    expect(inputOf('objects.forget')).toEqual({ selection, unstoredOnly: true });
  });
});

describe('versions', () => {
  const folded: Answers = {
    'objects.page': (input) => {
      const page = pageOf(input);
      if (input.query.allVersions === true) return page;
      const [first, ...others] = page.rows;
      if (first === undefined) return page;
      const newest = {
        ...first,
        identifier: 'reports/2026/object-0@5.pdf',
        versions: { base: first.identifier, count: 5 },
      };
      return { ...page, folded: 4, rows: [newest, ...others] };
    },
  };

  it('share one row with their common name and count, unless switched off', async () => {
    const { user, inputOf } = await renderView({ ...folded, 'settings.update': () => settingsDefault });
    const first = screen.getByRole('row', { name: /^reports\/2026\/object-0\.pdf, 5 versions, / });
    expect(first.textContent).toContain('object-0.pdf5');
    expect(within(first).getByTitle('reports/2026/object-0@5.pdf')).toBeTruthy();
    expect(screen.getByText('1,000,004')).toBeTruthy();
    await expectAccessible(first);
    await user.click(screen.getByRole('button', { name: 'Columns' }));
    await user.click(await screen.findByRole('menuitem', { name: /^Show all versions/ }));
    expect(inputOf('settings.update')).toEqual({ showAllVersions: true });
  });

  it('lists them one by one when all versions are shown', async () => {
    const { inputOf } = await renderView({
      ...folded,
      'settings.get': () => ({ ...settingsDefault, showAllVersions: true }),
    });
    await waitFor(() => expect(inputOf('objects.page')).toMatchObject({ query: { allVersions: true } }));
  });

  it('deletes them with the newest version only on request', async () => {
    const { user, inputOf } = await renderView({
      ...folded,
      'objects.freezeVersions': () => ({ selection: frozen, older: 4 }),
    });
    keptCount = 5;
    await user.click(row(0));
    await user.keyboard('{Delete}');
    const dialog = await screen.findByRole('alertdialog', { name: 'Delete 1 object?' });
    const older = await within(dialog).findByRole('checkbox', { name: 'And its 4 older versions' });
    await user.click(older);
    const both = await screen.findByRole('alertdialog', { name: 'Delete 5 objects?' });
    await expectAccessible(both);
    await user.click(within(both).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(inputOf('objects.delete')).toEqual({ selection: frozen, isHeld: true }));
  });
});

describe('objects', () => {
  it('shows a million rows with few elements, accessibly', async () => {
    const { grid, container } = await renderView();
    expect(grid.getAttribute('aria-rowcount')).toBe('1000001');
    expect(screen.getAllByRole('row').length).toBeLessThan(20);
    expect(screen.getByRole('heading', { name: 'All objects' })).toBeTruthy();
    expect(
      screen.getByRole('row', { name: 'reports/2026/object-2.pdf, Internal, 2 KB, Missing' }),
    ).toBeTruthy();
    expect(screen.getByRole('columnheader', { name: 'Date stored' }).getAttribute('aria-sort')).toBe(
      'descending',
    );
    await expectAccessible(container);
  });

  it('names who stored objects where somebody else did, and keeps the column while the list is open', async () => {
    let storedBy: string | undefined;
    let revision = 1;
    const { main } = await renderView({
      ...inTeam(),
      'objects.page': (input) => {
        const page = pageOf(input);
        const rows = page.rows.map((each) => ({ ...each, ...(storedBy !== undefined && { storedBy }) }));
        return { ...page, rows, revision };
      },
    });
    const show = (name: string | undefined) => {
      storedBy = name;
      revision += 1;
      act(() => main.emit('objects.changed', { serviceId: 'p1', revision }));
    };
    const column = () => screen.queryByRole('columnheader', { name: 'Stored by' });
    await waitFor(() => expect(main.answered).toContain('team.status'));
    expect(column()).toBeNull();
    show('Ruth Okafor');
    await waitFor(() => expect(column()).not.toBeNull());
    show(undefined);
    await waitFor(() => expect(screen.queryByText('Ruth Okafor')).toBeNull());
    expect(column()).not.toBeNull();
  });

  it('moves to the last row and back by keyboard, with the focused row named', async () => {
    const { user, grid } = await renderView();
    grid.focus();
    await user.keyboard('{End}');
    const last = await screen.findByRole('row', { name: /object-999999\.pdf/ });
    expect(grid.getAttribute('aria-activedescendant')).toBe(last.id);
    expect(last.getAttribute('aria-rowindex')).toBe('1000001');
    expect(screen.getAllByRole('row').length).toBeLessThan(20);
    await user.keyboard('{Home}');
    await screen.findByRole('row', { name: /object-0\.pdf/ });
    expect(selectedRows()).toEqual(['0']);
  });

  it('selects with the mouse: one, more, a range', async () => {
    const { user } = await renderView();
    await user.click(row(3));
    await waitFor(() => expect(selectedRows()).toEqual(['3']));
    await user.keyboard('{Control>}');
    await user.click(row(5));
    await user.keyboard('{/Control}');
    await waitFor(() => expect(selectedRows()).toEqual(['3', '5']));
    await user.keyboard('{Shift>}');
    await user.click(row(8));
    await user.keyboard('{/Shift}');
    await waitFor(() => expect(selectedRows()).toEqual(['5', '6', '7', '8']));
    const bar = screen.getByRole('toolbar', { name: 'Selection' });
    expect(bar.textContent).toContain('4 selected');
    await within(bar).findByText('15.5 MB');
    // Focus by keyboard, which shows the hint without the hover delay.
    await user.tab();
    act(() => within(bar).getByRole('button', { name: 'Check' }).focus());
    expect((await screen.findByRole('tooltip')).textContent).toContain(
      'Check whether it is still at the service',
    );
    await user.click(within(bar).getByRole('button', { name: 'Clear selection' }));
    expect(screen.queryByRole('toolbar', { name: 'Selection' })).toBeNull();
  });

  it('selects with the keyboard: one, more, a range', async () => {
    const { user, grid } = await renderView();
    grid.focus();
    await user.keyboard('{ArrowDown}{Shift>}{ArrowDown}{ArrowDown}{/Shift}');
    await waitFor(() => expect(selectedRows()).toEqual(['1', '2', '3']));
    await user.keyboard('{Control>}{ArrowDown} {/Control}');
    await waitFor(() => expect(selectedRows()).toEqual(['1', '2', '3', '4']));
    await user.keyboard('{Home}{Shift>}{PageDown>2/}{/Shift}');
    await screen.findByText('19 selected');
    await user.keyboard('{Escape}');
    expect(screen.queryByText('19 selected')).toBeNull();
  });

  it('selects to either end of a million rows with Shift, by a range that main keeps', async () => {
    const { user, grid, inputOf } = await renderView();
    grid.focus();
    await user.keyboard('{ArrowDown}{Shift>}{End}{/Shift}');
    await screen.findByText('999,999 selected');
    await waitFor(() => expect(selectedRows()).toContain('999999'));
    expect(inputOf('objects.selectRange')).toMatchObject({ from: { id: 2, index: 1 }, and: null });
    // Main is asked by query, without a list of ids.
    await user.keyboard('{Control>}c{/Control}');
    await waitFor(() =>
      expect(inputOf('objects.copyIdentifiers')).toEqual({
        selection: { ...frozen, exceptIds: [], plusIds: [] },
      }),
    );
    // Toggling two rows keeps them as single ids beside the range.
    await user.keyboard('{Control>}{Home} {/Control}');
    await screen.findByText('1,000,000 selected');
    await user.keyboard('{Control>}{ArrowDown} {/Control}');
    await screen.findByText('999,999 selected');
    await waitFor(() => expect(selectedRows()).not.toContain('1'));
    await user.keyboard('{Control>}{Home}{/Control}{Control>}{Shift>}{End}{/Shift}{/Control}');
    await screen.findByText('1,000,000 selected');
    await user.keyboard('{End}');
    await screen.findByText('1 selected');
    expect(useBrowser.getState().selection).toEqual(selectIds([million]));
  });

  it('counts what is selected and still in the list', async () => {
    let left = 0;
    const { user, main } = await renderView({
      'objects.page': (asked) => ({ ...pageOf(asked), revision: left + 1 }),
      'objects.summarize': ({ selection }) => ({
        count: countOf(selection) - left,
        totalBytes: 1000,
        unknownLengths: 0,
      }),
    });
    await user.click(row(5));
    await user.keyboard('{Shift>}');
    await user.click(row(8));
    await user.keyboard('{/Shift}');
    await screen.findByText('4 selected');
    left = 1;
    act(() => main.emit('objects.changed', { serviceId: 'p1', revision: 2 }));
    expect(await screen.findByText('3 selected')).toBeTruthy();
  });

  it('says how large the selected objects are, as far as their sizes are known', async () => {
    let unknownLengths = 0;
    const { user, main } = await renderView({
      'objects.page': (asked) => ({ ...pageOf(asked), revision: unknownLengths + 1 }),
      'objects.summarize': ({ selection }) => ({
        count: countOf(selection),
        totalBytes: unknownLengths === 4 ? 0 : 15_500_000,
        unknownLengths,
      }),
    });
    await user.click(row(5));
    await user.keyboard('{Shift>}');
    await user.click(row(8));
    await user.keyboard('{/Shift}');
    const bar = screen.getByRole('toolbar', { name: 'Selection' });
    await within(bar).findByText('15.5 MB');
    unknownLengths = 1;
    act(() => main.emit('objects.changed', { serviceId: 'p1', revision: 2 }));
    await within(bar).findByText('≥ 15.5 MB');
    unknownLengths = 4;
    act(() => main.emit('objects.changed', { serviceId: 'p1', revision: 5 }));
    await waitFor(() => expect(bar.textContent).not.toMatch(/\d\s(?:B|MB)/));
    expect(within(bar).getByText('4 selected')).toBeTruthy();
  });

  it('keeps the focus on its row while rows are added and removed above', async () => {
    let arrived = 0;
    const { user, grid, main } = await renderView({
      'objects.page': (asked) => {
        const page = pageOf(asked);
        const rows = page.rows.map((_, at) => ({
          ...makeRow(asked.offset + at - arrived),
          id: asked.offset + at - arrived + 10_000,
        }));
        return { ...page, revision: arrived + 1, total: million + arrived, rows };
      },
      'objects.indexOf': ({ id }) => ({ index: id - 10_000 + arrived }),
    });
    const standing = () => document.getElementById(grid.getAttribute('aria-activedescendant') ?? '');
    grid.focus();
    await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}');
    expect(standing()?.getAttribute('aria-label')).toContain('object-3.pdf');
    const arrive = (rows: number) => {
      arrived += rows;
      act(() => main.emit('objects.changed', { serviceId: 'p1', revision: arrived + 1 }));
    };
    arrive(2);
    await waitFor(() => expect(useBrowser.getState().cursor).toBe(5));
    expect(standing()?.getAttribute('aria-label')).toContain('object-3.pdf');
    arrive(5000);
    await waitFor(() => expect(useBrowser.getState().cursor).toBe(5005));
    // A selection continues from the same row too.
    await user.keyboard('{Shift>}{ArrowDown}{/Shift}');
    await waitFor(() => expect(standing()?.getAttribute('aria-label')).toContain('object-4.pdf'));
    await screen.findByText('2 selected');
  });

  it('selects and copies everything a filter finds', async () => {
    const { user, grid, inputOf } = await renderView();
    await user.click(screen.getByRole('searchbox', { name: 'Search objects' }));
    await user.paste('abc');
    await waitFor(() => expect(grid.getAttribute('aria-rowcount')).toBe('999998'));
    grid.focus();
    await user.keyboard('{Control>}a{/Control}');
    expect(screen.getByText('999,997 selected')).toBeTruthy();
    await user.keyboard('{Control>}c{/Control}');
    await waitFor(() =>
      expect(inputOf('objects.copyIdentifiers')).toMatchObject({
        selection: { kind: 'query', query: { search: 'abc' }, exceptIds: [] },
      }),
    );
  });

  it('shows that nothing was found, and clears the search with Escape', async () => {
    const { user } = await renderView();
    const search = screen.getByRole('searchbox', { name: 'Search objects' });
    await user.click(search);
    await user.paste('nothing');
    await screen.findByRole('heading', { name: 'Nothing found' });
    await user.keyboard('{Escape}');
    await screen.findByRole('grid', { name: 'Objects' });
    expect(search).toHaveProperty('value', '');
  });

  it('shows suggestions in the bar, and inserts a pressed one', async () => {
    const { user, inputOf } = await renderView();
    const search = screen.getByRole('searchbox', { name: 'Search objects' });
    const hint = () => screen.queryByRole('button', { name: 'size:>1mb' });
    expect(hint()).toBeNull();
    await user.click(search);
    const description = document.getElementById(search.getAttribute('aria-describedby') ?? '');
    expect(description?.textContent).toMatch(/^Name, file or note\. Narrow it with.*state:missing/);
    expect(hint()?.closest('.topbar')).not.toBeNull();
    await user.click(hint() ?? search);
    expect(search).toHaveProperty('value', 'size:>1mb');
    expect(document.activeElement).toBe(search);
    expect(hint()).toBeNull();
    await waitFor(() => expect(inputOf('objects.page')).toMatchObject({ query: { search: 'size:>1mb' } }));
    await user.clear(search);
    expect(hint()).not.toBeNull();
    await user.click(screen.getByRole('row', { name: /object-1\.pdf/ }));
    expect(hint()).toBeNull();
    expect(selectedRows()).toHaveLength(1);
  });

  it('sorts by a press on a heading, and reverses with another', async () => {
    const { user } = await renderView();
    await user.click(screen.getByRole('button', { name: 'Size' }));
    const size = screen.getByRole('columnheader', { name: 'Size' });
    await waitFor(() => expect(size.getAttribute('aria-sort')).toBe('descending'));
    await user.click(screen.getByRole('button', { name: 'Size' }));
    await waitFor(() => expect(size.getAttribute('aria-sort')).toBe('ascending'));
  });

  it('sets a column’s width by its handle, with keys, and with a double press', async () => {
    const kept: unknown[] = [];
    const { user } = await renderView({
      'settings.update': (change) => {
        kept.push(change);
        return settingsDefault;
      },
    });
    const edge = screen.getByRole('separator', { name: 'Width of Size' });
    // jsdom has no pointer capture.
    edge.setPointerCapture = () => undefined;
    expect(edge.getAttribute('aria-valuenow')).toBe('62');
    expect(edge.getAttribute('aria-valuetext')).toBe('62 pixels');
    edge.focus();
    await user.keyboard('{ArrowLeft}');
    await waitFor(() => expect(kept).toEqual([{ columnWidths: { size: 70 } }]));
    expect(edge.getAttribute('aria-valuenow')).toBe('70');
    // The maximum width before another column is hidden.
    await user.keyboard('{End}');
    await waitFor(() => expect(kept.at(-1)).toEqual({ columnWidths: { size: 317 } }));
    await user.keyboard('{Home}');
    await waitFor(() => expect(kept.at(-1)).toEqual({ columnWidths: { size: 40 } }));
    await user.dblClick(edge);
    await waitFor(() => expect(kept.at(-1)).toEqual({ columnWidths: {} }));
    expect(edge.getAttribute('aria-valuenow')).toBe('62');
    // Pressing alone changes nothing.
    expect(kept).toHaveLength(4);
  });

  it('offers the file of an earlier download, and reports if it is gone', async () => {
    const saved = { transferId: 9, fileName: 'object-1.pdf', isOpenable: true };
    let state: 'there' | 'changed' | 'gone' = 'there';
    const { user, inputOf } = await renderView({
      'objects.savedFile': ({ id }) => ({ saved: id === 2 ? { ...saved, state } : null }),
      'transfers.openFile': () => ({ fileName: 'object-1.pdf', isChanged: true }),
      'transfers.showInFolder': () => undefined,
    });
    render(<LiveRegions />);
    const openMenu = async (index: number) => {
      await user.pointer({ target: row(index), keys: '[MouseRight]' });
      return within(await screen.findByRole('menu'));
    };
    await user.click((await openMenu(1)).getByRole('menuitem', { name: 'Open the download' }));
    expect(inputOf('transfers.openFile')).toEqual({ id: 9 });
    const messages = screen.getByRole('status', { name: 'Messages' });
    await waitFor(() => expect(messages.textContent).toContain('has changed since it was downloaded.'));
    await user.click((await openMenu(1)).getByRole('menuitem', { name: 'Show in folder' }));
    expect(inputOf('transfers.showInFolder')).toEqual({ ids: [9] });
    state = 'gone';
    const gone = (await openMenu(1)).getByRole('menuitem', { name: 'Open the download' });
    expect(gone.getAttribute('aria-disabled')).toBe('true');
    expect(gone.textContent).toContain('File moved or deleted');
    expect(screen.queryByRole('menuitem', { name: 'Show in folder' })).toBeNull();
    await user.keyboard('{Escape}');
    expect((await openMenu(3)).queryByRole('menuitem', { name: 'Open the download' })).toBeNull();
  });

  it('shows a copy in its folder in place of opening a kind that could do more than show something', async () => {
    const { user, inputOf } = await renderView({
      'objects.page': (input) => {
        const page = pageOf(input);
        const rows = page.rows.map((each) => ({
          ...each,
          identifier: each.id === 2 ? 'reports/2026/object-1.pdf.html' : each.identifier,
        }));
        return { ...page, rows };
      },
      'edits.open': () => undefined,
    });
    render(<LiveRegions />);
    const openMenu = async (index: number) => {
      await user.pointer({ target: row(index), keys: '[MouseRight]' });
      return within(await screen.findByRole('menu'));
    };
    const menu = await openMenu(1);
    expect(menu.queryByRole('menuitem', { name: 'Open' })).toBeNull();
    const shows = menu.getByRole('menuitem', { name: 'Show a copy in its folder' });
    expect(shows.textContent).toContain('Coffer doesn’t open files of this kind');
    await user.click(shows);
    expect(inputOf('edits.open')).toEqual({ objectId: 2 });
    const messages = screen.getByRole('status', { name: 'Messages' });
    await waitFor(() =>
      expect(messages.textContent).toContain(
        'to show it in its folder. Coffer doesn’t open files of this kind',
      ),
    );
    expect(useBrowser.getState().isOnlyShown).toBe(true);
    expect((await openMenu(3)).getByRole('menuitem', { name: 'Open' })).toBeTruthy();
    expect(useBrowser.getState().isOnlyShown).toBe(false);
  });

  it('shows the folder of the downloads of several', async () => {
    const { user, inputOf } = await renderView({
      'objects.savedFiles': () => ({ transferIds: [9, 11] }),
      'transfers.showInFolder': () => undefined,
    });
    await user.click(row(1));
    await user.keyboard('{Control>}');
    await user.click(row(3));
    await user.keyboard('{/Control}');
    await user.pointer({ target: row(3), keys: '[MouseRight]' });
    await user.click(
      within(await screen.findByRole('menu')).getByRole('menuitem', { name: 'Show in folder' }),
    );
    expect(inputOf('objects.savedFiles')).toEqual({ selection: { kind: 'ids', ids: [2, 4] } });
    expect(inputOf('transfers.showInFolder')).toEqual({ ids: [9, 11] });
  });

  it('opens with Enter and a double click, edits, and shows Details if it cannot be opened', async () => {
    const { user, inputOf } = await renderView({
      'edits.open': () => undefined,
      'edits.begin': () => ({ id: '7d8f6e0a-4a52-4f0c-9d0c-0a0d7d5b3c11', isNew: true }),
    });
    await user.click(row(1));
    await user.keyboard('{Enter}');
    expect(inputOf('edits.open')).toEqual({ objectId: 2 });
    await user.dblClick(row(3));
    expect(inputOf('edits.open')).toEqual({ objectId: 4 });
    await act(async () => void runCommand('edit'));
    expect(inputOf('edits.begin')).toEqual({ objectId: 4 });
    await user.pointer({ target: row(5), keys: '[MouseRight]' });
    await user.click(within(await screen.findByRole('menu')).getByRole('menuitem', { name: /^Edit/ }));
    expect(inputOf('edits.begin')).toEqual({ objectId: 6 });
    // A missing object cannot be opened: Enter shows its details.
    useDock.setState({ tab: 'transfers' });
    await user.click(row(2));
    expect(runCommand('edit')).toBe(false);
    await user.keyboard('{Enter}');
    expect(useDock.getState().tab).toBe('details');
    expect(inputOf('edits.open')).toEqual({ objectId: 4 });
    useDock.setState({ tab: 'transfers' });
    await user.keyboard('{Alt>}{Enter}{/Alt}');
    expect(useDock.getState().tab).toBe('details');
  });

  it('shows the focused object large with Space, moves on with the arrows, and closes with Space', async () => {
    const previews: number[] = [];
    const { user, grid } = await renderView({
      'objects.previewChoices': () => ({ automatic: [] }),
      'objects.preview': ({ id, mayFetch }) => {
        if (!mayFetch) return { preview: null };
        previews.push(id);
        throw new AppFailure({ code: 'previewUnavailable', problem: 'type' });
      },
    });
    grid.focus();
    await user.keyboard('{ArrowDown} ');
    const dialog = await screen.findByRole('dialog', { name: /object-1\.pdf/ });
    await within(dialog).findByText(/^This file can’t be shown\./);
    expect(dialog.textContent).toContain('2 of 1,000,000');
    await expectAccessible(dialog);
    await user.keyboard('{ArrowRight}{ArrowDown}');
    await screen.findByRole('dialog', { name: /object-3\.pdf/ });
    // Only the object that was opened is fetched automatically.
    expect(previews).toEqual([2]);
    await user.keyboard(' ');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(selectedRows()).toEqual(['3']);
    await waitFor(() => expect(document.activeElement).toBe(grid));
  });

  it('shows tiles with thumbnails, and moves between them with all arrows', async () => {
    vi.stubGlobal('fetch', async () => new Response('first line'));
    onTestFinished(() => void vi.unstubAllGlobals());
    const kept: unknown[] = [];
    const { user, grid, inputOf } = await renderView({
      'settings.get': () => ({ ...settingsDefault, objectView: 'grid' }),
      'settings.update': () => settingsDefault,
      'objects.thumbnail': ({ id }) => {
        const preview = id === 2 ? ({ kind: 'text', url: 'preview/2' } as const) : null;
        return { thumbnail: null, preview };
      },
      'objects.keepThumbnail': (input) => void kept.push(input),
    });
    expect(
      await within(screen.getByRole('row', { name: /object-1\.pdf/ })).findByText('first line'),
    ).toBeTruthy();
    const thumbnail = { kind: 'text', text: 'first line' };
    expect(kept).toEqual([{ id: 2, sha256: makeRow(1).sha256, thumbnail }]);
    grid.focus();
    await user.keyboard('{ArrowRight}');
    expect(selectedRows()).toEqual(['1']);
    await user.click(screen.getByRole('button', { name: 'Sort' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Size' }));
    await waitFor(() =>
      expect(inputOf('objects.page')).toMatchObject({ query: { sort: { column: 'size' } } }),
    );
    await user.click(screen.getByRole('button', { name: 'Show as a list' }));
    await waitFor(() => expect(inputOf('settings.update')).toEqual({ objectView: 'list' }));
  });

  it('deletes a few objects without a question, and undoes it', async () => {
    const { user, inputOf, main } = await renderView({ 'tasks.cancel': () => undefined });
    render(<LiveRegions />);
    await user.click(screen.getByRole('row', { name: /object-1\.pdf/ }));
    await user.keyboard('{Delete}');
    const selection = { kind: 'ids', ids: [2] };
    await waitFor(() => expect(inputOf('objects.delete')).toEqual({ selection, isHeld: true }));
    expect(screen.queryByRole('alertdialog')).toBeNull();
    await waitFor(() => expect(selectedRows()).toEqual([]));
    expect(await screen.findByText('Deleting 1 object')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(inputOf('tasks.cancel')).toEqual({ id: testTask.id }));
    expect(main.calls.filter(({ name }) => name === 'tasks.cancel')).toHaveLength(1);
  });

  it('deletes at once with Shift', async () => {
    const { user, inputOf } = await renderView();
    await user.click(screen.getByRole('row', { name: /object-1\.pdf/ }));
    await user.keyboard('{Shift>}{Delete}{/Shift}');
    await waitFor(() => expect(inputOf('objects.delete')).toEqual({ selection: { kind: 'ids', ids: [2] } }));
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  });

  it('undoes the deletion of a row that is not sent yet', async () => {
    const { user, inputOf } = await renderView({
      'objects.page': (input) => {
        const page = pageOf(input);
        return {
          ...page,
          rows: page.rows.map((each) => (each.id === 2 ? { ...each, heldDeletion: 7 } : each)),
        };
      },
      'objects.keep': () => ({ isKept: true }),
    });
    render(<LiveRegions />);
    const held = screen.getByRole('row', { name: /object-1\.pdf, .*Deleting$/ });
    await expectAccessible(held);
    await user.click(within(held).getByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(inputOf('objects.keep')).toEqual({ id: 2 }));
    expect(await screen.findByText('Kept 1 object')).toBeTruthy();
  });

  it('asks before it deletes many, with the focus on Cancel', async () => {
    const { user, inputOf, main, grid } = await renderView({ 'objects.summarize': () => manyObjects });
    await user.click(screen.getByRole('row', { name: /object-1\.pdf/ }));
    await user.keyboard('{Delete}');
    const dialog = await screen.findByRole('alertdialog', { name: 'Delete 21 objects?' });
    expect(document.activeElement?.textContent).toBe('Cancel');
    await expectAccessible(dialog);
    await user.keyboard('{Enter}');
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(main.calls.some(({ name }) => name === 'objects.delete')).toBe(false);
    await waitFor(() => expect(document.activeElement).toBe(grid));
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    const again = await screen.findByRole('alertdialog');
    await user.click(within(again).getByRole('textbox', { name: 'Type 21 to confirm' }));
    await user.paste('21');
    await user.click(within(again).getByRole('button', { name: 'Delete' }));
    const selection = { kind: 'ids', ids: [2] };
    await waitFor(() => expect(inputOf('objects.delete')).toEqual({ selection, isHeld: true }));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  });

  it('says before deleting how many objects are only said to exist', async () => {
    const { user } = await renderView({
      'objects.summarize': () => manyObjects,
      'objects.mixOf': () => ({ ...mixWithFailed(0), count: 21, unseen: 1 }),
    });
    await user.click(row(1));
    await user.keyboard('{Delete}');
    const dialog = await screen.findByRole('alertdialog', { name: 'Delete 21 objects?' });
    await expectAccessible(dialog);
    expect(dialog.textContent).toContain('1 of these was never checked and may not exist.');
  });

  it('deletes the objects found when the dialog opened, not later ones', async () => {
    let total = 150_000;
    const kept: number[] = [];
    const { user, grid, inputOf } = await renderView({
      'objects.page': (input) => ({ ...pageOf(input), total }),
      'objects.freeze': ({ selection }) => {
        if (selection.kind === 'query') kept.push(total - selection.exceptIds.length);
        // Another object arrives.
        total += 1;
        return { selection: frozen };
      },
      'objects.summarize': ({ selection }) => ({
        count:
          selection.kind === 'query'
            ? total - selection.exceptIds.length
            : (kept.at(-1) ?? countOf(selection)),
        totalBytes: 0,
        unknownLengths: 0,
      }),
    });
    grid.focus();
    await user.keyboard('{Control>}a{/Control}{Control>}{ArrowDown} {/Control}');
    await screen.findByText('149,999 selected');
    await user.keyboard('{Delete}');
    const dialog = await screen.findByRole('alertdialog', { name: 'Delete 149,999 objects?' });
    expect(inputOf('objects.names')).toMatchObject({ selection: frozen });
    await user.click(within(dialog).getByRole('textbox', { name: 'Type 149,999 to confirm' }));
    await user.paste('149999');
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(inputOf('objects.delete')).toEqual({ selection: frozen, isHeld: true }));
  });

  it('makes a search a favourite, and removes it', async () => {
    let favourites: Record<string, Favourite[]> = {};
    const { user, main, inputOf } = await renderView({
      'services.list': () => ({ revision: 1, services: [testService], activeId: 'p1', favourites }),
      'services.keepFavourite': () => undefined,
    });
    expect(screen.queryByRole('button', { name: 'Add to favourites' })).toBeNull();
    await user.click(screen.getByRole('searchbox', { name: 'Search objects' }));
    await user.paste('size:>1mb ');
    await user.click(await screen.findByRole('button', { name: 'Add to favourites' }));
    const favourite: Favourite = { kind: 'data', place: { kind: 'all' }, search: 'size:>1mb' };
    expect(inputOf('services.keepFavourite')).toEqual({ id: 'p1', favourite, isKept: true });
    favourites = { p1: [favourite] };
    act(() => main.emit('services.changed', { revision: 2 }));
    await screen.findByRole('button', { name: 'Remove from favourites', pressed: true });
  });

  it('shows Details for the selection, unless the dock is pinned or closed', async () => {
    const { user } = await renderView();
    act(() => useDock.setState({ tab: 'transfers', isPinned: true }));
    await user.click(row(3));
    await waitFor(() => expect(selectedRows()).toEqual(['3']));
    expect(useDock.getState().tab).toBe('transfers');
    act(() => useDock.setState({ isPinned: false, isOpen: false }));
    await user.click(row(4));
    await waitFor(() => expect(selectedRows()).toEqual(['4']));
    expect(useDock.getState().tab).toBe('transfers');
    act(() => useDock.setState({ isOpen: true }));
    await user.keyboard('{ArrowDown}');
    await waitFor(() => expect(useDock.getState().tab).toBe('details'));
  });

  describe('while another list loads', () => {
    async function searchSlowly(indexOf: (input: Input<'objects.indexOf'>) => Output<'objects.indexOf'>) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const view = await renderView({
        'objects.page': async (input) => {
          if (input.query.search !== '') await promise;
          return pageOf(input);
        },
        'objects.indexOf': indexOf,
      });
      await view.user.type(screen.getByRole('searchbox', { name: 'Search objects' }), 'x');
      const finish = async () => {
        resolve();
        const grid = screen.getByRole('grid', { name: 'Objects' });
        await waitFor(() => expect(grid.getAttribute('aria-busy')).toBe('false'));
      };
      return { ...view, finish };
    }

    it('selects the pressed object if the new list has it', async () => {
      const { user, finish } = await searchSlowly(() => ({ index: 3 }));
      await user.click(row(3));
      expect(selectedRows()).toEqual([]);
      await finish();
      await waitFor(() => expect(selectedRows()).toEqual(['3']));
    });

    it('says when the object to be shown is no longer in the list', async () => {
      await renderView({ 'objects.indexOf': () => ({ index: null }) });
      render(<LiveRegions />);
      act(() => seekObject(4, 'data'));
      await waitFor(() =>
        expect(screen.getByRole('alert', { name: 'Urgent messages' }).textContent).toContain(
          'This object is no longer in the list',
        ),
      );
    });

    it('selects nothing if the new list does not have it', async () => {
      const { user, main, finish } = await searchSlowly(() => ({ index: null }));
      await user.click(row(3));
      await finish();
      await waitFor(() => expect(main.calls.some(({ name }) => name === 'objects.indexOf')).toBe(true));
      await waitFor(() => expect(useBrowser.getState().soughtId).toBeNull());
      expect(selectedRows()).toEqual([]);
      expect(screen.queryByRole('toolbar', { name: 'Selection' })).toBeNull();
    });

    it('drags the row named at the pointer, not the selection', async () => {
      const { promise } = Promise.withResolvers<never>();
      const { user, inputOf } = await renderView({
        'objects.page': (input) => (input.query.sort.column === 'identifier' ? promise : pageOf(input)),
        'objects.move': () => ({ count: 1, leftOut: 0, taken: 0, renamedId: null, transferIds: [9] }),
      });
      await user.click(row(1));
      await user.keyboard('{Shift>}{ArrowDown}{/Shift}');
      await screen.findByText('2 selected');
      const header = screen.getByRole('columnheader', { name: 'Name' });
      await user.click(within(header).getByRole('button'));
      render(<p data-folder="archive">archive</p>);
      Object.assign(document, { elementFromPoint: () => screen.getByText('archive') });
      onTestFinished(() => void Reflect.deleteProperty(document, 'elementFromPoint'));
      fireEvent.pointerDown(row(5), { button: 0, pointerType: 'mouse', clientX: 20, clientY: 20 });
      fireEvent.pointerMove(window, { buttons: 1, clientX: 90, clientY: 20 });
      expect(document.querySelector('.row-drag')?.textContent).toBe('object-5.pdf');
      fireEvent.pointerUp(window, { clientX: 90, clientY: 20 });
      await waitFor(() =>
        expect(inputOf('objects.move')).toMatchObject({
          selection: { kind: 'ids', ids: [6] },
          to: { kind: 'folder', folder: 'archive' },
        }),
      );
    });

    it('keeps the last key for the new list', async () => {
      const { user, grid, finish } = await searchSlowly(() => ({ index: null }));
      grid.focus();
      await user.keyboard('{ArrowDown}{Home}');
      expect(selectedRows()).toEqual([]);
      await finish();
      await waitFor(() => expect(selectedRows()).toEqual(['0']));
    });
  });

  it('asks to type the count above twenty', async () => {
    const { user, grid } = await renderView();
    grid.focus();
    await user.keyboard('{Control>}a{/Control}{Delete}');
    const dialog = await screen.findByRole('alertdialog', { name: 'Delete 1,000,000 objects?' });
    expect(within(dialog).getByText('and 999,997 more')).toBeTruthy();
    const button = within(dialog).getByRole('button', { name: 'Delete' });
    expect(button).toHaveProperty('disabled', true);
    await user.click(within(dialog).getByRole('textbox', { name: 'Type 1,000,000 to confirm' }));
    await user.paste('1000000');
    expect(button).toHaveProperty('disabled', false);
  });

  it('offers actions in the row’s menu that fit its state', async () => {
    const { user, inputOf } = await renderView();
    await user.pointer({ keys: '[MouseRight]', target: screen.getByRole('row', { name: /object-2\.pdf/ }) });
    const menu = await screen.findByRole('menu');
    const labels = within(menu)
      .getAllByRole('menuitem')
      .map((item) => item.getAttribute('aria-label') ?? item.querySelector('.menu__label')?.textContent);
    expect(labels).toEqual([
      'Quick look',
      'Download',
      'Download deferred',
      'Save as…',
      'Check',
      'Show details',
      'Copy identifier',
      'Copy link',
      'Remove from list',
      'Delete…',
    ]);
    await user.click(within(menu).getByRole('menuitem', { name: /Save as…/ }));
    await waitFor(() => expect(inputOf('objects.download')).toMatchObject({ saveAs: true }));
  });

  const openMenu = async (user: Awaited<ReturnType<typeof renderView>>['user']) => {
    await user.pointer({ keys: '[MouseRight]', target: screen.getByRole('row', { name: /object-4\.pdf/ }) });
    return within(await screen.findByRole('menu'));
  };

  it('copies a stored object as a file', async () => {
    const { user, inputOf } = await renderView({ 'takeOut.copy': () => ({ count: 1, isCopied: true }) });
    render(<LiveRegions />);
    await user.click((await openMenu(user)).getByRole('menuitem', { name: 'Copy file' }));
    expect(await screen.findByText('1 file copied. Paste it in the file manager.')).toBeTruthy();
    expect(inputOf('takeOut.copy')).toEqual({ selection: { kind: 'ids', ids: [5] } });
  });

  it('looks for versions of an object that has one', async () => {
    const { user, inputOf } = await renderView({ 'objects.findVersions': () => ({ added: 0 }) });
    render(<LiveRegions />);
    await user.click((await openMenu(user)).getByRole('menuitem', { name: 'Look for versions' }));
    expect(await screen.findByText(/^No more versions\./)).toBeTruthy();
    expect(inputOf('objects.findVersions')).toEqual({ id: 5 });
  });

  it('downloads deferred from the bar, and by command, and shows the jobs', async () => {
    const { user, inputOf } = await renderView();
    await user.click(screen.getByRole('row', { name: /object-1\.pdf/ }));
    await user.click(await screen.findByRole('button', { name: 'Download deferred' }));
    const selection = { kind: 'ids', ids: [2] };
    await waitFor(() => expect(inputOf('objects.downloadDeferred')).toEqual({ selection, below: '' }));
    await waitFor(() => expect(useDock.getState().tab).toBe('jobs'));
    expect(runCommand('downloadDeferred')).toBe(true);
  });

  it('adds known identifiers, one on each line', async () => {
    const { main, user } = renderInApp(<AddKnown serviceId="p1" />, answers);
    act(() => void runCommand('addKnown'));
    const dialog = await screen.findByRole('dialog', { name: 'Add known identifiers' });
    await user.click(within(dialog).getByRole('textbox', { name: 'Identifiers' }));
    await user.paste('a/b.pdf\n\nc d\na/b.pdf');
    await user.click(within(dialog).getByRole('button', { name: 'Check and add 2 objects' }));
    await waitFor(() =>
      expect(main.calls).toContainEqual({
        name: 'objects.addKnown',
        input: { serviceId: 'p1', kind: 'data', identifiers: ['a/b.pdf', 'c d'] },
      }),
    );
  });

  it('adds known identifiers to the list it was opened over', async () => {
    const { main, user, rerender } = renderInApp(<AddKnown serviceId="p1" />, answers);
    act(() => void runCommand('addKnown'));
    const dialog = await screen.findByRole('dialog', { name: 'Add known identifiers' });
    await user.type(within(dialog).getByRole('textbox', { name: 'Identifiers' }), 'a');
    rerender(
      <AppProvider client={main.client} features={features}>
        <AddKnown serviceId="p2" />
      </AppProvider>,
    );
    act(() => usePlace.setState({ kind: 'secret' }));
    await user.click(within(dialog).getByRole('button', { name: 'Check and add 1 object' }));
    await waitFor(() =>
      expect(main.calls.find(({ name }) => name === 'objects.addKnown')?.input).toMatchObject({
        serviceId: 'p1',
        kind: 'data',
      }),
    );
  });

  it('reports known identifiers as added, listed before, not found, or impossible to check', async () => {
    const notFound = Array.from({ length: 100 }, (_, index) => `never/${index}`);
    const ended = {
      ...testTask,
      id: 7,
      kind: 'addKnown' as const,
      total: 130,
      done: 130,
      present: 9,
      listed: 3,
    };
    let now: Task = { ...ended, state: 'running', done: 12 };
    let revision = 1;
    const { main, user } = renderInApp(<AddKnown serviceId="p1" />, {
      ...answers,
      'objects.addKnown': () => now,
      'tasks.list': () => ({ revision, tasks: [now] }),
      'tasks.cancel': () => undefined,
    });
    act(() => void runCommand('addKnown'));
    const dialog = await screen.findByRole('dialog', { name: 'Add known identifiers' });
    await user.type(within(dialog).getByRole('textbox', { name: 'Identifiers' }), 'a');
    await user.click(within(dialog).getByRole('button', { name: 'Check and add 1 object' }));
    expect(await within(dialog).findByText('Adding 12 of 130')).toBeTruthy();
    const close = await within(dialog).findByRole('button', { name: 'Continue in background' });
    await waitFor(() => expect(document.activeElement).toBe(close));
    await user.click(within(dialog).getByRole('button', { name: 'Stop' }));
    expect(main.calls).toContainEqual({ name: 'tasks.cancel', input: { id: 7 } });

    const error = { code: 'forbidden', status: 403 } as const;
    now = { ...ended, state: 'done', missing: 120, failed: 1, notFound, error };
    revision += 1;
    act(() => main.emit('tasks.changed', { revision }));
    expect((await within(dialog).findAllByRole('listitem')).map((item) => item.textContent)).toEqual([
      '6 identifiers added',
      '3 already on the list',
      '120 not found at the service',
      expect.stringMatching(/^1 couldn’t be checked\. /),
    ]);
    const list = within(dialog).getByRole('textbox', { name: 'Not found' });
    expect(list).toHaveProperty('value', notFound.join('\n'));
    expect(within(dialog).getByText('and 20 more')).toBeTruthy();
    expect(within(dialog).getByRole('button', { name: 'Copy 100 identifiers' })).toBeTruthy();
    await expectAccessible(dialog);
    await user.click(within(dialog).getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(dialog.isConnected).toBe(false));
  });

  it('explains what to do in an empty list', async () => {
    const { container } = renderInApp(<ObjectsView />);
    expect(await screen.findByRole('heading', { name: 'Nothing in this list yet' })).toBeTruthy();
    expect(screen.getByText(/can’t list its contents/)).toBeTruthy();
    for (const name of [
      'Drop or upload files',
      'Import a list…',
      'Add known identifiers…',
      'Join a team’s list…',
    ])
      expect(screen.getByRole('button', { name })).toBeTruthy();
    await expectAccessible(container);
  });

  it('only asks for files if the service is on this computer', async () => {
    renderInApp(<ObjectsView />, {
      'services.list': () => ({ revision: 1, services: [{ ...testService, isLocal: true }], activeId: 'p1' }),
    });
    expect(await screen.findByRole('heading', { name: 'Drop files or folders here' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Import a list…' })).toBeNull();
  });

  it('shows a failure, and retries', async () => {
    let fails = true;
    const { user } = renderInApp(<ObjectsView />, {
      ...answers,
      'objects.page': (input) => {
        if (fails) throw new AppFailure({ code: 'unexpected', reference: 'r' });
        return pageOf(input);
      },
    });
    const again = await screen.findByRole('button', { name: 'Try again' });
    fails = false;
    await user.click(again);
    expect(await screen.findByRole('row', { name: /object-0\.pdf/ })).toBeTruthy();
  });
});
