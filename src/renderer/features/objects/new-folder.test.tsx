import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { expectAccessible, renderInApp, testService } from '../../../../test-support/renderer/testing.tsx';
import { runCommand } from '../../app/commands.ts';
import { showPlace, usePlace } from '../../app/place.ts';
import { NewFolder } from './NewFolder.tsx';
import { askForFolder } from './state/new-folder.ts';
import { useBrowser } from './state/browser-store.ts';

beforeEach(() => showPlace({ kind: 'folder', path: 'photos' }));

const open = (taken: 'folder' | 'object' | null = null) =>
  renderInApp(<NewFolder service={testService} />, {
    'objects.makeFolder': ({ into, name }) => ({
      path: into === '' ? name : `${into}/${name}`,
      taken: name === 'beach' ? taken : null,
    }),
  });

it('asks for a name in the open folder, which Enter creates, shows and selects', async () => {
  const { main, user } = open();
  act(() => void runCommand('newFolder'));
  const dialog = await screen.findByRole('dialog', { name: 'New folder' });
  await expectAccessible(dialog);
  expect(dialog.textContent).toContain('In photos');
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' });
  expect(document.activeElement).toBe(field);
  expect([field.value, field.selectionStart, field.selectionEnd]).toEqual(['New folder', 0, 10]);
  await user.keyboard('2026/july{Enter}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(main.calls.find(({ name }) => name === 'objects.makeFolder')?.input).toEqual({
    serviceId: testService.id,
    into: 'photos',
    name: '2026/july',
  });
  expect(usePlace.getState().place).toEqual({ kind: 'folder', path: 'photos/2026' });
  expect(useBrowser.getState()).toMatchObject({ soughtFolder: 'photos/2026/july', isFolderSelected: true });
});

it.each([
  ['folder', 'There is a folder with this name already.'],
  ['object', 'There is an object with this name already.'],
] as const)('says that the name is the one of another %s, under the field', async (taken, text) => {
  const { user } = open(taken);
  act(() => askForFolder('photos'));
  const field = await screen.findByRole('textbox', { name: 'Name' });
  await user.keyboard('beach{Enter}');
  await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'));
  expect(screen.getByText(text)).toBeTruthy();
  await user.keyboard('2');
  expect(field.getAttribute('aria-invalid')).toBeNull();
});

it('takes no name that no identifier can have, and Esc creates nothing', async () => {
  const { main, user } = open();
  act(() => askForFolder(''));
  const field = await screen.findByRole('textbox', { name: 'Name' });
  expect(screen.getByText('In Files')).toBeTruthy();
  for (const name of ['a//b', '..']) {
    await user.clear(field);
    await user.type(field, `${name}{Enter}`);
    expect(field.getAttribute('aria-invalid')).toBe('true');
  }
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(main.calls.some(({ name }) => name === 'objects.makeFolder')).toBe(false);
});
