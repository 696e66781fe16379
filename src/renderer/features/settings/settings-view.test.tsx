import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { settingsDefault } from '../../../shared/domain/settings.ts';
import { AppFailure } from '../../../shared/app-failure.ts';
import {
  type Answers,
  expectAccessible,
  inTeam,
  renderInApp,
  testInfo,
  testService,
  testTeam,
} from '../../../../test-support/renderer/testing.tsx';
import { closeTeamDialog, useTeamDialog } from '../team/teams.ts';
import { CatalogueSection } from './CatalogueSection.tsx';
import { ServicesSection } from './ServicesSection.tsx';
import { SettingsView } from './SettingsView.tsx';
import { TeamSection } from '../team/TeamSection.tsx';

/** @param ui a single section, if another test covers it within the page */
function open(answers: Answers = {}, ui = <SettingsView />) {
  return renderInApp(ui, { 'settings.update': () => settingsDefault, ...answers });
}

it('applies each change at once', async () => {
  const { user, main, container } = open();
  await screen.findByText('Coffer 1.0.0');
  await user.click(screen.getByRole('radio', { name: 'Dark' }));
  await user.click(screen.getByRole('switch', { name: 'Notify when done' }));
  const updates = main.calls.filter(({ name }) => name === 'settings.update').map(({ input }) => input);
  expect(updates).toEqual([{ theme: 'dark' }, { notifyWhenDone: false }]);
  await expectAccessible(container);
});

it('sets what happens while the window is closed, and explains it again after a change', async () => {
  const { user, main } = open();
  await screen.findByText('Coffer 1.0.0');
  await user.click(screen.getByRole('switch', { name: 'Keep running in the background' }));
  await user.click(screen.getByRole('switch', { name: 'Show Coffer in the notification area' }));
  const updates = main.calls.filter(({ name }) => name === 'settings.update').map(({ input }) => input);
  expect(updates).toEqual([{ keepRunning: false, backgroundTold: false }, { trayIcon: true }]);
});

it('has requests per second, and whether the computer stays awake, among the advanced settings', async () => {
  const { user, main } = open();
  await screen.findByText('Coffer 1.0.0');
  const title = screen.getByRole('heading', { name: 'Advanced' });
  const advanced = within(title.parentElement ?? title);
  expect(advanced.getByRole('textbox', { name: 'Requests per second' })).toBeTruthy();
  await user.click(advanced.getByRole('switch', { name: 'Keep the computer awake' }));
  const updates = main.calls.filter(({ name }) => name === 'settings.update').map(({ input }) => input);
  expect(updates).toEqual([{ keepAwake: false }]);
});

it('calls the tray what macOS calls it', async () => {
  open({ 'app.info': () => ({ ...testInfo, platform: 'darwin' }) });
  expect(await screen.findByRole('switch', { name: 'Show Coffer in the menu bar' })).toBeTruthy();
});

it('offers to add the service on this computer, unless it exists', async () => {
  const services = (isLocal: boolean) => () => ({
    revision: 1,
    services: [{ ...testService, isLocal }],
    activeId: testService.id,
  });
  const { user, main, unmount } = open(
    { 'services.list': services(false), 'services.tryLocal': () => testService },
    <ServicesSection search="" />,
  );
  await user.click(await screen.findByRole('button', { name: 'Try it on this computer' }));
  expect(main.calls.map(({ name }) => name)).toContain('services.tryLocal');
  unmount();
  const local = open({ 'services.list': services(true) }, <ServicesSection search="" />);
  await waitFor(() => expect(local.main.answered).toContain('services.list'));
  await screen.findByRole('button', { name: 'Add a service…' });
  expect(screen.queryByRole('button', { name: 'Try it on this computer' })).toBeNull();
});

it('shows the keychain, or that there is none', async () => {
  open({ 'app.info': () => ({ ...testInfo, keychain: { usable: false, error: null, tokens: 0 } }) });
  expect(await screen.findByText('Not available')).toBeTruthy();
  expect(screen.getByText('Tokens are kept until you quit Coffer and never written to disk.')).toBeTruthy();
});

it('finds a setting by its words', async () => {
  const { user } = open();
  await screen.findByText('Coffer 1.0.0');
  await user.click(screen.getByRole('searchbox', { name: 'Search settings' }));
  await user.paste('csv');
  expect(screen.getByText('Import a list')).toBeTruthy();
  expect(screen.queryByText('Theme')).toBeNull();
});

it('finds a service by what is set in its own form', async () => {
  const { user } = open();
  await screen.findByText('Coffer 1.0.0');
  await user.click(screen.getByRole('searchbox', { name: 'Search settings' }));
  await user.paste('preview');
  expect(screen.getByRole('button', { name: `Edit ${testService.name}` })).toBeTruthy();
  expect(screen.queryByText('Theme')).toBeNull();
});

it('exports the list', async () => {
  const { user } = open(
    { 'objects.export': ({ format }) => ({ fileName: `list.${format}`, count: 1284 }) },
    <CatalogueSection search="" />,
  );
  await user.click(await screen.findByRole('button', { name: 'JSON Lines' }));
  expect(await screen.findByText('1,284 objects written to list.jsonl.')).toBeTruthy();
});

it('shows the progress of an import, and cancels it', async () => {
  const { user, main } = open({ 'objects.cancelImport': () => undefined }, <CatalogueSection search="" />);
  await screen.findByRole('button', { name: 'Import…' });
  const id = '018f3b1e-7d53-4b55-9d2c-0d8f5f0c7a11';
  const progress = {
    id,
    serviceId: 'p1',
    fileName: 'list.jsonl',
    doneBytes: 430,
    totalBytes: 1000,
    lines: 43_000,
  };
  act(() => main.emit('objects.importProgress', { ...progress, isOver: false }));
  expect(await screen.findByText(/Importing .*list\.jsonl.*: 43%, 43,000 lines/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Cancel the import' }));
  expect(main.calls).toContainEqual({ name: 'objects.cancelImport', input: { id } });
  act(() => main.emit('objects.importProgress', { ...progress, isOver: true }));
  expect(await screen.findByRole('button', { name: 'Import…' })).toBeTruthy();
});

it('shows an error if the log cannot be shown', async () => {
  const { user } = open({
    'app.open': () => {
      throw new AppFailure({ code: 'fileGone', fileName: 'coffer.log' });
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Show the log' }));
  expect(await screen.findByText('coffer.log is no longer where it was.')).toBeTruthy();
});

it('lists the proxies that Coffer is signed in to, and forgets one', async () => {
  let proxies = [
    { origin: 'http://proxy.meridian.example:3128', user: 'aino', storedIn: 'keychain' as const },
  ];
  const { user, main } = open({
    'proxies.list': () => ({ proxies }),
    'proxies.forget': () => {
      proxies = [];
    },
  });
  expect(await screen.findByText('Proxy proxy.meridian.example:3128')).toBeTruthy();
  expect(screen.getByText('Signed in as aino')).toBeTruthy();
  await user.click(
    screen.getByRole('button', { name: 'Forget the name and password for proxy.meridian.example:3128' }),
  );
  await waitFor(() => expect(screen.queryByText('Signed in as aino')).toBeNull());
  expect(main.calls).toContainEqual({
    name: 'proxies.forget',
    input: { origin: 'http://proxy.meridian.example:3128' },
  });
});

it('offers to join a team’s list, but not for the service on this computer', async () => {
  const local = { ...testService, id: 'p2', name: 'This computer', isLocal: true };
  const { user } = open(
    { 'services.list': () => ({ revision: 1, services: [testService, local], activeId: 'p1' }) },
    <TeamSection search="" />,
  );
  await user.click(await screen.findByRole('button', { name: 'Join a team’s list for Meridian Archive' }));
  expect(useTeamDialog.getState().open).toEqual({ kind: 'join', serviceId: 'p1' });
  closeTeamDialog();
  expect(screen.queryByText('List of This computer')).toBeNull();
});

it('keeps the focus when joining unmounts the focused button', async () => {
  let isIn = false;
  const { main } = open(
    { ...inTeam(), 'team.status': () => ({ revision: 1, team: isIn ? testTeam : null }) },
    <TeamSection search="" />,
  );
  const join = await screen.findByRole('button', { name: 'Join a team’s list for Meridian Archive' });
  act(() => join.focus());
  isIn = true;
  await act(async () => main.emit('team.changed', { serviceId: 'p1', revision: 2 }));
  const manage = await screen.findByRole('button', { name: /^People and access of the team/ });
  await waitFor(() => expect(document.activeElement).toBe(manage));
});

it('offers no team while it is not known whether there is one', async () => {
  const { user } = open({ 'team.status': () => new Promise(() => undefined) });
  await user.click(await screen.findByRole('searchbox'));
  await user.paste('team');
  expect(screen.queryByRole('button', { name: /^Join a team/ })).toBeNull();
});

it('offers no retry of changes that the server would reject again, and says when they are retried', async () => {
  open(inTeam({ setAside: 1 }), <TeamSection search="" />);
  expect(await screen.findByText(/refused 1 change of yours.* when your access changes\.$/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Try again with the team/ })).toBeNull();
});

it('says how many of the team’s objects were left out, if any', async () => {
  let leftOut = 2;
  const { main } = open(
    {
      ...inTeam(),
      'team.status': () => ({
        revision: 3 - leftOut,
        team: { ...testTeam, syncState: { kind: 'live', leftOut } },
      }),
    },
    <TeamSection search="" />,
  );
  const text = /^2 objects are left out: what the team says of them isn’t valid\.$/;
  expect(await screen.findByText(text)).toBeTruthy();
  leftOut = 0;
  await act(async () => main.emit('team.changed', { serviceId: 'p1', revision: 3 }));
  await waitFor(() => expect(screen.queryByText(text)).toBeNull());
});

it('shows the team’s sync status and remedy, and retries rejected changes', async () => {
  const { user, main, container } = open(
    {
      ...inTeam({ syncState: { kind: 'refused', why: 'ended' }, due: 2, setAside: 1, noteConflicts: 1 }),
      'team.retry': () => undefined,
    },
    <TeamSection search="" />,
  );
  expect(
    await screen.findByText('The team refuses you, 2 changes wait · Archive on db.meridian.example, as anna'),
  ).toBeTruthy();
  expect(screen.getByText(/^You aren’t a member of the team there\./)).toBeTruthy();
  expect(screen.getByText(/^The server refused 1 change of yours/)).toBeTruthy();
  expect(screen.getByText(/^1 note of yours is kept apart/)).toBeTruthy();
  await expectAccessible(container);
  await user.click(screen.getByRole('button', { name: 'Try again with the team of Meridian Archive' }));
  expect(main.calls).toContainEqual({ name: 'team.retry', input: { serviceId: 'p1' } });
  await user.click(screen.getByRole('button', { name: 'Sign in to the team of Meridian Archive' }));
  expect(useTeamDialog.getState().open).toEqual({ kind: 'signIn', serviceId: 'p1' });
  closeTeamDialog();
});
