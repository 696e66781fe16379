import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { ObjectRow } from '../../../shared/contract.ts';
import { dateOf } from '../../../shared/domain/secret.ts';
import { renderInApp, testObject } from '../../../../test-support/renderer/testing.tsx';
import { NewSecret } from './NewSecret.tsx';
import { startNewVersion } from './new-version.ts';
import { RenewalMark, RenewBy } from '../objects/details/RenewBy.tsx';

const object = (renewBy?: string): ObjectRow => ({
  ...testObject,
  id: 7,
  identifier: 'db/pw',
  kind: 'secret',
  lengthBytes: 3,
  ...(renewBy !== undefined && { renewBy }),
});
const nowMs = Date.now();
const inDays = (days: number) => dateOf(nowMs + days * 86_400_000);

it('shows nothing until 30 days before, and says when the day has come', () => {
  const textOf = (renewBy?: string) => {
    const { container, unmount } = renderInApp(<RenewalMark row={object(renewBy)} nowMs={nowMs} />);
    const { textContent } = container;
    unmount();
    return textContent;
  };
  expect(textOf()).toBe('');
  expect(textOf(inDays(31))).toBe('');
  expect(textOf(inDays(20))).toBe('Renew soon');
  expect(textOf(inDays(0))).toBe('Renew now');
  expect(textOf(inDays(-3))).toBe('Renew now');
});

it('sets, changes and removes the date in Details, and returns the focus', async () => {
  const { user, main } = renderInApp(<RenewBy object={object('2030-10-01')} nowMs={nowMs} />, {
    'objects.setRenewBy': () => undefined,
  });
  const sent = () => main.calls.filter(({ name }) => name === 'objects.setRenewBy').map(({ input }) => input);
  const edit = () => user.click(screen.getByRole('button', { name: 'Change the date' }));
  await edit();
  const field = screen.getByRole('group', { name: 'Renew by' });
  const month = within(field).getByRole('spinbutton', { name: /^month/ });
  expect([document.activeElement, field.textContent]).toEqual([month, '10/01/2030']);
  await user.keyboard('01152031');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(sent()).toEqual([{ id: 7, renewBy: '2031-01-15' }]);
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Change the date' })),
  );
  await edit();
  await user.click(screen.getByRole('button', { name: 'Remove' }));
  expect(sent().at(-1)).toEqual({ id: 7, renewBy: null });
  await edit();
  await user.keyboard('{Escape}');
  expect(sent()).toHaveLength(2);
});

it('a new version of a secret starts with its name and classification, and can have a renewal date', async () => {
  const { user, main } = renderInApp(<NewSecret />, {
    'secrets.nextVersion': () => ({ identifier: 'db/pw@2' }),
    'secrets.store': () => ({ transferId: 1, identifier: 'db/pw@2' }),
  });
  // Needs the service.
  await waitFor(() => expect(main.answered).toContain('services.list'));
  act(() => startNewVersion({ identifier: 'db/pw', classification: 'Restricted' }));
  const dialog = await screen.findByRole('dialog', { name: 'New version of a secret' });
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Value')));
  await waitFor(() => expect(dialog.textContent).toContain('Store as a new version'));
  expect(dialog.textContent).toContain('A stored secret can’t be replaced or deleted.');
  await user.type(screen.getByRole('textbox', { name: 'Value' }), 'second');
  await user.click(within(dialog).getByRole('spinbutton', { name: /^month/ }));
  await user.keyboard('01152031');
  await user.click(screen.getByRole('button', { name: 'Store as a new version' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(main.calls.findLast(({ name }) => name === 'secrets.store')?.input).toMatchObject({
    identifier: 'db/pw',
    classification: 'Restricted',
    asNewVersion: true,
    renewBy: '2031-01-15',
  });
});
