import { act, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, expect, it } from 'vitest';
import { commandKeys, doneKeys, listKeys, partKeys } from '../../shared/keys.ts';
import { createFakeMain, expectAccessible } from '../../../test-support/renderer/testing.tsx';
import { App } from '../shell/App.tsx';
import { runCommand } from './commands.ts';
import { shownChord } from './key-bindings.ts';
import { usePlace } from './place.ts';
import { shortcutGroups } from './Shortcuts.tsx';

beforeEach(() => usePlace.setState(usePlace.getInitialState(), true));

const page = () => screen.queryByRole('dialog', { name: 'Keyboard shortcuts' });

async function renderWindow() {
  const { client } = createFakeMain();
  render(<App client={client} />);
  await screen.findByRole('navigation', { name: 'Collections' });
  return userEvent.setup();
}

it('opens with a question mark and gives the focus back', async () => {
  const user = await renderWindow();
  const settings = screen.getByRole('link', { name: 'Settings' });
  act(() => settings.focus());
  await user.keyboard('?');
  const shown = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
  await expectAccessible(document.body);
  expect(shown.contains(document.activeElement)).toBe(true);
  const line = within(shown).getByText('Open the command palette').parentElement;
  expect(line?.querySelector('.visually-hidden')?.textContent).toBe('Ctrl+K');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(page()).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(settings));
});

it('types a character in text fields', async () => {
  const user = await renderWindow();
  const search = await screen.findByRole('searchbox', { name: 'Search objects' });
  await user.type(search, 'a?');
  expect((search as HTMLInputElement).value).toBe('a?');
  expect(page()).toBeNull();
});

it('offers the list of shortcuts in the palette', async () => {
  const user = await renderWindow();
  act(() => void runCommand('palette'));
  await screen.findByRole('combobox', { name: 'Commands, objects and settings' });
  await user.keyboard('shortcuts{Enter}');
  expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toBeTruthy();
});

it('shows every key of the table once', () => {
  const table = [commandKeys, listKeys, partKeys].flatMap((part) => Object.values(part));
  const all: string[] = [...table, doneKeys].flat();
  const shown = shortcutGroups().flatMap(({ shortcuts }) => shortcuts.flatMap(({ chords }) => chords));
  expect(shown).toHaveLength(all.length);
  expect(new Set(shown)).toEqual(new Set(all));
  expect(new Set(all.map(shownChord)).size).toBe(all.length);
});
