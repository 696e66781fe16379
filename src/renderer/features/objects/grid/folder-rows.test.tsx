import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import type { FolderRow } from '../../../../shared/domain/object.ts';
import { MoveFolder, OpenFolderMenu, type Point } from '../../../app/folder-menu.ts';
import { useDropFolder } from '../../../app/drops.ts';
import { runCommand } from '../../../app/commands.ts';
import { useUndo } from '../../../app/undo.ts';
import { setSearch, setSort, showPlace, usePlace } from '../../../app/place.ts';
import {
  type Answers,
  expectAccessible,
  renderInApp,
  testObject,
  testTask,
} from '../../../../../test-support/renderer/testing.tsx';
import { useBrowser } from '../state/browser-store.ts';
import { ObjectsView } from '../ObjectsView.tsx';

const frozen = { kind: 'frozen' as const, ticket: '5f0c1a52-5a0e-4c8e-9d57-0f7d3a1b2c3d' };
const noMix = {
  totalBytes: 1,
  unknownLengths: 0,
  unseen: 0,
  stored: null,
  states: [],
  classifications: [],
  moreClassifications: 0,
};
const folders: FolderRow[] = ['alpha', 'beta'].map((name, at) => ({
  path: name,
  name,
  count: at + 1,
  totalBytes: 2000,
  newestAtMs: name === 'beta' ? 1_800_000_000_000 : null,
}));
const objects = ['c.txt', 'd.txt', 'e.txt'].map((identifier, at) => ({
  ...testObject,
  id: at + 1,
  identifier,
}));

const manyFolders = (length: number): FolderRow[] =>
  Array.from({ length }, (_, n) => ({
    path: `f${n}`,
    name: `f${n}`,
    count: 1,
    totalBytes: 1,
    newestAtMs: null,
  }));

/** Pages as main does: folders first. */
function answers(all = folders): Answers {
  return {
    'objects.page': ({ query, offset, limit }) => {
      const shown = query.oneLevel === true && query.search === '' ? all : [];
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
    'objects.folderIndex': ({ path }) => ({ index: all.findIndex((folder) => folder.path === path) }),
    'objects.findName': () => ({ found: { index: -1, id: null } }),
    'objects.summarize': () => ({ count: 7, totalBytes: 1, unknownLengths: 0 }),
    'objects.savedFiles': () => ({ transferIds: [] }),
    'objects.freeze': () => ({ selection: frozen }),
    'objects.selectRange': () => ({
      selection: frozen,
      count: 3,
      firstId: 1,
      bits: btoa('\u0007'),
    }),
    'objects.freezeVersions': () => ({ selection: frozen, older: 0 }),
    'objects.mixOf': () => ({ ...noMix, count: 7 }),
    'objects.names': () => ({ rows: [] }),
    'objects.removeFolders': () => ({ changes: [] }),
    'objects.move': () => ({ count: 7, leftOut: 0, taken: 0, renamedId: null, transferIds: [9] }),
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
async function renderList(all = folders, others: Answers = {}) {
  const app = renderInApp(
    <OpenFolderMenu value={onMenu}>
      <MoveFolder value={onMove}>
        <ObjectsView />
      </MoveFolder>
    </OpenFolderMenu>,
    { ...answers(all), ...others },
  );
  await screen.findAllByRole('row', { name: /, folder, / });
  return { ...app, grid: screen.getByRole('grid', { name: 'Objects' }) };
}
const standing = (grid: HTMLElement) =>
  document.getElementById(grid.getAttribute('aria-activedescendant') ?? '')?.getAttribute('aria-label');
const row = (name: string) => screen.getByRole('row', { name: new RegExp(`^${name}(,|$)`) });
const selectedNames = () =>
  screen
    .queryAllByRole('row', { selected: true })
    .map((each) => each.getAttribute('aria-label')?.split(', ')[0]);
const inputOf = ({ calls }: { calls: { name: string; input: unknown }[] }, name: string) =>
  calls.findLast((call) => call.name === name)?.input;
const names = () =>
  screen.getAllByRole('row').flatMap((row) => row.getAttribute('aria-label')?.split(', ')[0] ?? []);

it('shows the folders of a place above its objects, with number, size and newest date', async () => {
  const { grid, container } = await renderList();
  expect(names()).toEqual(['alpha', 'beta', 'c.txt', 'd.txt', 'e.txt']);
  const row = screen.getByRole('row', { name: 'beta, folder, 2 objects' });
  expect(within(row).getByText('2 objects')).toBeTruthy();
  expect(within(row).getByTitle(/^Newest stored /).textContent).toContain('2027');
  expect(screen.getAllByTitle(/^Newest stored /)).toHaveLength(1);
  expect(row.getAttribute('aria-selected')).toBe('false');
  expect(grid.getAttribute('aria-rowcount')).toBe('6');
  await expectAccessible(container);
});

it('opens a folder with Enter and with a double click', async () => {
  const { user, grid } = await renderList();
  grid.focus();
  expect(standing(grid)).toMatch(/^alpha, folder/);
  await user.keyboard('{ArrowDown}');
  expect(standing(grid)).toMatch(/^beta, folder/);
  await user.keyboard('{Enter}');
  expect(usePlace.getState().place).toEqual({ kind: 'folder', path: 'beta' });
  act(() => showPlace({ kind: 'folder', path: '' }));
  await user.dblClick(await screen.findByRole('row', { name: /^alpha, folder/ }));
  expect(usePlace.getState().place).toEqual({ kind: 'folder', path: 'alpha' });
});

it('returns to the folder that was left', async () => {
  showPlace({ kind: 'folder', path: 'beta' });
  const { user, grid } = await renderList();
  grid.focus();
  await user.keyboard('{ArrowLeft}');
  await waitFor(() => expect(standing(grid)).toMatch(/^beta, folder/));
  expect(usePlace.getState().place).toEqual({ kind: 'folder', path: '' });
});

it('finds a folder by its first letters, and selects it', async () => {
  const { user, grid, main } = await renderList();
  await user.click(screen.getByRole('row', { name: /^d\.txt/ }));
  await user.keyboard('{Home}b');
  await waitFor(() => expect(standing(grid)).toMatch(/^beta, folder/));
  expect(inputOf(main, 'objects.findName')).toMatchObject({ typed: 'b', from: -1 });
  expect(selectedNames()).toEqual(['beta']);
});

it('applies keys pressed while a folder loads to that folder', async () => {
  const { user, grid } = await renderList();
  grid.focus();
  await user.click(screen.getByRole('row', { name: /^d\.txt/ }));
  act(() => showPlace({ kind: 'folder', path: 'beta' }));
  fireEvent.keyDown(grid, { key: 'Enter' });
  await waitFor(() => expect(usePlace.getState().place).toEqual({ kind: 'folder', path: 'alpha' }));
});

it('selects folders like objects: with clicks, Ctrl, Shift and Ctrl+A', async () => {
  const { user, main } = await renderList();
  await user.click(row('beta'));
  expect(selectedNames()).toEqual(['beta']);
  await user.keyboard('{Control>}');
  await user.click(row('d.txt'));
  await user.keyboard('{/Control}');
  expect(selectedNames()).toEqual(['beta', 'd.txt']);
  await waitFor(() =>
    expect(inputOf(main, 'objects.summarize')).toEqual({
      selection: { kind: 'folders', serviceId: 'p1', paths: ['beta'], and: { kind: 'ids', ids: [2] } },
    }),
  );
  expect((await screen.findByRole('toolbar', { name: 'Selection' })).textContent).toContain(
    '1 folder, 7 objects',
  );
  await user.keyboard('{Shift>}{Home}{/Shift}');
  expect(selectedNames()).toEqual(['alpha', 'beta', 'c.txt', 'd.txt']);
  await user.keyboard('{Home}{Control>}{ArrowDown} {/Control}');
  expect(selectedNames()).toEqual(['alpha', 'beta']);
  await user.keyboard('{Control>} {/Control}');
  expect(selectedNames()).toEqual(['alpha']);
  await user.keyboard('{Escape}');
  expect(selectedNames()).toEqual([]);
  await user.keyboard('{Control>}a{/Control}');
  expect(selectedNames()).toEqual(['alpha', 'beta', 'c.txt', 'd.txt', 'e.txt']);
  await waitFor(() =>
    expect(inputOf(main, 'objects.summarize')).toMatchObject({
      selection: { paths: ['alpha', 'beta'], and: { kind: 'query', exceptIds: [] } },
    }),
  );
});

it('asks main for the paths of a range of folders that are not loaded', async () => {
  const many = manyFolders(2000);
  const { user, grid, main } = await renderList(many);
  await user.click(row('f1'));
  await user.keyboard('{Shift>}{End}{/Shift}');
  await waitFor(() => expect(useBrowser.getState().folders.size).toBe(1999));
  expect([...useBrowser.getState().folders].at(-1)).toBe('f1999');
  await waitFor(() => expect(standing(grid)).toMatch(/^e\.txt/));
  const limits = main.calls.flatMap(({ name, input }) =>
    name === 'objects.page' ? (input as { limit: number }).limit : [],
  );
  expect(Math.max(...limits)).toBe(500);
});

it('asks before it deletes folders, with what is in them', async () => {
  const { user, main } = await renderList();
  await user.click(row('alpha'));
  await user.keyboard('{Shift>}{ArrowDown}{/Shift}{Delete}');
  await screen.findByRole('alertdialog', { name: 'Delete 7 objects?' });
  const selection = { kind: 'folders', serviceId: 'p1', paths: ['alpha', 'beta'], and: null };
  expect(inputOf(main, 'objects.freeze')).toEqual({ selection });
});

it('has the menu of one folder, the menu of a selection, and is a drop target', async () => {
  const { user, grid } = await renderList();
  const beta = row('beta');
  expect(beta.dataset['folder']).toBe('beta');
  act(() => useDropFolder.setState({ folder: 'beta' }));
  expect(beta.dataset['over']).toBe('true');
  fireEvent.contextMenu(beta, { clientX: 5, clientY: 6 });
  expect(onMenu).toHaveBeenLastCalledWith('beta', { x: 5, y: 6 }, grid);
  expect(selectedNames()).toEqual(['beta']);
  await user.keyboard('{Home}{Shift>}{F10}{/Shift}');
  expect(onMenu).toHaveBeenLastCalledWith('alpha', expect.anything(), grid);
  act(() => void runCommand('move'));
  const name = screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' });
  expect([name.value, name.selectionStart, name.selectionEnd]).toEqual(['alpha', 0, 5]);
  await user.keyboard('{Escape}');
  expect(document.activeElement).toBe(grid);
  await user.keyboard('{Shift>}{ArrowDown}{/Shift}');
  onMenu.mockClear();
  fireEvent.contextMenu(row('alpha'), { clientX: 5, clientY: 6 });
  await screen.findByRole('menuitem', { name: 'Download 7 objects' });
  await screen.findByRole('menuitem', { name: 'Delete 7 objects…' });
  expect(onMenu).not.toHaveBeenCalled();
});

it('drags a folder, or all that is selected, but not into itself', async () => {
  const { user, main } = await renderList();
  Object.assign(document, { elementFromPoint: () => row('alpha') });
  onTestFinished(() => void Reflect.deleteProperty(document, 'elementFromPoint'));
  const drag = (name: string) => {
    fireEvent.pointerDown(row(name), { button: 0, pointerType: 'mouse', clientX: 20, clientY: 20 });
    fireEvent.pointerMove(window, { buttons: 1, clientX: 90, clientY: 20 });
    const label = document.querySelector('.row-drag')?.textContent;
    fireEvent.pointerUp(window, { clientX: 90, clientY: 20 });
    return label;
  };
  expect(drag('alpha')).toBe('alpha');
  expect(inputOf(main, 'objects.move')).toBeUndefined();
  expect(drag('beta')).toBe('beta');
  const beta = { kind: 'folders', serviceId: 'p1', paths: ['beta'], and: null };
  const to = { kind: 'folder', folder: 'alpha' };
  await waitFor(() => expect(inputOf(main, 'objects.move')).toMatchObject({ selection: beta, to }));
  await user.click(row('beta'));
  await user.keyboard('{Shift>}{ArrowDown}{/Shift}');
  expect(drag('beta')).toBe('2 selected');
  await waitFor(() =>
    expect(inputOf(main, 'objects.move')).toMatchObject({
      selection: { ...beta, and: { kind: 'ids', ids: [1] } },
      to,
    }),
  );
});

it('no longer selects a folder that is gone', async () => {
  const shown = [...folders];
  const { user, main } = await renderList(shown);
  await user.click(row('beta'));
  shown.pop();
  act(() => main.emit('objects.changed', { serviceId: 'p1', revision: 2 }));
  await waitFor(() => expect(useBrowser.getState().folders.size).toBe(0));
  expect(screen.queryByRole('toolbar', { name: 'Selection' })).toBeNull();
});

it('keeps the focus on a folder when others come before it', async () => {
  const shown = [...folders];
  const { user, grid, main } = await renderList(shown);
  await user.click(screen.getByRole('row', { name: /^beta, folder/ }));
  shown.unshift({ path: 'aa', name: 'aa', count: 1, totalBytes: 1, newestAtMs: null });
  act(() => main.emit('objects.changed', { serviceId: 'p1', revision: 2 }));
  await screen.findByRole('row', { name: /^aa, folder/ });
  await waitFor(() => expect(standing(grid)).toMatch(/^beta, folder/));
});

it('shows no folders in a search, nor in *All objects*', async () => {
  await renderList();
  act(() => setSearch('txt'));
  await waitFor(() => expect(names()).toEqual(['c.txt', 'd.txt', 'e.txt']));
  act(() => setSearch(''));
  await screen.findByRole('row', { name: /^beta, folder/ });
  act(() => showPlace({ kind: 'all' }));
  await waitFor(() => expect(names()).toEqual(['c.txt', 'd.txt', 'e.txt']));
  act(() => showPlace({ kind: 'folder', path: '' }));
  act(() => setSort({ column: 'state', direction: 'ascending' }));
  await screen.findByRole('row', { name: /^beta, folder/ });
});

it('loads only the visible ones of ten thousand folders', async () => {
  const { user, grid, main } = await renderList(manyFolders(10_000));
  grid.focus();
  expect(screen.getAllByRole('row').length).toBeLessThan(60);
  await user.keyboard('{End}');
  await waitFor(() => expect(standing(grid)).toMatch(/^e\.txt/));
  await user.keyboard('{PageUp}');
  await waitFor(() => expect(standing(grid)).toMatch(/^f99\d+, folder/));
  const pages = main.calls.filter(({ name }) => name === 'objects.page');
  for (const { input } of pages) expect((input as { limit: number }).limit).toBeLessThan(500);
});

it('stays at the top while a place with thousands of folders is opened and left', async () => {
  const { main } = await renderList(manyFolders(10_000));
  for (const place of [{ kind: 'all' }, { kind: 'folder', path: '' }] as const) {
    act(() => showPlace(place));
    const isFolders = place.kind === 'folder';
    await screen.findByRole('row', { name: isFolders ? 'f0, folder, 1 object' : /^c\.txt/ });
  }
  const asked = main.calls.filter(({ name }) => name === 'objects.page');
  expect(asked.map(({ input }) => (input as { offset: number }).offset)).toEqual(asked.map(() => 0));
});

it('counts the empty folders among what it deletes, and removes just those', async () => {
  const changes = [{ from: 'alpha/kept', to: null }];
  const { user, main } = await renderList(folders, {
    'objects.removeFolders': () => ({ changes }),
    'objects.delete': () => ({ ...testTask, id: 5 }),
    'tasks.cancel': () => undefined,
    'objects.undoFolders': () => undefined,
  });
  await user.click(row('alpha'));
  await user.keyboard('{Shift>}{ArrowDown}{/Shift}{Delete}');
  const question = await screen.findByRole('alertdialog', { name: 'Delete 7 objects?' });
  expect(question.textContent).toContain('1 empty folder goes too.');
  const asked = { serviceId: 'p1', paths: ['alpha', 'beta'], isDryRun: true };
  expect(inputOf(main, 'objects.removeFolders')).toEqual(asked);
  await user.click(within(question).getByRole('button', { name: 'Delete' }));
  const removed = { serviceId: 'p1', paths: ['alpha/kept'] };
  await waitFor(() =>
    expect(main.calls.findLast(({ name }) => name === 'objects.removeFolders')?.input).toEqual(removed),
  );
  await waitFor(() => expect(useUndo.getState().entries[0]?.of).toBe('delete'));
  await act(() => useUndo.getState().entries[0]?.run());
  expect(inputOf(main, 'objects.undoFolders')).toEqual({ serviceId: 'p1', changes });
});
