import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import type { Output } from '../../../shared/contract.ts';
import { clipboardMs, type ClipboardState } from '../../../shared/domain/secret.ts';
import { AppFailure } from '../../../shared/app-failure.ts';
import {
  type Answers,
  expectAccessible,
  inTeam,
  renderInApp,
  testService,
  write,
} from '../../../../test-support/renderer/testing.tsx';
import { closeTeamDialog, openTeamDialog } from './teams.ts';
import { TeamDialogs } from './TeamDialogs.tsx';

afterEach(closeTeamDialog);

const serviceId = testService.id;
const person = { isEnded: false, sinceMs: Date.UTC(2026, 8, 3), endedMs: null };
const curation: Output<'team.curation'> = {
  me: 1,
  list: {
    id: 3,
    name: 'Archive',
    address: testService.baseAddress,
    shares: { secrets: false, notes: true, fileNames: true },
    holds: { secrets: 0, notes: 1234, fileNames: 1 },
  },
  unsettled: null,
  areas: [
    {
      id: 1,
      objects: 1,
      prefix: '',
      classification: null,
      access: [
        { personId: 1, may: 'curate' },
        { personId: 2, may: 'contribute' },
      ],
    },
    {
      id: 2,
      objects: 1234,
      prefix: 'press/',
      classification: 'Secret',
      access: [
        { personId: 1, may: 'curate' },
        { personId: 2, may: 'read' },
        { personId: 3, may: 'read' },
      ],
    },
  ],
  people: [
    { ...person, id: 1, shown: 'Anna Berg', role: 'anna' },
    { ...person, id: 2, shown: 'Ruth Okafor', role: 'ruth' },
    { ...person, id: 3, shown: 'Tom', role: 'tom', isEnded: true, endedMs: Date.UTC(2026, 9, 5) },
  ],
};
const curates: Output<'team.membership'>['mine'] = [{ prefix: '', classification: null, may: 'curate' }];
const curating: Answers = {
  ...inTeam(),
  'team.membership': () => ({ mine: curates, curation }),
};

async function open(answers: Answers, name = 'Team “Archive”') {
  const shown = renderInApp(<TeamDialogs />, { ...curating, ...answers });
  const inputsOf = (call: string) =>
    shown.main.calls.filter((each) => each.name === call).map(({ input }) => input);
  await waitFor(() => expect(shown.main.answered).toContain('team.people'));
  await act(async () => openTeamDialog('manage', serviceId));
  const dialog = await screen.findByRole('dialog', { name: new RegExp(name) });
  return { ...shown, dialog, inputsOf };
}
const press = (user: Awaited<ReturnType<typeof open>>['user'], where: HTMLElement, name: string | RegExp) =>
  user.click(within(where).getByRole('button', { name }));
const question = (name: string) => screen.findByRole('alertdialog', { name });

async function choose(
  user: Awaited<ReturnType<typeof open>>['user'],
  where: HTMLElement,
  name: string,
  to: RegExp,
) {
  await user.click(within(where).getByRole('combobox', { name }));
  await user.click(await screen.findByRole('option', { name: to }));
}

describe('people', () => {
  it('shows them with role and date, and changes their access; giving up one’s own asks first', async () => {
    const { user, dialog, inputsOf } = await open({ 'team.setAccess': () => undefined });
    const people = await within(dialog).findByRole('list', { name: 'People' });
    const rows = within(people).getAllByRole('listitem');
    expect(rows.map((row) => row.textContent.replaceAll(/[\u2066-\u2069]/g, ''))).toEqual([
      expect.stringMatching(/^Anna Berg \(you\)anna, since .*Manages.*also in 1 area.*Remove…$/),
      expect.stringMatching(/^Ruth Okaforruth, since .*Reads and adds.*also in 1 area.*Remove…$/),
      expect.stringMatching(/^Tomtom, until .*Take back…$/),
    ]);
    await expectAccessible(dialog);
    await choose(user, people, 'Access of Ruth Okafor to the whole list', /^No access/);
    await waitFor(() =>
      expect(inputsOf('team.setAccess')).toEqual([{ serviceId, areaId: 1, personId: 2, may: 'none' }]),
    );
    expect(inputsOf('team.membership')).toHaveLength(2);
    await choose(user, people, 'Access of Anna Berg to the whole list', /^Reads and adds/);
    const asked = await question('Stop managing?');
    expect(inputsOf('team.setAccess')).toHaveLength(1);
    await press(user, asked, 'Stop managing');
    await waitFor(() => expect(inputsOf('team.setAccess')).toHaveLength(2));
  });

  it('ends them after a confirmation, naming the login that somebody else must change', async () => {
    const { user, dialog, inputsOf } = await open({ 'team.setPerson': () => ({ left: ['login'] }) });
    await within(dialog).findByRole('list', { name: 'People' });
    await press(user, dialog, 'Remove Ruth Okafor from the team');
    const asked = await question('Remove Ruth Okafor from the team?');
    expect(asked.textContent).toContain('What they stored stays');
    expect(document.activeElement?.textContent).toBe('Cancel');
    await expectAccessible(asked);
    await press(user, asked, 'Remove');
    await within(dialog).findByText(/^The login of .*ruth.* is not yours to change\./);
    expect(inputsOf('team.setPerson')).toEqual([{ serviceId, personId: 2, isEnded: true }]);
    await press(user, dialog, 'Take Tom back into the team');
    await press(user, await question('Take Tom back?'), 'Take back');
    await waitFor(() => expect(inputsOf('team.setPerson')).toHaveLength(2));
  });

  it('invites them, and shows the invitation once, to be copied', async () => {
    const { user, dialog, inputsOf } = await open({
      'team.invite': () => ({ invitation: 'coffer-team:abc', hasPassword: true }),
    });
    await within(dialog).findByRole('list', { name: 'People' });
    await press(user, dialog, 'Invite…');
    const form = await screen.findByRole('dialog', { name: /^Invite someone/ });
    expect(within(form).getByRole('button', { name: 'Create invitation' })).toHaveProperty('disabled', true);
    expect(form.textContent).toContain('Enter a name and a login name.');
    await write(user, form, 'Name in the team', 'Lea Roth');
    expect(within(form).getByRole('textbox', { name: 'Login name' })).toHaveProperty('value', 'lea');
    expect(form.textContent).not.toContain('Enter a name and a login name.');
    await user.keyboard('{Enter}');
    const made = await screen.findByRole('dialog', { name: /^Invitation for .*Lea Roth/ });
    expect(within(made).getByRole('textbox', { name: 'Invitation' })).toHaveProperty(
      'value',
      'coffer-team:abc',
    );
    expect(made.textContent).toContain('It works once, on one computer.');
    expect(made.textContent).not.toContain('replaces');
    await expectAccessible(made);
    expect(inputsOf('team.invite')).toEqual([
      { serviceId, role: 'lea', shown: 'Lea Roth', may: 'contribute' },
    ]);
    await user.keyboard('{Escape}');
    await press(user, await question('Close without the invitation?'), 'Close anyway');
    const opener = within(dialog).getByRole('button', { name: 'Invite…' });
    await waitFor(() => expect(document.activeElement).toBe(opener));
  });

  it('keep the focus on the answer while waiting for the server', async () => {
    const { user, dialog, inputsOf } = await open({ 'team.setPerson': () => new Promise(() => undefined) });
    await within(dialog).findByRole('list', { name: 'People' });
    await press(user, dialog, 'Remove Ruth Okafor from the team');
    const asked = await question('Remove Ruth Okafor from the team?');
    await press(user, asked, 'Remove');
    await user.keyboard('{Enter}');
    expect(inputsOf('team.setPerson')).toHaveLength(1);
    const answer = within(asked).getByRole('button', { name: /^Remove/ });
    expect(answer).toHaveProperty('disabled', false);
    expect(document.activeElement).toBe(answer);
  });

  it('stay listed when the server refuses a change, with the reason in words', async () => {
    const { user, dialog } = await open({
      'team.setAccess': () => {
        throw new AppFailure({ code: 'teamCurate', problem: 'lastCurator' });
      },
    });
    const people = await within(dialog).findByRole('list', { name: 'People' });
    await choose(user, people, 'Access of Ruth Okafor to the whole list', /^Reads$|^ReadsSees/);
    await within(dialog).findByText('Nobody would manage the whole list any more.');
    expect(within(dialog).getByRole('list', { name: 'People' })).toBeTruthy();
  });
});

it('applies changes to a person in order, so that the last one wins', async () => {
  const answers: (() => void)[] = [];
  const { user, dialog, inputsOf } = await open({
    'team.setAccess': () => new Promise<undefined>((resolve) => answers.push(() => resolve(undefined))),
  });
  const people = await within(dialog).findByRole('list', { name: 'People' });
  const ruth = 'Access of Ruth Okafor to the whole list';
  await choose(user, people, ruth, /^Manages/);
  await choose(user, people, ruth, /^No access/);
  expect(inputsOf('team.setAccess')).toMatchObject([{ may: 'curate' }]);
  answers[0]?.();
  await waitFor(() => expect(inputsOf('team.setAccess')).toMatchObject([{ may: 'curate' }, { may: 'none' }]));
  await act(async () => answers[1]?.());
});

it('keeps an invitation until it is copied as a secret, and waits for one that is being made', async () => {
  let answer: (made: Output<'team.invite'>) => void = () => undefined;
  let clipboard: ClipboardState = { objectId: null, clearsAtMs: null, waitsForFocus: false };
  let isRefused = true;
  const { user, dialog, main, inputsOf } = await open({
    'team.invite': () => new Promise<Output<'team.invite'>>((resolve) => (answer = resolve)),
    'secrets.clipboard': () => clipboard,
    'secrets.copyInvitation': () => {
      if (isRefused) throw new AppFailure({ code: 'clipboardRefused', problem: 'notKept' });
      return (clipboard = { ...clipboard, clearsAtMs: Date.now() + clipboardMs });
    },
  });
  await within(dialog).findByRole('list', { name: 'People' });
  await press(user, dialog, 'Invite…');
  const form = await screen.findByRole('dialog', { name: /^Invite someone/ });
  await write(user, form, 'Name in the team', 'Lea');
  await press(user, form, 'Create invitation');
  await user.keyboard('{Escape}');
  await act(async () => answer({ invitation: 'coffer-team:abc', hasPassword: true, isRenewed: true }));
  const made = await screen.findByRole('dialog', { name: /^Invitation for/ });
  expect(made.textContent).toContain('It replaces an earlier invitation that nobody has used.');
  await user.keyboard('{Escape}');
  const asked = await question('Close without the invitation?');
  await expectAccessible(asked);
  await press(user, asked, 'Cancel');
  await press(user, made, 'Copy');
  await within(made).findByText(/Copying to the clipboard failed/);
  await user.keyboard('{Escape}');
  await press(user, await question('Close without the invitation?'), 'Cancel');
  isRefused = false;
  // Main copies it: the page could not mark it as a secret.
  expect(fireEvent.copy(within(made).getByRole('textbox', { name: 'Invitation' }))).toBe(false);
  await waitFor(() => expect(clipboard.clearsAtMs).not.toBeNull());
  act(() => main.emit('secrets.clipboardChanged', clipboard));
  await within(made).findByText(/^Copied · clears in \d+ s$/);
  expect(inputsOf('secrets.copyInvitation')).toEqual(
    Array.from({ length: 2 }, () => ({ invitation: 'coffer-team:abc' })),
  );
  clipboard = { objectId: null, clearsAtMs: null, waitsForFocus: false };
  act(() => main.emit('secrets.clipboardChanged', clipboard));
  await waitFor(() => expect(within(made).queryByText(/clears in/)).toBeNull());
  await press(user, made, 'Done');
  await waitFor(() => expect(screen.queryByRole('dialog', { name: /^Invitation for/ })).toBeNull());
});

describe('areas', () => {
  it('name the curators of the whole list who were added later and cannot see the area yet', async () => {
    const [whole, press_] = curation.areas;
    const areas = [
      { ...whole, access: [1, 2].map((personId) => ({ personId, may: 'curate' as const })) },
      { ...press_, access: [{ personId: 1, may: 'curate' as const }] },
    ] as typeof curation.areas;
    const { user, dialog, inputsOf } = await open({
      'team.membership': () => ({ mine: curates, curation: { ...curation, areas } }),
      'team.setAccess': () => undefined,
    });
    await user.click(await within(dialog).findByRole('tab', { name: 'Areas' }));
    await press(user, dialog, /^Change access to .*press/);
    const form = await screen.findByRole('dialog', { name: /^Access to/ });
    expect(within(form).getByRole('row', { name: /Ruth Okafor/ }).textContent).toContain('No access');
    await choose(user, form, 'Access of Ruth Okafor', /^Manages/);
    await press(user, form, 'Save');
    await waitFor(() =>
      expect(inputsOf('team.setAccess')).toEqual([{ serviceId, areaId: 2, personId: 2, may: 'curate' }]),
    );
  });

  it('creates them from a folder and a classification, with the access of each person', async () => {
    const { user, dialog, inputsOf } = await open({
      'team.makeArea': () => ({ areaId: 9 }),
      'objects.page': () => ({ revision: 1, total: 402, totalBytes: 0, offset: 0, rows: [] }),
    });
    await user.click(await within(dialog).findByRole('tab', { name: 'Areas' }));
    const areas = within(dialog).getByRole('list', { name: 'Areas' });
    const texts = within(areas)
      .getAllByRole('listitem')
      .map((row) => row.textContent.replaceAll(/[\u2066-\u2069]/g, ''));
    // Tom was ended.
    expect(texts).toEqual([
      // No buttons: its access is edited in People, which asks before a curator gives up their own.
      'Everything else1 object, 1 manages, 1 reads and adds',
      'Secret in press/1,234 objects, 1 manages, 1 readsChange…Remove…',
    ]);
    await press(user, dialog, 'New area…');
    const form = await screen.findByRole('dialog', { name: /^New area/ });
    expect(form.textContent).toContain('Enter a folder or choose a classification.');
    await write(user, form, 'Folder', 'contracts');
    await within(form).findByText('402 objects on your list are there.');
    await choose(user, form, 'Access of Ruth Okafor', /^Reads and adds/);
    expect(within(form).getByRole('row', { name: /Anna Berg/ }).textContent).toContain(
      'Manages the whole list',
    );
    await expectAccessible(form);
    await press(user, form, 'Create area');
    await waitFor(() => expect(screen.queryByRole('dialog', { name: /^New area/ })).toBeNull());
    expect(inputsOf('team.makeArea')).toEqual([
      {
        serviceId,
        prefix: 'contracts/',
        classification: null,
        access: [{ personId: 2, may: 'contribute' }],
      },
    ]);
  });

  it('changes them person by person, and removes them after a question', async () => {
    const { user, dialog, inputsOf } = await open({
      'team.setAccess': () => undefined,
      'team.removeArea': () => undefined,
    });
    await user.click(await within(dialog).findByRole('tab', { name: 'Areas' }));
    await press(user, dialog, /^Change access to .*press/);
    const form = await screen.findByRole('dialog', { name: /^Access to/ });
    await choose(user, form, 'Access of Ruth Okafor', /^No access/);
    await press(user, form, 'Save');
    await waitFor(() =>
      expect(inputsOf('team.setAccess')).toEqual([{ serviceId, areaId: 2, personId: 2, may: 'none' }]),
    );
    await waitFor(() => expect(screen.queryByRole('dialog', { name: /^Access to/ })).toBeNull());
    await press(user, dialog, /^Remove the area .*press/);
    const [asked] = await screen.findAllByRole('alertdialog');
    expect(asked?.textContent).toContain('1,234 objects go to');
    if (asked) await press(user, asked, 'Remove area');
    await waitFor(() => expect(inputsOf('team.removeArea')).toEqual([{ serviceId, areaId: 2 }]));
  });

  it('say that objects are still being assigned', async () => {
    const { user, dialog } = await open({
      'team.membership': () => ({ mine: curates, curation: { ...curation, unsettled: 1200 } }),
    });
    await user.click(await within(dialog).findByRole('tab', { name: 'Areas' }));
    expect(within(dialog).getByRole('status').textContent).toContain(
      '1,200 objects still to sort into their areas',
    );
  });
});

it('shares at once what is switched on, and asks before switching it off', async () => {
  const { list } = curation;
  let holds = list.holds;
  const { user, dialog, inputsOf } = await open({
    'team.setList': () => undefined,
    'team.membership': () => ({ mine: curates, curation: { ...curation, list: { ...list, holds } } }),
  });
  await user.click(await within(dialog).findByRole('tab', { name: 'What is shared' }));
  await user.click(within(dialog).getByRole('switch', { name: 'Secrets' }));
  await waitFor(() => expect(inputsOf('team.setList')).toEqual([{ serviceId, shares: { secrets: true } }]));
  await user.click(within(dialog).getByRole('switch', { name: 'Notes' }));
  const asked = await question('Stop sharing notes?');
  expect(asked.textContent).toContain('1,234 notes are deleted');
  expect(inputsOf('team.setList')).toHaveLength(1);
  await press(user, asked, 'Stop sharing');
  await waitFor(() =>
    expect(inputsOf('team.setList').at(-1)).toEqual({ serviceId, shares: { notes: false } }),
  );
  // A colleague has stored another file meanwhile.
  holds = { ...holds, fileNames: 2 };
  await user.click(within(dialog).getByRole('switch', { name: 'Names of files' }));
  const again = await question('Stop sharing names of files?');
  await waitFor(() => expect(again.textContent).toContain('2 names of files are deleted'));
  await press(user, again, 'Cancel');
});

it('shows people who do not curate their own access, and invites their other computer', async () => {
  const { user, dialog, inputsOf } = await open({
    'team.membership': () => ({
      mine: [{ prefix: 'press/', classification: null, may: 'contribute' }],
      curation: null,
    }),
    'team.inviteComputer': () => ({ invitation: 'coffer-team:mine', hasPassword: true }),
  });
  const yours = await within(dialog).findByRole('region', { name: 'Your access' });
  expect(yours.textContent.replaceAll(/[\u2066-\u2069]/g, '')).toContain('press/: read and add');
  await expectAccessible(dialog);
  await press(user, dialog, 'Add another computer…');
  const form = await screen.findByRole('dialog', { name: /^Add another computer/ });
  expect(inputsOf('team.inviteComputer')).toEqual([]);
  await press(user, form, 'Create invitation');
  const made = await screen.findByRole('dialog', { name: /^Invitation for/ });
  await within(made).findByDisplayValue('coffer-team:mine');
  expect(made.textContent).toContain('It works until the role gets another password.');
});

it('opens at once in outline, with a row for each person, and fills when the server answers', async () => {
  let answer = (_membership: Output<'team.membership'>): void => undefined;
  const { dialog } = await open({
    'team.membership': () => new Promise((resolve) => (answer = resolve)),
  });
  expect(dialog.textContent).toContain('Asking the team’s server');
  expect(dialog.querySelectorAll('.team-row > .skeleton')).toHaveLength(3);
  expect(within(dialog).queryByRole('tab')).toBeNull();
  await expectAccessible(dialog);
  await act(async () => answer({ mine: curates, curation }));
  expect(await within(dialog).findByRole('tab', { name: /^People/ })).toBeTruthy();
  expect(dialog.querySelector('.skeleton')).toBeNull();
});

it('says that the team’s server is unreachable, and tries again', async () => {
  let isAway = true;
  const { user, dialog } = await open({
    'team.membership': () => {
      if (isAway) throw new AppFailure({ code: 'teamServer', why: 'unreachable', host: 'db' });
      return { mine: [], curation: null };
    },
  });
  expect((await within(dialog).findByRole('alert')).textContent).toContain('It can’t be reached.');
  isAway = false;
  await press(user, dialog, 'Try again');
  expect(await within(dialog).findByText(/^No part of the list is open to you\./)).toBeTruthy();
});
