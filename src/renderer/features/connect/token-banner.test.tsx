import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { AppFailure } from '../../../shared/app-failure.ts';
import type { Service } from '../../../shared/domain/service.ts';
import type { AppErrorOf } from '../../../shared/errors.ts';
import {
  expectAccessible,
  inTeam,
  renderInApp,
  testService,
  pageOf,
  testSummary,
} from '../../../../test-support/renderer/testing.tsx';
import { showRemove } from '../../app/place.ts';
import { RemoveService } from './RemoveDialog.tsx';
import { TokenBanner } from './TokenBanner.tsx';

const refused: Service = { ...testService, connection: 'tokenRefused' };
const transfers = {
  ...testSummary.transfers,
  counts: { ...testSummary.transfers.counts, waiting: 4 },
};
const waiting = { ...testSummary, transfers, tokenRefused: ['p1'] };

it('says that everything waits, and accepts a new token', async () => {
  const connections: Service['connection'][] = ['tokenRefused', 'ready'];
  const { main, user, container } = renderInApp(<TokenBanner />, {
    'services.list': () => ({ revision: 1, services: [refused], activeId: 'p1' }),
    'transfers.page': () => pageOf(waiting, 4),
    'services.setToken': () => ({ ...refused, connection: connections.shift() ?? 'ready' }),
  });
  expect(await screen.findByText('Everything is paused. The service refused the access token.')).toBeTruthy();
  expect(
    await screen.findByText('Nothing has failed. 4 transfers continue once you enter a new token.'),
  ).toBeTruthy();
  await expectAccessible(container);

  await user.click(screen.getByRole('button', { name: 'Enter a new token' }));
  const field = screen.getByRole('textbox', { name: 'Access token' });
  expect(document.activeElement).toBe(field);
  await expectAccessible(screen.getByRole('dialog'));
  await user.type(field, 'wrong{Enter}');
  expect(await screen.findByText('The service refused this token, too.')).toBeTruthy();
  await user.clear(field);
  await user.type(field, 'right');
  await user.click(screen.getByRole('button', { name: 'Use this token' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(main.calls.filter(({ name }) => name === 'services.setToken').map(({ input }) => input)).toEqual([
    { id: 'p1', token: 'wrong' },
    { id: 'p1', token: 'right' },
  ]);
});

it('counts the transfers of its own service, as the dock does', async () => {
  const cause = { group: 'waiting', code: 'tokenRefused', error: null, retryAtMs: null } as const;
  const causes = [
    { ...cause, serviceId: 'p2', count: 7 },
    { ...cause, serviceId: 'p1', count: 3 },
  ];
  renderInApp(<TokenBanner />, {
    'services.list': () => ({
      revision: 1,
      services: [refused, { ...testService, id: 'p2', name: 'Other' }],
      activeId: 'p1',
    }),
    'transfers.page': () =>
      pageOf({
        ...waiting,
        transfers: { ...transfers, counts: { ...transfers.counts, waiting: 12 }, causes },
      }),
  });
  expect(
    await screen.findByText('Nothing has failed. 3 transfers continue once you enter a new token.'),
  ).toBeTruthy();
});

it.each([
  ['timeout', /^The keychain didn’t answer\. .* Coffer tries again by itself\.$/],
  ['locked', 'The keychain is locked. Coffer can’t use it. Unlock it, then try again.'],
] as const)('says when it is the keychain that does not give up the token (%s)', async (problem, next) => {
  const unread = {
    ...testService,
    connection: 'tokenMissing',
    trouble: { code: 'keychain', problem },
  } as const;
  renderInApp(<TokenBanner />, {
    'services.list': () => ({ revision: 1, services: [unread], activeId: 'p1' }),
  });
  const title = 'Everything is paused. The access token can’t be read from the keychain.';
  expect(await screen.findByText(title)).toBeTruthy();
  expect(screen.getByText(next)).toBeTruthy();
});

it('shows no banner while every token is accepted', async () => {
  const { main, container } = renderInApp(<TokenBanner />);
  await waitFor(() => expect(main.answered.length).toBeGreaterThan(2));
  expect(container.textContent).toBe('');
});

it.each([
  [false, 'Remove its list, too'],
  [true, 'Erase what is stored in it'],
])('asks what becomes of the list of a removed service (on this computer: %s)', async (isLocal, drop) => {
  const { main, user } = renderInApp(<RemoveService />, {
    'services.list': () => ({ revision: 1, services: [{ ...testService, isLocal }], activeId: 'p1' }),
    'services.remove': () => undefined,
  });
  act(() => showRemove('p1'));
  const dialog = await screen.findByRole('alertdialog', { name: 'Remove Meridian Archive?' });
  expect(document.activeElement?.textContent).toBe('Cancel');
  await expectAccessible(dialog);
  await user.click(screen.getByRole('radio', { name: new RegExp(drop) }));
  await user.click(screen.getByRole('button', { name: 'Remove' }));
  await waitFor(() =>
    expect(main.calls).toContainEqual({
      name: 'services.remove',
      input: { id: 'p1', removeCatalogue: true, unshared: 'ask', unfinished: 'ask' },
    }),
  );
});

it('says what a removed service’s team would not get, and can share it first', async () => {
  const { main, user } = renderInApp(<RemoveService />, {
    ...inTeam({ due: 2, setAside: 1 }),
    'services.remove': () => undefined,
    'team.sync': () => ({ due: 0, setAside: 1 }),
  });
  act(() => showRemove('p1'));
  const dialog = await screen.findByRole('alertdialog', { name: 'Remove Meridian Archive?' });
  await within(dialog).findByText(/^3 changes of yours aren’t shared yet/);
  await expectAccessible(dialog);
  await user.click(within(dialog).getByRole('button', { name: 'Share first' }));
  expect(main.calls).toContainEqual({ name: 'team.sync', input: { serviceId: 'p1' } });
  await user.click(await within(dialog).findByRole('button', { name: 'Remove without sharing' }));
  await waitFor(() =>
    expect(main.calls).toContainEqual({
      name: 'services.remove',
      input: { id: 'p1', removeCatalogue: false, unshared: 'drop', unfinished: 'ask' },
    }),
  );
});

it('names what removing a service would lose, and asks again', async () => {
  const work = [
    { what: 'replace', identifiers: ['a.txt'], count: 1, copies: ['a.txt~r-1'] },
    { what: 'edit', identifiers: ['b.txt', 'c.txt'], count: 3, copies: [] },
  ] satisfies AppErrorOf<'serviceUnfinished'>['work'];
  const { main, user } = renderInApp(<RemoveService />, {
    'services.remove': ({ unfinished }) => {
      if (unfinished !== 'drop') throw new AppFailure({ code: 'serviceUnfinished', work });
      return undefined;
    },
  });
  act(() => showRemove('p1'));
  const dialog = await screen.findByRole('alertdialog', { name: 'Remove Meridian Archive?' });
  await user.click(within(dialog).getByRole('button', { name: 'Remove' }));
  const isolated = (text: string) => text.replaceAll(/[\u2066-\u2069]/g, '');
  await waitFor(() =>
    expect(isolated(dialog.textContent)).toContain(
      'A Replace isn’t finished: a.txt. The old contents may be on this computer only. Copies are at the service: a.txt~r-1. 3 edits aren’t stored yet: b.txt, c.txt, 1 more',
    ),
  );
  await expectAccessible(dialog);
  expect(document.activeElement?.textContent).toBe('Cancel');
  await user.click(within(dialog).getByRole('button', { name: 'Remove anyway' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(main.calls.at(-1)?.input).toMatchObject({ unfinished: 'drop' });
});
