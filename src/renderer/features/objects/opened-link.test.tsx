import { act, render, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Output } from '../../../shared/contract.ts';
import {
  expectAccessible,
  renderInApp,
  testService,
  type Answers,
  testTask,
} from '../../../../test-support/renderer/testing.tsx';
import { leaveAlone, installQuestionClock } from '../../../../test-support/renderer/question-clock.ts';
import { AppFailure } from '../../../shared/app-failure.ts';
import type { Task } from '../../../shared/domain/task.ts';
import { useActiveService } from '../../app/stores.ts';
import { usePlace } from '../../app/place.ts';
import { LiveRegions } from '../../ui/announce.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { useBrowser } from './state/browser-store.ts';
import { OpenedLink } from './OpenedLink.tsx';
import { useShownKnown } from './shown-known.ts';

const services = [testService, { ...testService, id: 'p2', name: 'Harbour' }];

beforeEach(() => {
  usePlace.setState(usePlace.getInitialState(), true);
  useBrowser.setState(useBrowser.getInitialState(), true);
});

function Active() {
  const active = useActiveService();
  return (
    <>
      <p>{active?.name}</p>
      {active && <OpenedLink active={active} />}
      <LiveRegions />
    </>
  );
}

type Link = NonNullable<Output<'links.take'>['link']>;
type Place = [serviceId: string, isAtAddress: boolean, objectId: number | null];

function linkTo(identifier: string, ...places: Place[]): Link {
  return {
    kind: 'object',
    address: 'https://objects.example.org',
    identifier,
    services: places.map(([serviceId, isAtAddress, objectId]) => ({ serviceId, isAtAddress, objectId })),
  };
}

const asking: Task = { ...testTask, kind: 'addKnown', serviceId: 'p2' };

const toHarbour = linkTo('reports/july.pdf', ['p1', false, 4], ['p2', true, 7]);

function open(first: Link | null, answers?: Answers) {
  let activeId = 'p1';
  let revision = 1;
  let link = first;
  const activate = (id: string) => {
    activeId = id;
    revision += 1;
    app.main.emit('services.changed', { revision });
    return undefined;
  };
  const app = renderInApp(<Active />, {
    'services.list': () => ({ revision, services, activeId, shown: {}, favourites: {} }),
    'services.activate': ({ id }) => activate(id),
    'links.take': () => {
      const taken = link;
      link = null;
      return { link: taken };
    },
    'objects.addKnown': () => {
      throw new Error('asked the service');
    },
    ...answers,
  });
  return {
    ...app,
    activate,
    callsOf: (procedure: string) => app.main.calls.filter(({ name }) => name === procedure),
    openAnother: (another: Link) => {
      link = another;
      act(() => app.main.emit('links.opened', undefined));
    },
  };
}

const expectSaid = (text: string) =>
  waitFor(() => expect(screen.getByRole('alert', { name: 'Urgent messages' }).textContent).toContain(text));

it('activates the service that has the object and shows it, without asking', async () => {
  const { callsOf } = open(toHarbour);
  await waitFor(() => expect(useBrowser.getState().soughtId).toBe(7));
  expect(callsOf('services.activate')).toMatchObject([{ input: { id: 'p2' } }]);
  expect(screen.queryByRole('dialog')).toBeNull();
});

const isRemoved: Answers = {
  'services.activate': () => {
    throw new AppFailure({ code: 'notFound', what: 'service' });
  },
};

describe('a question about a link', () => {
  installQuestionClock();
  /** Once it can be answered. */
  async function findQuestion(): Promise<HTMLElement> {
    const dialog = await screen.findByRole('dialog', { name: 'Open link' });
    await leaveAlone();
    return dialog;
  }

  it('asks which service to use, and contacts none before the person agrees', async () => {
    const { user, callsOf } = open(linkTo('july.pdf', ['p1', true, 4], ['p2', true, null]));
    const dialog = await findQuestion();
    within(dialog).getByText('Choose the service to open the link in.');
    await expectAccessible(dialog);
    expect(document.activeElement).toBe(within(dialog).getByRole('button', { name: 'Cancel' }));
    await user.click(within(dialog).getByRole('radio', { name: /^Harbour/ }));
    within(dialog).getByRole('button', { name: 'Check and add' });
    await user.click(within(dialog).getByRole('radio', { name: new RegExp(`^${testService.name}`) }));
    await user.click(within(dialog).getByRole('button', { name: 'Open' }));
    await waitFor(() => expect(useBrowser.getState().soughtId).toBe(4));
    expect(callsOf('objects.addKnown')).toEqual([]);
  });

  it('says that no service has its address, and offers a choice', async () => {
    open(linkTo('july.pdf', ['p1', false, 4], ['p2', false, null]));
    const dialog = await findQuestion();
    expect(dialog.textContent).toContain('No connected service has the address https://objects.example.org');
    expect(within(dialog).getByRole('radio', { name: new RegExp(`^${testService.name}`) })).toHaveProperty(
      'checked',
      true,
    );
  });

  it('asks the service about an unlisted object once the person agrees', async () => {
    const { user, callsOf } = open(linkTo('july.pdf', ['p1', false, 4], ['p2', true, null]), {
      'objects.addKnown': () => asking,
    });
    const dialog = await findQuestion();
    expect(dialog.textContent).toContain('This object isn’t in the list of Harbour');
    expect(within(dialog).queryByRole('radio')).toBeNull();
    expect(callsOf('objects.addKnown')).toEqual([]);
    await user.click(within(dialog).getByRole('button', { name: 'Check and add' }));
    await waitFor(() => expect(dialog.isConnected).toBe(false));
    expect(callsOf('services.activate')).toMatchObject([{ input: { id: 'p2' } }]);
    const input = { serviceId: 'p2', kind: 'data', identifiers: ['july.pdf'] };
    expect(callsOf('objects.addKnown')).toMatchObject([{ input }]);
    expect(useShownKnown.getState().task).toEqual(asking);
  });

  it('a second link does not replace the one that is being asked about', async () => {
    const { user, openAnother } = open(linkTo('first.txt', ['p1', true, 4], ['p2', true, 5]));
    const dialog = await findQuestion();
    openAnother(linkTo('second.txt', ['p1', false, null], ['p2', false, 9]));
    await expectSaid('Close the open dialog first, then open the link again.');
    expect(dialog.textContent).toContain('first.txt');
    await user.click(within(dialog).getByRole('button', { name: 'Open' }));
    await waitFor(() => expect(useBrowser.getState().soughtId).toBe(4));
  });

  it('keeps the question open when the chosen service cannot be shown', async () => {
    const { user } = open(linkTo('july.pdf', ['p1', true, 4], ['p2', true, 5]), isRemoved);
    const dialog = await findQuestion();
    await user.click(within(dialog).getByRole('button', { name: 'Open' }));
    expect(await within(dialog).findByText(/^This service has been removed/)).toBeTruthy();
  });

  it('takes no press that was meant for what was there before it', async () => {
    const { user, callsOf } = open(linkTo('july.pdf', ['p1', false, 4], ['p2', true, null]));
    const dialog = await screen.findByRole('dialog', { name: 'Open link' });
    const button = within(dialog).getByRole('button', { name: 'Check and add' });
    await user.click(button);
    expect(callsOf('services.activate')).toEqual([]);
    expect(callsOf('objects.addKnown')).toEqual([]);
  });
});

it('reports a link that names no object', async () => {
  const { callsOf } = open({ kind: 'unreadable' });
  await expectSaid('This link can’t be opened');
  expect(callsOf('services.activate')).toEqual([]);
});

it('handles a link opened later, too', async () => {
  const { openAnother } = open(null);
  openAnother(toHarbour);
  await waitFor(() => expect(useBrowser.getState().soughtId).toBe(7));
});

it('changes nothing under an open dialog', async () => {
  render(
    <Dialog isOpen title="New secret" buttons={null} onClose={() => undefined}>
      swordfish
    </Dialog>,
  );
  usePlace.setState({ kind: 'secret' });
  const { callsOf } = open(toHarbour);
  await expectSaid('Close the open dialog first, then open the link again.');
  expect(callsOf('services.activate')).toEqual([]);
  expect(usePlace.getState().kind).toBe('secret');
});

it('says why the object cannot be shown, and does not show it later', async () => {
  const { activate } = open(toHarbour, isRemoved);
  await expectSaid('This service has been removed');
  act(() => activate('p2'));
  await screen.findByText('Harbour');
  expect(useBrowser.getState().soughtId).toBeNull();
});
