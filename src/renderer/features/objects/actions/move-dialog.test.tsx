import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import type { Input, Output } from '../../../../shared/contract.ts';
import { useDock } from '../../../app/dock.ts';
import { useUndo } from '../../../app/undo.ts';
import { expectAccessible, renderInApp } from '../../../../../test-support/renderer/testing.tsx';
import { LiveRegions } from '../../../ui/announce.tsx';
import { useBrowser } from '../state/browser-store.ts';
import { MoveDialog } from './MoveDialog.tsx';

type Plan = Output<'objects.planMove'>;
const plan: Plan = {
  base: 'reports/',
  chosen: 2,
  count: 2,
  totalBytes: 2_000_000,
  rows: [{ id: 1, identifier: 'reports/agenda.docx', lengthBytes: 900, to: 'archive/agenda.docx' }],
  taken: 0,
  leftOut: 0,
  error: null,
};

beforeEach(() => useDock.setState(useDock.getInitialState(), true));

const one = { base: 'reports/agenda.docx', chosen: 1 };
const isDisabled = (button: HTMLElement) => button instanceof HTMLButtonElement && button.disabled;

async function open(
  planned: (input: Input<'objects.planMove'>) => Partial<Plan>,
  name: string,
  folder?: string,
  folders?: Output<'objects.move'>['folders'],
) {
  const onClose = vi.fn<() => void>();
  const app = renderInApp(
    <>
      <MoveDialog
        selection={{ kind: 'ids', ids: [1, 2] }}
        separator="/"
        serviceName="Meridian"
        {...(folder !== undefined && { folder })}
        onClose={onClose}
      />
      <LiveRegions />
    </>,
    {
      'objects.folderIndex': ({ path }) => ({ index: path === 'archive' ? 0 : null }),
      'objects.planMove': (input) => ({ ...plan, ...planned(input) }),
      'objects.move': ({ to }) => ({
        count: 2,
        leftOut: 0,
        taken: 0,
        transferIds: folders ? [4] : [],
        ...(folders && { folders }),
        renamedId: to.kind === 'name' ? 7 : null,
      }),
    },
  );
  const dialog = await screen.findByRole('dialog', { name });
  const button = (label: string) => within(dialog).getByRole('button', { name: label });
  return { ...app, onClose, dialog, button };
}

it('moves several into the folder that was typed', async () => {
  const { user, dialog, main, button, onClose } = await open(() => ({}), 'Move 2 objects');
  const into = within(dialog).getByRole<HTMLInputElement>('textbox', { name: 'Into' });
  expect(into.value).toBe('reports/');
  await user.clear(into);
  await user.type(into, 'archive');
  await within(dialog).findByText('None of the new identifiers is taken.');
  within(dialog).getByText('and 1 more');
  await expectAccessible(dialog);
  await waitFor(() => expect(isDisabled(button('Move 2 objects'))).toBe(false));
  await user.click(button('Move 2 objects'));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(main.calls.find(({ name }) => name === 'objects.move')?.input).toEqual({
    selection: { kind: 'ids', ids: [1, 2] },
    to: { kind: 'folder', folder: 'archive' },
  });
  expect(useDock.getState().tab).toBe('transfers');
});

it('moves out of subfolders into their common folder by the button, not by Enter alone', async () => {
  const { user, dialog, main, button } = await open(() => ({ base: '' }), 'Move 2 objects');
  const into = within(dialog).getByRole<HTMLInputElement>('textbox', { name: 'Into' });
  expect(into.value).toBe('');
  await within(dialog).findByText('None of the new identifiers is taken.');
  await user.click(into);
  await user.keyboard('{Enter}');
  const moved = () => main.calls.filter(({ name }) => name === 'objects.move');
  expect(moved()).toEqual([]);
  await user.click(button('Move 2 objects'));
  await waitFor(() => expect(moved()).toHaveLength(1));
  expect(moved()[0]?.input).toMatchObject({ to: { kind: 'folder', folder: '' } });
});

it('renames one with Enter, and says why an identifier is refused', async () => {
  const { user, dialog, main, button } = await open(
    ({ to }) =>
      to.kind === 'name' && to.identifier === ''
        ? { ...one, count: 1, error: { code: 'badIdentifier', problem: 'empty' } }
        : { ...one, count: 1 },
    'Rename or move',
  );
  useDock.setState({ tab: 'details' });
  const name = within(dialog).getByRole<HTMLInputElement>('textbox', { name: 'Identifier' });
  await waitFor(() => expect(document.activeElement).toBe(name));
  expect(name.value.slice(name.selectionStart ?? 0, name.selectionEnd ?? 0)).toBe('agenda');
  await user.clear(name);
  await waitFor(() => expect(name.getAttribute('aria-invalid')).toBe('true'));
  expect(isDisabled(button('Rename'))).toBe(true);
  await user.type(name, 'minutes.docx');
  await waitFor(() => expect(isDisabled(button('Rename'))).toBe(false));
  await user.keyboard('{Enter}');
  await waitFor(() =>
    expect(main.calls.find((call) => call.name === 'objects.move')?.input).toMatchObject({
      to: { kind: 'name', identifier: 'minutes.docx' },
    }),
  );
  await waitFor(() => expect(useBrowser.getState()).toMatchObject({ soughtId: 7, soughtFor: 'select' }));
  // The dock still shows Details of the renamed row.
  expect(useDock.getState().tab).toBe('details');
});

it('does not mention objects left in place until another name is typed', async () => {
  const { user, dialog, main } = await open(() => ({ ...one, count: 0, leftOut: 1 }), 'Rename or move');
  const name = within(dialog).getByRole('textbox', { name: 'Identifier' });
  await waitFor(() =>
    expect(main.calls.findLast((call) => call.name === 'objects.planMove')?.input).toMatchObject({
      to: { kind: 'name', identifier: one.base },
    }),
  );
  await act(async () => undefined);
  expect(within(dialog).queryByText(/stays where it is/)).toBeNull();
  await user.type(name, 'x');
  await within(dialog).findByText(/^1 stays where it is/);
});

it('changes the path of a folder', async () => {
  const { user, dialog, main, button } = await open(() => ({}), 'Move 2 objects', 'reports/2026');
  const path = within(dialog).getByRole<HTMLInputElement>('textbox', { name: 'Folder' });
  await waitFor(() => expect(document.activeElement).toBe(path));
  expect(path.value.slice(path.selectionStart ?? 0, path.selectionEnd ?? 0)).toBe('2026');
  await user.keyboard('2027');
  await waitFor(() => expect(isDisabled(button('Move 2 objects'))).toBe(false));
  await user.keyboard('{Enter}');
  await waitFor(() =>
    expect(main.calls.find(({ name }) => name === 'objects.move')?.input).toMatchObject({
      to: { kind: 'beginning', from: 'reports/2026/', to: 'reports/2027/' },
    }),
  );
});

it('says that a folder would be joined with the one that has its new name', async () => {
  const { user, dialog, button } = await open(() => ({}), 'Move 2 objects', 'reports');
  const joined = 'There is a folder with this name already. Both become one.';
  await waitFor(() => expect(isDisabled(button('Move 2 objects'))).toBe(false));
  expect(within(dialog).queryByText(joined)).toBeNull();
  await user.keyboard('archive');
  await within(dialog).findByText(joined);
  expect(isDisabled(button('Move 2 objects'))).toBe(false);
  await user.keyboard('s');
  await waitFor(() => expect(within(dialog).queryByText(joined)).toBeNull());
});

it('moves nothing while the new identifier is taken', async () => {
  const { dialog, button } = await open(() => ({ ...one, count: 0, taken: 1, rows: [] }), 'Rename or move');
  await within(dialog).findByText(/^This identifier is taken/);
  expect(isDisabled(button('Rename'))).toBe(true);
});

it('offers to undo at once what takes folders without objects along', async () => {
  const folders = [{ from: 'reports/new', to: 'archive/new' }];
  const { user, dialog, button } = await open(() => ({ folders: 1 }), 'Move 2 objects', 'reports', folders);
  const field = within(dialog).getByRole('textbox', { name: 'Folder' });
  await user.clear(field);
  await user.type(field, 'archive');
  await waitFor(() => expect(isDisabled(button('Move 2 objects'))).toBe(false));
  await user.click(button('Move 2 objects'));
  await waitFor(() => expect(useUndo.getState().entries).toMatchObject([{ of: 'rename', transferIds: [4] }]));
});
