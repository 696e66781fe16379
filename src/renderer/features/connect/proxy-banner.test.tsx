import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Service } from '../../../shared/domain/service.ts';
import type { AppError } from '../../../shared/errors.ts';
import {
  expectAccessible,
  renderInApp,
  testService,
  pageOf,
  testSummary,
} from '../../../../test-support/renderer/testing.tsx';
import { ProxyBanner } from './ProxyBanner.tsx';

const proxyFailed = (reason: 'passwordMissing' | 'passwordRefused' | 'refused'): AppError => ({
  code: 'proxyFailed',
  reason,
  proxy: 'http://proxy.meridian.example:3128',
  answered: 407,
});
const transfers = {
  ...testSummary.transfers,
  counts: { ...testSummary.transfers.counts, waiting: 4 },
};
const waiting = { ...testSummary, transfers };

function show(services: Service[]) {
  return renderInApp(<ProxyBanner />, {
    'services.list': () => ({ revision: 1, services, activeId: 'p1' }),
    'transfers.page': () => pageOf(waiting, 4),
    'proxies.signIn': () => ({ isRefused: false }),
  });
}

const unreachable: Service = { ...testService, connection: 'unreachable' };

it('names the proxy, and accepts the user name and password', async () => {
  const { main, user, container } = show([{ ...unreachable, trouble: proxyFailed('passwordMissing') }]);
  const proxy = 'proxy.meridian.example:3128';
  expect(
    await screen.findByText(`Everything is paused. The proxy ${proxy} requires a name and password.`),
  ).toBeTruthy();
  expect(await screen.findByText('Nothing has failed. 4 transfers continue once you sign in.')).toBeTruthy();
  await expectAccessible(container);
  await user.click(screen.getByRole('button', { name: 'Enter name and password' }));
  await user.type(screen.getByRole('textbox', { name: 'Name' }), 'aino');
  await user.type(screen.getByRole('textbox', { name: 'Password' }), 'right{Enter}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(main.calls).toContainEqual({
    name: 'proxies.signIn',
    input: { origin: `http://${proxy}`, user: 'aino', password: 'right' },
  });
});

it('names a service that is not active, and a refusal', async () => {
  show([testService, { ...unreachable, id: 'p2', name: 'Other', trouble: proxyFailed('passwordRefused') }]);
  expect(
    await screen.findByText(/^Other is paused. The proxy .+ refused the name and password.$/),
  ).toBeTruthy();
});

it.each([
  ['a proxy that is away', { trouble: proxyFailed('refused') }],
  ['a token that is missing, which has the banner', { connection: 'tokenMissing', trouble: null }],
] as const)('is not there for %s', async (_name, change) => {
  const { main, container } = show([{ ...unreachable, ...change }]);
  await waitFor(() => expect(main.answered.length).toBeGreaterThan(2));
  expect(container.textContent).toBe('');
});
