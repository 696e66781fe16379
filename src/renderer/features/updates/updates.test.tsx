import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { settingsDefault } from '../../../shared/domain/settings.ts';
import { expectAccessible, renderInApp } from '../../../../test-support/renderer/testing.tsx';
import { SettingsView } from '../settings/SettingsView.tsx';
import { UpdateLine } from './window.tsx';

const host = 'releases.example';

it('offers nothing without an update source', async () => {
  renderInApp(<SettingsView />);
  await screen.findByText('Coffer 1.0.0');
  expect(screen.queryByRole('switch', { name: 'Tell me about new versions' })).toBeNull();
});

it('begins switched off, names the address it would ask, and can be turned on', async () => {
  const { user, main } = renderInApp(<SettingsView />, {
    'updates.state': () => ({ host, askedAtMs: null, newerVersion: null }),
    'settings.update': () => settingsDefault,
  });
  const offered = await screen.findByRole<HTMLInputElement>('switch', { name: 'Tell me about new versions' });
  expect(offered.checked).toBe(false);
  expect(
    screen.getByText(`Asks ${host} once a week and sends nothing else. Nothing is installed automatically.`),
  ).toBeTruthy();
  await user.click(offered);
  expect(main.calls.find(({ name }) => name === 'settings.update')?.input).toEqual({ tellOfUpdates: true });
  // settings-view.test.tsx runs axe on the other sections.
  await expectAccessible(offered.closest('section') ?? document.body);
});

it('shows a newer version quietly, and opens its page on request', async () => {
  let newerVersion: string | null = null;
  const { user, main, container } = renderInApp(<UpdateLine />, {
    'updates.state': () => ({ host, askedAtMs: 1, newerVersion }),
    'updates.openReleasePage': () => undefined,
  });
  await waitFor(() => expect(main.answered).toContain('updates.state'));
  expect(screen.queryByText(/is out/)).toBeNull();

  newerVersion = '1.3.0';
  main.emit('updates.changed', undefined);
  expect(await screen.findByText('Coffer 1.3.0 is available')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Show in browser' }));
  expect(main.calls.some(({ name }) => name === 'updates.openReleasePage')).toBe(true);
  await expectAccessible(container);
});
