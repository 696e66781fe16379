import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { AppFailure } from '../../../shared/app-failure.ts';
import type { Input, Output } from '../../../shared/contract.ts';
import {
  type Answers,
  expectAccessible,
  renderInApp,
  testService,
  write,
} from '../../../../test-support/renderer/testing.tsx';
import { closeTeamDialog, openTeamDialog } from './teams.ts';
import { TeamDialogs } from './TeamDialogs.tsx';

afterEach(closeTeamDialog);

const found: Output<'team.inspectToCreate'> = {
  server: { host: 'db', port: 5432, database: 'team', role: 'owner' },
  isEncrypted: true,
  version: '18.4',
  problem: null,
  mayMakeRoles: true,
  rolesReach: 'own',
  lists: [{ id: 7, name: 'Old list', address: 'https://old.example' }],
};

const withOpener = (
  <main tabIndex={-1}>
    <button type="button" onClick={() => openTeamDialog('create', testService.id)}>
      Open
    </button>
    <TeamDialogs />
  </main>
);
const opener = () => screen.getByRole('button', { name: 'Open' });

/** Fills in the form and continues to the lists found in the database. */
async function inspect(answers: Answers) {
  const shown = renderInApp(withOpener, { 'team.inspectToCreate': () => found, ...answers });
  const { user, main } = shown;
  await waitFor(() => expect(main.answered).toContain('team.status'));
  await user.click(opener());
  const dialog = await screen.findByRole('dialog', { name: /^Create a team/ });
  // Owners have no invitation, and their password is used once.
  expect(within(dialog).queryByRole('radio')).toBeNull();
  expect(dialog.textContent).toContain('Not kept.');
  for (const [name, text] of [
    ['Server', 'db'],
    ['Database', 'team'],
    ['Role', 'owner'],
    ['Password', 'pw'],
  ] as const) {
    await write(user, dialog, name, text);
  }
  await user.click(within(dialog).getByRole('button', { name: 'Continue' }));
  await within(dialog).findByText(/PostgreSQL .*18\.4/);
  return { ...shown, dialog };
}

it('creates a list for the service, and joins with its curator’s invitation', async () => {
  const given: Input<'team.create'>[] = [];
  const { user, dialog } = await inspect({
    'team.create': (input) => {
      given.push(input);
      return { invitation: 'coffer-team:first', hasPassword: true, listId: 1 };
    },
    'team.readInvitation': () => ({ server: found.server, from: null, authority: null, hasPassword: true }),
  });
  const create = within(dialog).getByRole('button', { name: 'Create' });
  expect(create).toHaveProperty('disabled', true);
  expect(dialog.textContent).toContain('objects.meridian.example');
  await write(user, dialog, 'First manager', 'Anna Berg');
  await expectAccessible(dialog);
  await user.click(create);
  const made = await screen.findByRole('dialog', { name: /^Invitation for .*Anna Berg/ });
  expect(given).toMatchObject([
    {
      access: { server: { kind: 'typed', host: 'db', role: 'owner' }, teamPassword: 'pw' },
      list: { kind: 'new', name: 'Meridian Archive', serviceId: testService.id },
      curator: { role: 'anna', shown: 'Anna Berg', makesRoles: 'own' },
    },
  ]);
  await user.click(within(made).getByRole('button', { name: 'Join with it…' }));
  const joining = await screen.findByRole('dialog', { name: /^Join a team’s list/ });
  expect(within(joining).getByRole('textbox', { name: 'Invitation' })).toHaveProperty(
    'value',
    'coffer-team:first',
  );
  // The button that opened this dialog is gone with the invitation.
  await user.keyboard('{Escape}');
  await user.click(await screen.findByRole('button', { name: 'Discard' }));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('main')));
});

it('gives the focus back when its invitation is closed', async () => {
  const { user, dialog } = await inspect({
    'team.create': () => ({ invitation: 'coffer-team:first', hasPassword: false, listId: 1 }),
  });
  await write(user, dialog, 'First manager', 'Anna');
  await user.keyboard('{Enter}');
  const made = await screen.findByRole('dialog', { name: /^Invitation for/ });
  await user.click(within(made).getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(document.activeElement).toBe(opener()));
});

it('adds a curator to an existing list', async () => {
  const given: Input<'team.create'>[] = [];
  const { user, dialog } = await inspect({
    'team.inspectToCreate': () => ({ ...found, mayMakeRoles: false }),
    'team.create': (input) => {
      given.push(input);
      return { invitation: 'coffer-team:first', hasPassword: false, listId: 7 };
    },
  });
  await user.click(within(dialog).getByRole('combobox', { name: 'List' }));
  await user.click(await screen.findByRole('option', { name: /Old list/ }));
  expect(dialog.textContent).toContain('Your role can’t create roles');
  expect(dialog.textContent).toContain('Enter a name and a login name.');
  await write(user, dialog, 'First manager', 'Anna Berg');
  await user.click(within(dialog).getByRole('button', { name: 'Create' }));
  await waitFor(() =>
    expect(given).toMatchObject([{ list: { kind: 'there', listId: 7 }, curator: { makesRoles: 'no' } }]),
  );
});

it('lets the curator take over an old server only if that is ticked', async () => {
  const given: Input<'team.create'>[] = [];
  const { user, dialog } = await inspect({
    'team.inspectToCreate': () => ({ ...found, version: '15.18.4', rolesReach: 'all' }),
    'team.create': (input) => {
      given.push(input);
      throw new AppFailure({ code: 'teamCreate', problem: 'nameTaken', role: 'anna', database: 'team' });
    },
  });
  await write(user, dialog, 'First manager', 'Anna Berg');
  const create = within(dialog).getByRole('button', { name: 'Create' });
  await user.click(create);
  await waitFor(() => expect(given).toMatchObject([{ curator: { makesRoles: 'no' } }]));
  await user.click(within(dialog).getByRole('checkbox', { name: /take over this server/ }));
  await user.click(create);
  await waitFor(() => expect(given).toMatchObject([{}, { curator: { makesRoles: 'all' } }]));
});

it('says why no list can be created there, and returns the focus when closed', async () => {
  const { user, dialog } = await inspect({
    'team.inspectToCreate': () => ({ ...found, problem: 'notEmpty' }),
  });
  expect(dialog.textContent).toMatch(/Other programs use the database/);
  expect(within(dialog).getByRole('button', { name: 'Create' })).toHaveProperty('disabled', true);
  await user.keyboard('{Escape}');
  await user.click(await screen.findByRole('button', { name: 'Keep editing' }));
  await user.keyboard('{Escape}');
  await user.click(await screen.findByRole('button', { name: 'Discard' }));
  await waitFor(() => expect(document.activeElement).toBe(opener()));
});

it('looks again after a lost answer, and never uses the id of a list in another database', async () => {
  let turn = 0;
  const here = { id: 9, name: 'Files', address: testService.baseAddress };
  const given: Input<'team.create'>[] = [];
  const { user, dialog } = await inspect({
    'team.inspectToCreate': () => ({ ...found, lists: (turn += 1) === 1 ? found.lists : [here] }),
    'team.create': (input) => {
      given.push(input);
      throw new AppFailure({ code: 'teamServer', why: 'unreachable', host: 'db' });
    },
  });
  await user.click(within(dialog).getByRole('combobox', { name: 'List' }));
  await user.click(await screen.findByRole('option', { name: /Old list/ }));
  await write(user, dialog, 'First manager', 'Anna Berg');
  await user.click(within(dialog).getByRole('button', { name: 'Create' }));
  await within(dialog).findByText(/It can’t be reached/);
  const port = within(dialog).getByRole('textbox', { name: 'Port' });
  await user.clear(port);
  await user.paste('6432');
  await user.tab();
  within(dialog).getByText(/It can’t be reached/);
  await user.click(within(dialog).getByRole('button', { name: 'Continue' }));
  await user.click(await within(dialog).findByRole('button', { name: 'Create' }));
  await waitFor(() => expect(given.map(({ list }) => list)).toMatchObject([{ listId: 7 }, { listId: 9 }]));
});
