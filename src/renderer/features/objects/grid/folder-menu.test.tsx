import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { use } from 'react';
import { expect, it } from 'vitest';
import {
  expectAccessible,
  renderInApp,
  testService,
  mixWithFailed,
} from '../../../../../test-support/renderer/testing.tsx';
import { MoveFolder, OpenFolderMenu } from '../../../app/folder-menu.ts';
import { useUndo } from '../../../app/undo.ts';
import { FolderMenu } from './FolderMenu.tsx';

function Folder() {
  const open = use(OpenFolderMenu);
  const move = use(MoveFolder);
  return (
    <button
      onKeyDown={({ key }) => {
        if (key === 'F2') move('tree/reports');
      }}
      type="button"
      onClick={({ currentTarget }) => open('tree/reports', { x: 5, y: 5 }, currentTarget)}
    >
      reports
    </button>
  );
}

it('downloads a folder with its own name, checks it, and asks before it is deleted', async () => {
  const { user, main } = renderInApp(
    <FolderMenu service={testService}>
      <Folder />
    </FolderMenu>,
    {
      'objects.savedFiles': () => ({ transferIds: [] }),
      'objects.downloadEstimate': () => ({
        count: 360,
        totalBytes: 1000,
        unknownLengths: 0,
        freeBytes: null,
      }),
      'objects.download': () => ({ count: 360 }),
      'objects.freeze': () => ({
        selection: { kind: 'frozen', ticket: '018f3b1e-7d53-4b55-9d2c-0d8f5f0c7a11' },
      }),
      'objects.freezeVersions': () => ({
        selection: { kind: 'frozen', ticket: '018f3b1e-7d53-4b55-9d2c-0d8f5f0c7a11' },
        older: 0,
      }),
      'objects.mixOf': () => mixWithFailed(0),
      'objects.summarize': () => ({ count: 360, totalBytes: 1000, unknownLengths: 0 }),
      'objects.names': () => ({ rows: [] }),
      'objects.removeFolders': () => ({ changes: [] }),
    },
  );
  const folder = screen.getByRole('button', { name: 'reports' });
  await user.click(folder);
  const menu = await screen.findByRole('menu', { name: /^Folder .*tree\/reports/ });
  await expectAccessible(menu);
  await user.click(screen.getByRole('menuitem', { name: 'Download' }));
  await waitFor(() =>
    expect(main.calls.findLast(({ name }) => name === 'objects.download')?.input).toMatchObject({
      selection: { kind: 'folders', paths: ['tree/reports'] },
      below: 'tree',
    }),
  );
  await waitFor(() => expect(document.activeElement).toBe(folder));
  await user.click(folder);
  await user.click(await screen.findByRole('menuitem', { name: 'Delete…' }));
  expect(await screen.findByRole('alertdialog', { name: 'Delete 360 objects?' })).toBeTruthy();
  act(() => void fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
});

it('keeps a folder as a favourite, and asks for another path or classification of what is in it', async () => {
  const frozen = { kind: 'frozen' as const, ticket: '018f3b1e-7d53-4b55-9d2c-0d8f5f0c7a11' };
  const { user, main } = renderInApp(
    <FolderMenu service={testService}>
      <Folder />
    </FolderMenu>,
    {
      'services.keepFavourite': () => undefined,
      'objects.freeze': () => ({ selection: frozen }),
      'objects.mixOf': () => mixWithFailed(0),
      'objects.names': () => ({ rows: [] }),
      'objects.planMove': () => ({
        base: 'tree/reports/a.txt',
        chosen: 2,
        count: 0,
        totalBytes: 0,
        rows: [],
        taken: 0,
        leftOut: 2,
        error: null,
      }),
    },
  );
  const folder = screen.getByRole('button', { name: 'reports' });
  await user.click(folder);
  await user.click(await screen.findByRole('menuitem', { name: 'Add to favourites' }));
  await waitFor(() =>
    expect(main.calls.find(({ name }) => name === 'services.keepFavourite')?.input).toEqual({
      id: testService.id,
      favourite: { kind: 'data', place: { kind: 'folder', path: 'tree/reports' }, search: '' },
      isKept: true,
    }),
  );
  await user.click(folder);
  await user.click(await screen.findByRole('menuitem', { name: 'Change classification…' }));
  const asked = await screen.findByRole('dialog', { name: /^Change classification of/ });
  expect(asked).toBeTruthy();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  act(() => folder.focus());
  await user.keyboard('{F2}');
  await screen.findByRole('dialog', { name: 'Move 2 objects' });
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Folder' }).value).toBe('tree/reports');
});

it('shows where the files of a folder were downloaded to', async () => {
  const { user, main } = renderInApp(
    <FolderMenu service={testService}>
      <Folder />
    </FolderMenu>,
    { 'objects.savedFiles': () => ({ transferIds: [9, 11] }), 'transfers.showInFolder': () => undefined },
  );
  await user.click(screen.getByRole('button', { name: 'reports' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Show in folder' }));
  const inputOf = (wanted: string) => main.calls.findLast(({ name }) => name === wanted)?.input;
  expect(inputOf('objects.savedFiles')).toMatchObject({
    selection: { kind: 'folders', paths: ['tree/reports'] },
  });
  expect(inputOf('transfers.showInFolder')).toEqual({ ids: [9, 11] });
});

it('removes a folder without objects without a question, and undoes it', async () => {
  const changes = [{ from: 'tree/reports', to: null }];
  const { user, main } = renderInApp(
    <FolderMenu service={testService}>
      <Folder />
    </FolderMenu>,
    {
      'objects.savedFiles': () => ({ transferIds: [] }),
      'objects.summarize': () => ({ count: 0, totalBytes: 0, unknownLengths: 0 }),
      'objects.freeze': () => ({
        selection: { kind: 'frozen', ticket: '018f3b1e-7d53-4b55-9d2c-0d8f5f0c7a11' },
      }),
      'objects.removeFolders': () => ({ changes }),
      'objects.undoFolders': () => undefined,
    },
  );
  await user.click(screen.getByRole('button', { name: 'reports' }));
  await screen.findByRole('menu');
  expect(screen.getAllByRole('menuitem').map((item) => item.getAttribute('data-key'))).toEqual([
    'newFolder',
    'copy',
    'favourite',
    'move',
    'delete',
  ]);
  await user.click(screen.getByRole('menuitem', { name: 'Delete…' }));
  await waitFor(() => expect(useUndo.getState().entries[0]?.of).toBe('delete'));
  expect(screen.queryByRole('alertdialog')).toBeNull();
  await act(() => useUndo.getState().entries[0]?.run());
  expect(main.calls.findLast(({ name }) => name === 'objects.undoFolders')?.input).toEqual({
    serviceId: testService.id,
    changes,
  });
});
