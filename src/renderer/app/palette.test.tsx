import { render, screen, waitFor, within } from '@testing-library/react';
import { userEvent, type UserEvent } from '@testing-library/user-event';
import { beforeEach, expect, it } from 'vitest';
import { settingsDefault } from '../../shared/domain/settings.ts';
import { createFakeMain, expectAccessible, testService } from '../../../test-support/renderer/testing.tsx';
import { App } from '../shell/App.tsx';
import { usePlace } from './place.ts';

beforeEach(() => usePlace.setState(usePlace.getInitialState(), true));

async function openPalette(typed: string) {
  const user = userEvent.setup();
  const main = createFakeMain({
    'settings.update': () => settingsDefault,
    'services.activate': () => undefined,
    'services.list': () => ({
      revision: 1,
      services: [testService, { ...testService, id: 'p2', name: 'Survey' }],
      activeId: 'p1',
    }),
  });
  render(<App client={main.client} />);
  await screen.findByRole('navigation', { name: 'Collections' });
  const type = async (text: string) => {
    await user.keyboard('{Control>}k{/Control}');
    await screen.findByRole('combobox', { name: 'Commands, objects and settings' });
    // Pastes rather than types: every keystroke renders all results again.
    await user.paste(text);
    return screen.findAllByRole('option');
  };
  const options = await type(typed);
  const labels = () =>
    screen.queryAllByRole('option').map((option) => option.querySelector('.palette__label')?.textContent);
  return { main, user, type, options, labels };
}

it('opens Settings at the chosen setting, whatever was searched there', async () => {
  const { user, type } = await openPalette(',schedule');
  await user.keyboard('{Enter}');
  const byHour = await screen.findByRole('switch', { name: 'Limit by the hour' });
  await waitFor(() => expect(document.activeElement).toBe(byHour));
  await user.click(screen.getByRole('searchbox', { name: 'Search settings' }));
  await user.paste('language');
  expect(screen.queryByRole('switch', { name: 'Limit by the hour' })).toBeNull();
  await type(',theme appearance');
  await user.keyboard('{Enter}');
  expect(await screen.findByRole('switch', { name: 'Limit by the hour' })).toBeTruthy();
  expect(usePlace.getState().setting).toBeNull();
});

async function choose(user: UserEvent, role: string, name: string) {
  await user.keyboard('{Enter}');
  return screen.findByRole(role, { name });
}

it('puts the focus on the control', { tags: 'all' }, async () => {
  const { user } = await openPalette('export list');
  const button = await choose(user, 'button', 'JSON Lines');
  await waitFor(() => expect(document.activeElement).toBe(button));
});

it('puts the focus on a control of any other kind', { tags: 'all' }, async () => {
  const { user, type } = await openPalette(',files at once');
  const box = await choose(user, 'textbox', 'Files at once');
  await waitFor(() => expect(document.activeElement).toBe(box));
  await type(',language appearance');
  const list = await choose(user, 'combobox', 'Language');
  await waitFor(() => expect(document.activeElement).toBe(list));
});

it('shows where a limit is set, and that there is none', async () => {
  const { options } = await openPalette(',throttle');
  const shown = options.map(({ textContent }) => textContent);
  expect(shown).toContain('Files at onceTransfersAutomatic');
  expect(shown).toContain('Requests per secondAdvancedNo limit');
});

it('leaves the focus where the command puts it', async () => {
  const { user } = await openPalette('search objects');
  await user.keyboard('{Enter}');
  const search = await screen.findByRole('searchbox', { name: 'Search objects' });
  await waitFor(() => expect(screen.queryByRole('option')).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(search));
});

it('changes the theme, and offers no theme, rows or language already in use', async () => {
  const { main, user, labels } = await openPalette(',use');
  expect(labels()).toEqual([
    'Use the light theme',
    'Use the dark theme',
    'Use compact rows',
    'Use Coffer in English',
    'Use Coffer in Deutsch',
    'Use Coffer in \u2068العربية\u2069',
  ]);
  await expectAccessible(document.body);
  await user.keyboard('{ArrowDown}{Enter}');
  await waitFor(() =>
    expect(main.calls).toContainEqual({ name: 'settings.update', input: { theme: 'dark' } }),
  );
});

it('switches, edits and adds services', async () => {
  const { main, user, type } = await openPalette('switch service');
  const group = screen.getByRole('group', { name: 'Services' });
  expect(within(group).getAllByRole('option')).toHaveLength(1);
  await user.keyboard('{Enter}');
  await waitFor(() => expect(main.calls).toContainEqual({ name: 'services.activate', input: { id: 'p2' } }));
  await type('edit meridian');
  await user.keyboard('{Enter}');
  await waitFor(() => expect(usePlace.getState().connecting).toEqual({ serviceId: 'p1', field: null }));
});
