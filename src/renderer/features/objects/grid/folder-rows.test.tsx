import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import type { FolderRow } from '../../../../shared/domain/object.ts';
import { MoveFolder, OpenFolderMenu, type Point } from '../../../app/folder-menu.ts';
import { useDropFolder } from '../../../app/drops.ts';
import { setSearch, setSort, showPlace, usePlace } from '../../../app/place.ts';
import {
  type Answers,
  expectAccessible,
  renderInApp,
  testObject,
} from '../../../../../test-support/renderer/testing.tsx';
import { useBrowser } from '../state/browser-store.ts';
import { ObjectsView } from '../ObjectsView.tsx';

const folders: FolderRow[] = ['alpha', 'beta'].map((name, at) => ({
  path: name,
  name,
  count: at + 1,
  totalBytes: 2000,
  newestAtMs: name === 'beta' ? 1_800_000_000_000 : null,
}));
const objects = ['alpha/a.txt', 'beta/b.txt', 'c.txt'].map((identifier, at) => ({
  ...testObject,
  id: at + 1,
  identifier,
}));

/** Pages as main does: folders first. */
function answers(manyFolders = folders): Answers {
  return {
    'objects.page': ({ query, offset, limit }) => {
      const shown = query.withFolders === true && query.search === '' ? manyFolders : [];
      const rows = shown.slice(offset, offset + limit);
      const from = Math.max(0, offset - shown.length);
      return {
        revision: 1,
        total: objects.length,
        totalBytes: 3,
        folders: { total: shown.length, rows },
        offset: from,
        rows: objects.slice(from, from + limit - rows.length),
      };
    },
    'objects.folderIndex': ({ path }) => ({ index: manyFolders.findIndex((folder) => folder.path === path) }),
    'objects.findName': () => ({ found: { index: -1, id: null } }),
    'objects.summarize': () => ({ count: 1, totalBytes: 1, unknownLengths: 0 }),
  };
}

beforeEach(() => {
  usePlace.setState(usePlace.getInitialState(), true);
  useBrowser.setState(useBrowser.getInitialState(), true);
  setSort({ column: 'identifier', direction: 'ascending' });
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(668);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(1200);
});

const onMenu = vi.fn<(path: string, at: Point, from: HTMLElement) => void>();
const onMove = vi.fn<(path: string) => void>();
async function renderList(manyFolders = folders) {
  const app = renderInApp(
    <OpenFolderMenu value={onMenu}>
      <MoveFolder value={onMove}>
        <ObjectsView />
      </MoveFolder>
    </OpenFolderMenu>,
    answers(manyFolders),
  );
  await screen.findAllByRole('row', { name: /^Folder/ });
  return { ...app, grid: screen.getByRole('grid', { name: 'Objects' }) };
}
const standing = (grid: HTMLElement) =>
  document.getElementById(grid.getAttribute('aria-activedescendant') ?? '')?.getAttribute('aria-label');
const names = () =>
  screen.getAllByRole('row').flatMap((row) => row.getAttribute('aria-label')?.split(', ')[0] ?? []);

it('shows the folders of a place above its objects, with number, size and newest date', async () => {
  const { grid, container } = await renderList();
  expect(names()).toEqual(['Folder alpha', 'Folder beta', 'alpha/a.txt', 'beta/b.txt', 'c.txt']);
  const row = screen.getByRole('row', { name: 'Folder beta, 2 objects, 2 KB' });
  expect(within(row).getByText('2 objects')).toBeTruthy();
  expect(within(row).getByTitle(/^Newest stored /).textContent).toContain('2027');
  expect(screen.getAllByTitle(/^Newest stored /)).toHaveLength(1);
  expect(row.getAttribute('aria-selected')).toBeNull();
  expect(grid.getAttribute('aria-rowcount')).toBe('6');
  await expectAccessible(container);
});

it('opens a folder with Enter and with a double click', async () => {
  const { user, grid } = await renderList();
  grid.focus();
  expect(standing(grid)).toMatch(/^Folder alpha/);
  await user.keyboard('{ArrowDown}');
  expect(standing(grid)).toMatch(/^Folder beta/);
  await user.keyboard('{Enter}');
  expect(usePlace.getState().place).toEqual({ kind: 'folder', path: 'beta' });
  act(() => showPlace({ kind: 'all' }));
  await user.dblClick(await screen.findByRole('row', { name: /^Folder alpha/ }));
  expect(usePlace.getState().place).toEqual({ kind: 'folder', path: 'alpha' });
});

it('returns to the folder that was left', async () => {
  showPlace({ kind: 'folder', path: 'beta' });
  const { user, grid } = await renderList();
  grid.focus();
  await user.keyboard('{ArrowLeft}');
  await waitFor(() => expect(standing(grid)).toMatch(/^Folder beta/));
  expect(usePlace.getState().place).toEqual({ kind: 'all' });
});

it('finds a folder by its first letters', async () => {
  const { user, grid, main } = await renderList();
  await user.click(screen.getByRole('row', { name: /^beta\/b/ }));
  await user.keyboard('{Home}b');
  await waitFor(() => expect(standing(grid)).toMatch(/^Folder beta/));
  expect(main.calls.at(-1)?.input).toMatchObject({ typed: 'b', from: -1 });
  expect(useBrowser.getState().selection).toEqual({ kind: 'ids', ids: new Set() });
});

it('applies keys pressed while a folder loads to that folder', async () => {
  const { user, grid } = await renderList();
  grid.focus();
  await user.click(screen.getByRole('row', { name: /^beta\/b/ }));
  act(() => showPlace({ kind: 'folder', path: 'beta' }));
  fireEvent.keyDown(grid, { key: 'Enter' });
  await waitFor(() => expect(usePlace.getState().place).toEqual({ kind: 'folder', path: 'alpha' }));
});

it('never selects a folder', async () => {
  const { user, grid } = await renderList();
  const selected = () => screen.getAllByRole('row', { selected: true }).map(({ id }) => id);
  await user.click(screen.getByRole('row', { name: /^beta\/b/ }));
  await waitFor(() => expect(selected()).toEqual(['object-row-1']));
  // A range that begins or ends among the folders contains only objects.
  await user.keyboard('{Shift>}{Home}{/Shift}');
  await waitFor(() => expect(selected()).toEqual(['object-row-0', 'object-row-1']));
  await user.click(screen.getByRole('row', { name: /^Folder alpha/ }));
  expect(screen.queryAllByRole('row', { selected: true })).toEqual([]);
  await user.keyboard('{Control>} {/Control}{Shift>}{ArrowDown}{/Shift}{Delete}');
  expect(screen.queryAllByRole('row', { selected: true })).toEqual([]);
  await user.keyboard('{Shift>}{ArrowDown}{/Shift}');
  await waitFor(() => expect(selected()).toEqual(['object-row-0']));
  await user.keyboard('{Control>}a{/Control}');
  expect(selected()).toHaveLength(3);
  expect(grid.querySelectorAll('.folder-row[aria-selected]')).toHaveLength(0);
});

it('has the menu of the folder, and is a drop target', async () => {
  const { user, grid } = await renderList();
  const row = screen.getByRole('row', { name: /^Folder beta/ });
  expect(row.dataset['folder']).toBe('beta');
  act(() => useDropFolder.setState({ folder: 'beta' }));
  expect(row.dataset['over']).toBe('true');
  fireEvent.contextMenu(row, { clientX: 5, clientY: 6 });
  expect(onMenu).toHaveBeenLastCalledWith('beta', { x: 5, y: 6 }, grid);
  grid.focus();
  await user.keyboard('{Home}{Shift>}{F10}{/Shift}');
  expect(onMenu).toHaveBeenLastCalledWith('alpha', expect.anything(), grid);
  await user.keyboard('{F2}');
  expect(onMove.mock.calls).toEqual([['alpha']]);
});

it('keeps the focus on a folder when others come before it', async () => {
  const shown = [...folders];
  const { user, grid, main } = await renderList(shown);
  await user.click(screen.getByRole('row', { name: /^Folder beta/ }));
  shown.unshift({ path: 'aa', name: 'aa', count: 1, totalBytes: 1, newestAtMs: null });
  act(() => main.emit('objects.changed', { serviceId: 'p1', revision: 2 }));
  await screen.findByRole('row', { name: /^Folder aa/ });
  await waitFor(() => expect(standing(grid)).toMatch(/^Folder beta/));
});

it('selects nothing with a range that begins and ends among the folders of a fresh list', async () => {
  const { user, grid } = await renderList();
  grid.focus();
  await user.keyboard('{Shift>}{ArrowDown}{/Shift}');
  expect(standing(grid)).toMatch(/^Folder beta/);
  expect(screen.queryAllByRole('row', { selected: true })).toEqual([]);
});

it('shows no folders in a search, sorted by state or date, nor where they are switched off', async () => {
  const { user, main } = await renderList();
  act(() => setSearch('txt'));
  await waitFor(() => expect(names()).toEqual(['alpha/a.txt', 'beta/b.txt', 'c.txt']));
  act(() => setSearch(''));
  await screen.findByRole('row', { name: /^Folder beta/ });
  act(() => setSort({ column: 'state', direction: 'ascending' }));
  await waitFor(() => expect(names()).toEqual(['alpha/a.txt', 'beta/b.txt', 'c.txt']));
  act(() => setSort({ column: 'size', direction: 'descending' }));
  await screen.findByRole('row', { name: /^Folder beta/ });
  act(() => setSort({ column: 'stored', direction: 'descending' }));
  await waitFor(() => expect(names()).toEqual(['alpha/a.txt', 'beta/b.txt', 'c.txt']));
  await user.click(screen.getByRole('button', { name: 'Columns' }));
  await user.click(await screen.findByRole('menuitem', { name: /Show folders/ }));
  expect(main.calls.findLast(({ name }) => name === 'settings.update')?.input).toEqual({
    showFolders: false,
  });
});

it('loads only the visible ones of ten thousand folders', async () => {
  const many = Array.from({ length: 10_000 }, (_, n) => ({
    path: `f${n}`,
    name: `f${n}`,
    count: 1,
    totalBytes: 1,
    newestAtMs: null,
  }));
  const { user, grid, main } = await renderList(many);
  grid.focus();
  expect(screen.getAllByRole('row').length).toBeLessThan(60);
  await user.keyboard('{End}');
  await waitFor(() => expect(standing(grid)).toMatch(/^c\.txt/));
  await user.keyboard('{PageUp}');
  await waitFor(() => expect(standing(grid)).toMatch(/^Folder f99/));
  const pages = main.calls.filter(({ name }) => name === 'objects.page');
  for (const { input } of pages) expect((input as { limit: number }).limit).toBeLessThan(500);
});
