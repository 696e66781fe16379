import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { Input, Output } from '../../../shared/contract.ts';
import { AppFailure } from '../../../shared/app-failure.ts';
import {
  type Answers,
  expectAccessible,
  inTeam,
  renderInApp,
  testService,
  testTeam,
} from '../../../../test-support/renderer/testing.tsx';
import { usePlace } from '../../app/place.ts';
import { closeTeamDialog, openTeamDialog } from './teams.ts';
import { TeamDialogs } from './TeamDialogs.tsx';
import { TeamStatus } from './TeamStatus.tsx';

const { server } = testTeam;
const list: Output<'team.inspect'>['lists'][number] = {
  id: 3,
  name: 'Archive',
  address: testService.baseAddress,
  serviceIds: [testService.id],
  areas: [{ prefix: '', classification: null, may: 'contribute' }],
  sharesSecrets: false,
  sharesNotes: true,
  sharesNames: true,
};
const earlier: Output<'team.earlier'>['first'] = [
  { id: 1, kind: 'data', identifier: 'reports/2026.pdf' },
  { id: 2, kind: 'data', identifier: 'site.zip' },
];
const found: Output<'team.inspect'> = { server, isEncrypted: true, shown: 'Anna Berg', lists: [list] };
afterEach(closeTeamDialog);

function show(answers: Answers = {}) {
  return renderInApp(
    <>
      <TeamDialogs />
      <TeamStatus />
    </>,
    {
      'team.readInvitation': () => ({
        server,
        from: 'Ruth Okafor',
        authority: 'Meridian CA',
        hasPassword: true,
      }),
      'team.inspect': () => found,
      'team.earlier': () => ({ count: 1282, first: earlier }),
      ...answers,
    },
  );
}

/** Waits for the services, which the dialogs need. */
async function open(kind: 'join' | 'signIn' | 'leave', role: 'dialog' | 'alertdialog' = 'dialog') {
  await act(async () => openTeamDialog(kind, testService.id));
  return await screen.findByRole(role);
}

async function fill(user: ReturnType<typeof show>['user'], field: HTMLElement, text: string) {
  act(() => field.focus());
  await user.paste(text);
}

const button = (within_: HTMLElement, name: string) => within(within_).getByRole('button', { name });

it('joins with an invitation, after saying what is shared and who can read it', async () => {
  const given: Input<'team.join'>[] = [];
  const { user } = show({ 'team.join': (input) => void given.push(input) });
  const dialog = await open('join');
  expect(button(dialog, 'Continue')).toHaveProperty('disabled', true);
  await user.click(within(dialog).getByRole('textbox', { name: 'Invitation' }));
  await user.paste('coffer-team:\nabc\n def');
  await within(dialog).findByText('From Ruth Okafor');
  expect(dialog.textContent).toContain('db.meridian.example, port 5432');
  expect(within(dialog).queryByRole('textbox', { name: 'Password' })).toBeNull();
  await expectAccessible(dialog);
  await user.click(button(dialog, 'Continue'));
  const all = await within(dialog).findByRole('radio', { name: /^Share the 1,282 objects/ });
  // Pressing Enter once more must not join.
  expect(button(dialog, 'Join').contains(document.activeElement)).toBe(false);
  expect(document.activeElement?.contains(all)).toBe(true);
  expect(document.activeElement).not.toBe(document.body);
  expect(all).toHaveProperty('checked', false);
  expect(dialog.textContent).toContain('Everything: read and add');
  expect(dialog.textContent).toContain('your name, note, name of its file. No content, no tokens');
  expect(dialog.textContent).toContain('Whoever owns the database on db.meridian.example');
  await expectAccessible(dialog);
  expect(within(dialog).getByRole('radio', { name: /^Only from now on/ })).toHaveProperty('checked', true);
  await user.click(button(dialog, 'Join'));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(given).toEqual([
    {
      serviceId: testService.id,
      access: {
        server: { kind: 'invitation', invitation: 'coffer-team:abcdef' },
        teamPassword: null,
        clientCertificate: null,
      },
      list: 3,
      sharesEarlier: false,
      anyAddress: false,
    },
  ]);
});

it('lists what would be shared, as it is now, once that is chosen', async () => {
  let shown = { count: 1282, first: earlier };
  const { user, main } = show({ 'team.earlier': () => shown });
  const dialog = await open('join');
  await user.click(within(dialog).getByRole('textbox', { name: 'Invitation' }));
  await user.paste('coffer-team:abc');
  await within(dialog).findByText('From Ruth Okafor');
  await user.click(button(dialog, 'Continue'));
  const all = await within(dialog).findByRole('radio', { name: /^Share the 1,282 objects/ });
  expect(within(dialog).queryByRole('region', { name: 'What the team would see' })).toBeNull();
  await user.click(all);
  const what = within(dialog).getByRole('region', { name: 'What the team would see' });
  const items = () =>
    within(what)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
  expect(items()).toEqual(['reports/2026.pdf', 'site.zip', 'and 1,280 more']);
  // The list of the team shares no secrets.
  expect(main.calls.findLast(({ name }) => name === 'team.earlier')?.input).toEqual({
    serviceId: testService.id,
    withSecrets: false,
  });
  await expectAccessible(dialog);
  shown = { count: 1, first: earlier.slice(1) };
  act(() => main.emit('objects.changed', { serviceId: testService.id, revision: 9 }));
  await waitFor(() => expect(items()).toEqual(['site.zip']));
  await user.click(within(dialog).getByRole('radio', { name: /^Only from now on/ }));
  expect(within(dialog).queryByRole('region', { name: 'What the team would see' })).toBeNull();
});

it('makes bidi control characters in an invitation visible', async () => {
  const { user } = show({
    'team.readInvitation': () => ({
      server: { ...server, database: 'coffer\u202e', role: 'anna\u202e' },
      from: null,
      authority: 'Meridian\u202e',
      hasPassword: true,
    }),
  });
  const dialog = await open('join');
  await fill(user, within(dialog).getByRole('textbox', { name: 'Invitation' }), 'coffer-team:abc');
  expect(await within(dialog).findByText('coffer\ufffd')).toBeTruthy();
  expect(within(dialog).getByText('anna\ufffd')).toBeTruthy();
  expect(within(dialog).getByText('Meridian\ufffd')).toBeTruthy();
});

it('does not send a password typed for another server to the server of an invitation', async () => {
  const given: Input<'team.inspect'>[] = [];
  const { user } = show({ 'team.inspect': (input) => (given.push(input), found) });
  const dialog = await open('join');
  await user.click(within(dialog).getByRole('radio', { name: 'By hand' }));
  await fill(user, within(dialog).getByRole('textbox', { name: 'Password' }), 'secret');
  await user.click(within(dialog).getByRole('radio', { name: 'Invitation' }));
  await user.click(within(dialog).getByRole('textbox', { name: 'Invitation' }));
  await user.paste('coffer-team:abc');
  await within(dialog).findByText('From Ruth Okafor');
  await user.click(button(dialog, 'Continue'));
  await waitFor(() => expect(given.map(({ access }) => access.teamPassword)).toEqual([null]));
});

it('says what is wrong with an invitation', async () => {
  const { user } = show({
    'team.readInvitation': () => {
      throw new AppFailure({ code: 'badInvitation', problem: 'cut' });
    },
  });
  const dialog = await open('join');
  await user.click(within(dialog).getByRole('textbox', { name: 'Invitation' }));
  await user.paste('coffer-team:ab');
  await within(dialog).findByText(/A part of it is missing or was changed\./);
  expect(button(dialog, 'Continue')).toHaveProperty('disabled', true);
});

it('connects with settings entered by hand, and says why that failed', async () => {
  const given: Input<'team.inspect'>[] = [];
  const { user } = show({
    'team.inspect': (input) => {
      given.push(input);
      throw new AppFailure({ code: 'teamServer', why: 'login', host: 'db' });
    },
    'files.chooseOne': ({ purpose }) => ({ grant: purpose, label: `${purpose}.pem` }),
  });
  const dialog = await open('join');
  await user.click(within(dialog).getByRole('radio', { name: 'By hand' }));
  for (const [name, text] of [
    ['Server', ' db '],
    ['Database', 'team'],
    ['Role', 'anna'],
    ['Password', 'pw'],
  ] as const)
    await fill(user, within(dialog).getByRole('textbox', { name }), text);
  await user.click(button(dialog, 'Choose… Certificate authority'));
  await user.click(button(dialog, 'Choose… Client certificate'));
  await fill(user, await within(dialog).findByRole('textbox', { name: 'Passphrase' }), 'open');
  await expectAccessible(dialog);
  await user.click(button(dialog, 'Continue'));
  await within(dialog).findByText('It doesn’t accept the role or the password.');
  expect(given[0]?.access).toEqual({
    server: {
      kind: 'typed',
      host: 'db',
      port: 5432,
      database: 'team',
      role: 'anna',
      authority: { grant: 'authority' },
    },
    teamPassword: 'pw',
    clientCertificate: { grant: 'clientCertificate' },
    passphrase: 'open',
  });
  // The error stays until the next try, so that the button does not move under the press that blurs the port.
  const port = within(dialog).getByRole('textbox', { name: 'Port' });
  await user.clear(port);
  await user.type(port, '6432');
  await user.tab();
  within(dialog).getByText('It doesn’t accept the role or the password.');
  await user.click(button(dialog, 'Continue'));
  await waitFor(() => expect(given[1]?.access.server).toMatchObject({ host: 'db', port: 6432 }));
});

it('continues with Enter in a text field and Ctrl+Enter anywhere, ignoring key repeat', async () => {
  const { user, main } = show();
  const callsTo = (name: string) => main.calls.filter((call) => call.name === name);
  const dialog = await open('join');
  const field = await within(dialog).findByRole('textbox', { name: 'Invitation' });
  await fill(user, field, 'coffer-team:1.abc');
  await within(dialog).findByText('From Ruth Okafor');
  await user.keyboard('{Control>}{Enter>3/}{/Control}');
  await within(dialog).findByRole('button', { name: 'Join' });
  expect(callsTo('team.inspect')).toHaveLength(1);
  expect(callsTo('team.join')).toHaveLength(0);

  await user.click(within(dialog).getByRole('button', { name: 'Back' }));
  await user.click(within(dialog).getByRole('radio', { name: 'By hand' }));
  for (const [name, text] of [
    ['Server', 'db.example'],
    ['Database', 'team'],
    ['Role', 'anna'],
  ] as const) {
    await fill(user, within(dialog).getByRole('textbox', { name }), text);
    await user.keyboard('{Enter}');
  }
  expect(callsTo('team.inspect')).toHaveLength(1);
  await fill(user, within(dialog).getByLabelText('Password'), 'known');
  await user.keyboard('{Enter>3/}');
  await within(dialog).findByRole('button', { name: 'Join' });
  expect(callsTo('team.inspect')).toHaveLength(2);
});

it('joins a list about another address only when the person says that it is the same service', async () => {
  const given: Input<'team.join'>[] = [];
  const other = { ...list, id: 4, name: 'Other', address: 'https://other.example', serviceIds: [] };
  const { user } = show({
    'team.inspect': () => ({ ...found, lists: [other] }),
    'team.earlier': () => ({ count: 0, first: [] }),
    'team.join': (input) => void given.push(input),
  });
  const dialog = await open('join');
  await user.click(within(dialog).getByRole('textbox', { name: 'Invitation' }));
  await user.paste('coffer-team:abc');
  await waitFor(() => expect(button(dialog, 'Continue')).toHaveProperty('disabled', false));
  await user.click(button(dialog, 'Continue'));
  await within(dialog).findByText('This list is about another address.');
  await within(dialog).findByText(/^You have stored nothing from here yet\./);
  expect(button(dialog, 'Join')).toHaveProperty('disabled', true);
  await user.click(within(dialog).getByRole('checkbox', { name: 'Both addresses lead to the same service' }));
  await user.click(button(dialog, 'Join'));
  await waitFor(() => expect(given[0]).toMatchObject({ list: 4, anyAddress: true }));
});

it('offers the list about this service first, and lets the person choose', async () => {
  const other = { ...list, id: 4, name: 'Other', address: 'https://other.example', serviceIds: [] };
  const { user } = show({ 'team.inspect': () => ({ ...found, lists: [other, list] }) });
  const dialog = await open('join');
  await user.click(within(dialog).getByRole('textbox', { name: 'Invitation' }));
  await user.paste('coffer-team:abc');
  await waitFor(() => expect(button(dialog, 'Continue')).toHaveProperty('disabled', false));
  await user.click(button(dialog, 'Continue'));
  const chosen = await within(dialog).findByRole('combobox', { name: 'List of the team' });
  expect(chosen.textContent).toContain('Archive');
  await user.click(button(dialog, 'Back'));
  expect(within(dialog).getByRole('textbox', { name: 'Invitation' })).toHaveProperty(
    'value',
    'coffer-team:abc',
  );
});

it('signs in with another password, and shows what the server says', async () => {
  const given: Input<'team.signIn'>[] = [];
  const { user } = show({
    ...inTeam({ syncState: { kind: 'refused', why: 'login' } }),
    'team.signIn': (input) => void given.push(input),
  });
  await screen.findByRole('button', { name: 'Team’s list: The team refuses you' });
  const dialog = await open('signIn');
  expect(dialog.textContent).toContain('You have joined as anna at db.meridian.example.');
  await user.click(within(dialog).getByRole('radio', { name: 'Password' }));
  await fill(user, within(dialog).getByRole('textbox', { name: 'Password' }), 'new');
  await user.click(button(dialog, 'Sign in'));
  await waitFor(() =>
    expect(given).toEqual([{ serviceId: testService.id, proof: { kind: 'password', teamPassword: 'new' } }]),
  );
});

it('says that an invitation without a password signs nobody in', async () => {
  const { user } = show({
    ...inTeam({ syncState: { kind: 'refused', why: 'login' } }),
    'team.readInvitation': () => ({ server, from: 'Ruth Okafor', authority: null, hasPassword: false }),
  });
  await screen.findByRole('button', { name: 'Team’s list: The team refuses you' });
  const dialog = await open('signIn');
  expect(dialog.textContent).toContain('Paste the invitation.');
  await fill(user, within(dialog).getByRole('textbox', { name: 'Invitation' }), 'coffer-team:abc');
  await within(dialog).findByText('This invitation holds no password. Enter the password instead.');
  expect(button(dialog, 'Sign in')).toHaveProperty('disabled', true);
});

it('says what was not shared before leaving, and keeps the person’s own objects', async () => {
  const given: unknown[] = [];
  let due = 3;
  const { user, main } = show({
    ...inTeam(),
    'team.status': () => ({ revision: 2, team: { ...testTeam, due } }),
    'team.sync': () => {
      due = 0;
      return { due, setAside: 0 };
    },
    'team.leave': (input) => void given.push(input),
  });
  await screen.findByRole('button', { name: 'Team’s list: Live, 3 changes wait · 2 people' });
  const question = await open('leave', 'alertdialog');
  expect(question.textContent).toContain('3 changes of yours aren’t shared yet');
  expect(button(question, 'Leave without sharing')).toBeTruthy();
  await expectAccessible(question);
  await user.click(button(question, 'Share first'));
  await act(async () => main.emit('team.changed', { serviceId: testService.id, revision: 3 }));
  await user.click(await within(question).findByRole('button', { name: 'Leave' }));
  await waitFor(() => expect(given).toEqual([{ serviceId: testService.id, keep: 'own', unshared: 'ask' }]));
});

it('drops unshared changes after *Leave without sharing*', async () => {
  const given: unknown[] = [];
  const { user } = show({ ...inTeam({ due: 1 }), 'team.leave': (input) => void given.push(input) });
  await screen.findByRole('button', { name: /1 change waits/ });
  const question = await open('leave', 'alertdialog');
  await user.click(within(question).getByRole('radio', { name: /^Keep everything, as a private list/ }));
  await user.click(button(question, 'Leave without sharing'));
  await waitFor(() => expect(given).toEqual([{ serviceId: testService.id, keep: 'all', unshared: 'drop' }]));
});

it('leaves without offering to share changes that the server rejected', async () => {
  const given: unknown[] = [];
  const { user } = show({ ...inTeam({ setAside: 2 }), 'team.leave': (input) => void given.push(input) });
  await screen.findByRole('button', { name: 'Team’s list: Live · 2 people' });
  const question = await open('leave', 'alertdialog');
  expect(question.textContent).toContain('2 changes of yours');
  expect(within(question).queryByRole('button', { name: 'Share first' })).toBeNull();
  await user.click(button(question, 'Leave without sharing'));
  await waitFor(() => expect(given).toEqual([{ serviceId: testService.id, keep: 'own', unshared: 'drop' }]));
});

it('closes the question when the command line leaves the team, and does not reopen it after joining again', async () => {
  let isJoined = true;
  const { main } = show({
    ...inTeam(),
    'team.status': () => ({ revision: 2, team: isJoined ? testTeam : null }),
  });
  const inStep = { name: 'Team’s list: Live · 2 people' };
  await screen.findByRole('button', inStep);
  await open('leave', 'alertdialog');
  isJoined = false;
  await act(async () => main.emit('team.changed', { serviceId: testService.id, revision: 3 }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  isJoined = true;
  await act(async () => main.emit('team.changed', { serviceId: testService.id, revision: 4 }));
  await screen.findByRole('button', inStep);
  expect(screen.queryByRole('alertdialog')).toBeNull();
});

it('shows the sync status in the bottom line, and opens its settings', async () => {
  const { user } = show(inTeam());
  const line = await screen.findByRole('button', { name: 'Team’s list: Live · 2 people' });
  expect(line.textContent).toBe('Live · 2 people');
  await user.click(line);
  expect(usePlace.getState()).toMatchObject({ view: 'settings', setting: 'List of Meridian Archive' });
});

it('shows nothing in the bottom line without a team', async () => {
  const { main } = show();
  await waitFor(() => expect(main.answered).toContain('team.status'));
  expect(screen.queryByRole('button')).toBeNull();
});
