import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import type { Output } from '../../../shared/contract.ts';
import { expectAccessible, renderInApp, testService } from '../../../../test-support/renderer/testing.tsx';
import { useActiveService } from '../../app/stores.ts';
import { usePlace } from '../../app/place.ts';
import { useBrowser } from './browser-store.ts';
import { OpenedLink } from './OpenedLink.tsx';

const services = [testService, { ...testService, id: 'p2', name: 'Harbour' }];

beforeEach(() => {
  usePlace.setState(usePlace.getInitialState(), true);
  useBrowser.setState(useBrowser.getInitialState(), true);
});

function Active() {
  const active = useActiveService();
  return active && <OpenedLink active={active} />;
}

function open(...places: [serviceId: string, isAtAddress: boolean, objectId: number | null][]) {
  let activeId = 'p1';
  let link: Output<'links.take'>['link'] = {
    kind: 'object',
    address: 'https://objects.example.org',
    identifier: 'reports/july.pdf',
    services: places.map(([serviceId, isAtAddress, objectId]) => ({ serviceId, isAtAddress, objectId })),
  };
  const app = renderInApp(<Active />, {
    'services.list': () => ({
      revision: activeId === 'p1' ? 1 : 2,
      services,
      activeId,
      shown: {},
      favourites: {},
    }),
    'services.activate': ({ id }) => {
      activeId = id;
      app.main.emit('services.changed', { revision: 2 });
      return undefined;
    },
    'links.take': () => {
      const taken = link;
      link = null;
      return { link: taken };
    },
    'objects.addKnown': () => {
      throw new Error('asked the service');
    },
  });
  return app;
}

it('shows the object in the service that has it, at once, and only then in its list', async () => {
  const { main } = open(['p1', false, 4], ['p2', true, 7]);
  await waitFor(() => expect(useBrowser.getState().soughtId).toBe(7));
  expect(main.calls.find(({ name }) => name === 'services.activate')?.input).toEqual({ id: 'p2' });
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('asks which service, and nothing of a service before the person agrees', async () => {
  const { user, main } = open(['p1', true, 4], ['p2', true, null]);
  const dialog = await screen.findByRole('dialog', { name: 'Open link' });
  within(dialog).getByText('Choose the service to open it in.');
  await expectAccessible(dialog);
  await user.click(within(dialog).getByRole('radio', { name: /^Harbour/ }));
  within(dialog).getByRole('button', { name: 'Check and add' });
  await user.click(within(dialog).getByRole('radio', { name: new RegExp(`^${testService.name}`) }));
  await user.click(within(dialog).getByRole('button', { name: 'Open' }));
  await waitFor(() => expect(useBrowser.getState().soughtId).toBe(4));
  expect(main.calls.some(({ name }) => name === 'objects.addKnown')).toBe(false);
});

it('is taken when it is opened later, too', async () => {
  const { main } = open(['p1', false, null], ['p2', false, 7]);
  await screen.findByText(/No connected service has the address/);
  const taken = () => main.calls.filter(({ name }) => name === 'links.take').length;
  const before = taken();
  act(() => main.emit('links.opened', undefined));
  await waitFor(() => expect(taken()).toBe(before + 1));
});
