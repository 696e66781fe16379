import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import type { Input, Output } from '../../../../shared/contract.ts';
import { expectAccessible, renderInApp, testObject } from '../../../../../test-support/renderer/testing.tsx';
import { setExpanded, showPlace, usePlace, usePlaceMemory } from '../../../app/place.ts';
import { useUndo } from '../../../app/undo.ts';
import type { Moved } from '../actions/use-object-actions.ts';
import { useBrowser } from '../state/browser-store.ts';
import { AskToMove, RenameFolder, RenameObject } from './RenameField.tsx';

const asked = vi.fn<(moved: Moved) => void>();
const nothing: Output<'objects.move'> = { count: 0, leftOut: 0, taken: 1, renamedId: null, transferIds: [] };
beforeEach(() => {
  asked.mockClear();
  useUndo.setState({ entries: [] });
  useBrowser.setState(useBrowser.getInitialState(), true);
  vi.spyOn(document, 'hasFocus').mockReturnValue(true);
});

function Shown({ identifier, folder }: { identifier?: string; folder?: string }) {
  const isRenaming = useBrowser(({ renaming }) => renaming !== null);
  if (!isRenaming) return <button type="button">elsewhere</button>;
  const facts = { count: 1, totalBytes: 1, newestAtMs: null };
  return (
    <AskToMove value={asked}>
      {identifier !== undefined && <RenameObject row={{ ...testObject, id: 7, identifier }} />}
      {folder !== undefined && (
        <RenameFolder folder={{ path: folder, name: folder.split('/').at(-1) ?? '', ...facts }} />
      )}
      <button type="button">elsewhere</button>
    </AskToMove>
  );
}

async function open(
  of: { identifier: string } | { folder: string },
  answer: (input: Input<'objects.move'>) => Output<'objects.move'>,
  index: number | null = null,
) {
  useBrowser.setState({ renaming: 7 });
  const app = renderInApp(<Shown {...of} />, {
    'objects.move': answer,
    'objects.folderIndex': () => ({ index }),
    'objects.undoMove': () => ({ leftOut: 0, transferIds: [] }),
    'objects.undoFolders': () => undefined,
  });
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Name' });
  const moves = () => app.main.calls.filter(({ name }) => name === 'objects.move').map(({ input }) => input);
  return { ...app, field, moves };
}
const isOpen = () => screen.queryByRole('textbox') !== null;

it.each([
  ['a.txt', 'a.txt', 'a'],
  ['photos/beach.tar.gz', 'beach.tar.gz', 'beach.tar'],
  ['photos/.hidden', '.hidden', '.hidden'],
])('of %s, shows %s and selects %s', async (identifier, name, selected) => {
  const { field, container } = await open({ identifier }, () => nothing);
  expect(document.activeElement).toBe(field);
  expect(field.value).toBe(name);
  expect(field.value.slice(field.selectionStart ?? 0, field.selectionEnd ?? 0)).toBe(selected);
  await expectAccessible(container);
});

it('renames by Enter, only while no name is taken, and selects what it has renamed', async () => {
  const { user, field, moves } = await open({ identifier: 'photos/a.txt' }, () => ({
    ...nothing,
    count: 1,
    taken: 0,
    renamedId: 9,
  }));
  await user.type(field, 'b{Enter}', { initialSelectionStart: 0, initialSelectionEnd: 1 });
  await waitFor(() => expect(isOpen()).toBe(false));
  expect(moves()).toEqual([
    { selection: { kind: 'ids', ids: [7] }, to: { kind: 'name', identifier: 'photos/b.txt' }, ifFree: true },
  ]);
  expect(useBrowser.getState()).toMatchObject({ soughtId: 9, soughtFor: 'select' });
});

it('keeps the name by Escape, and renames when it is left', async () => {
  const { user, field, moves } = await open({ identifier: 'a.txt' }, () => ({
    ...nothing,
    count: 1,
    taken: 0,
  }));
  await user.type(field, 'b{Escape}');
  expect([isOpen(), moves()]).toEqual([false, []]);
  act(() => useBrowser.setState({ renaming: 7 }));
  await user.type(screen.getByRole('textbox'), 'c');
  await user.click(screen.getByRole('button', { name: 'elsewhere' }));
  await waitFor(() => expect(isOpen()).toBe(false));
  expect(moves()).toMatchObject([{ to: { identifier: 'a.txtc' } }]);
});

it('takes a name of one space', async () => {
  const { user, field, moves } = await open({ identifier: 'a.txt' }, () => ({
    ...nothing,
    count: 1,
    taken: 0,
  }));
  await user.clear(field);
  await user.type(field, ' {Enter}');
  await waitFor(() => expect(moves()).toHaveLength(1));
});

it('says at the field that a name is in no other folder', async () => {
  const { user, field, moves } = await open({ identifier: 'a.txt' }, () => ({
    ...nothing,
    count: 1,
    taken: 0,
  }));
  await user.clear(field);
  await user.type(field, 'x/y{Enter}');
  expect(screen.getByRole('alert', { hidden: true }).textContent).toBe(
    'A name can’t contain /. To change its folder, choose Move.',
  );
  expect([isOpen(), moves(), field.getAttribute('aria-invalid')]).toEqual([true, [], 'true']);
});

it('opens the dialog with a name that is taken', async () => {
  const { user, field } = await open({ identifier: 'photos/a.txt' }, () => nothing);
  await user.clear(field);
  await user.type(field, 'b{Enter}');
  await waitFor(() =>
    expect(asked.mock.calls).toEqual([[{ selection: { kind: 'ids', ids: [7] }, wanted: 'photos/b' }]]),
  );
});

it('gives a folder another name, and asks first if there is one of that name', async () => {
  const { user, field, moves, unmount } = await open({ folder: 'x/photos' }, () => ({
    ...nothing,
    count: 3,
    taken: 0,
  }));
  await user.clear(field);
  await user.type(field, 'pictures{Enter}');
  await waitFor(() => expect(isOpen()).toBe(false));
  expect(moves()).toMatchObject([{ to: { kind: 'beginning', from: 'x/photos/', to: 'x/pictures/' } }]);
  unmount();
  const again = await open({ folder: 'x/photos' }, () => nothing, -1);
  await again.user.clear(again.field);
  await again.user.type(again.field, 'reports{Enter}');
  await waitFor(() =>
    expect(asked.mock.lastCall?.[0]).toMatchObject({ folder: 'x/photos', wanted: 'x/reports' }),
  );
  expect(again.moves()).toEqual([]);
});

it('gives a folder without objects another name, which can be undone', async () => {
  const folders = [{ from: 'x/new', to: 'x/photos' }];
  const { user, field, moves } = await open({ folder: 'x/new' }, () => ({ ...nothing, taken: 0, folders }));
  await user.clear(field);
  await user.type(field, 'photos{Enter}');
  await waitFor(() => expect(isOpen()).toBe(false));
  expect(moves()).toMatchObject([
    {
      selection: { kind: 'folders', paths: ['x/new'] },
      to: { kind: 'beginning', from: 'x/new/', to: 'x/photos/' },
    },
  ]);
  expect(asked).not.toHaveBeenCalled();
  expect(useUndo.getState().entries).toMatchObject([{ of: 'rename' }]);
});

it('takes the folders without objects back with a folder that is renamed', async () => {
  const folders = [{ from: 'x/photos/new', to: 'x/pictures/new' }];
  const { user, field, main } = await open({ folder: 'x/photos' }, () => ({
    ...nothing,
    count: 1,
    taken: 0,
    transferIds: [4],
    folders,
  }));
  await user.clear(field);
  await user.type(field, 'pictures{Enter}');
  await waitFor(() => expect(useUndo.getState().entries).toHaveLength(1));
  const [entry] = useUndo.getState().entries;
  expect(entry).toMatchObject({ of: 'rename', transferIds: [4] });
  await entry?.run();
  expect(main.calls.slice(-2)).toMatchObject([
    { name: 'objects.undoMove', input: { transferIds: [4] } },
    { name: 'objects.undoFolders', input: { changes: folders } },
  ]);
});

it('stays in the open folder when it is renamed, and when that is undone; the sidebar keeps it expanded', async () => {
  function Memory() {
    usePlaceMemory('p1', undefined);
    return null;
  }
  const places = [{ from: 'x/photos', to: 'x/pictures' }];
  const { user, field } = await open({ folder: 'x/photos' }, () => ({
    ...nothing,
    count: 1,
    taken: 0,
    transferIds: [4],
    places,
  }));
  renderInApp(<Memory />, { 'services.rememberShown': () => undefined });
  act(() => showPlace({ kind: 'folder', path: 'x/photos/2026' }));
  act(() => setExpanded(['x', 'x/photos'], true));
  await user.clear(field);
  await user.type(field, 'pictures{Enter}');
  await waitFor(() => expect(usePlace.getState().place).toEqual({ kind: 'folder', path: 'x/pictures/2026' }));
  expect(usePlace.getState().expanded).toEqual(new Set(['x', 'x/pictures']));
  await act(() => useUndo.getState().entries[0]?.run());
  expect(usePlace.getState().place).toEqual({ kind: 'folder', path: 'x/photos/2026' });
  expect(usePlace.getState().expanded).toEqual(new Set(['x', 'x/photos']));
});
