import { act, render, renderHook, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Output } from '../../shared/contract.ts';
import { settingsDefault } from '../../shared/domain/settings.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import { announce } from '../ui/announce.tsx';
import { keepText, useKeptThumbnail } from '../features/objects/preview/thumbnails.ts';
import { App } from './App.tsx';
import { useDock } from '../app/dock.ts';
import { showConnect, usePlace } from '../app/place.ts';
import {
  type Answers,
  createFakeMain,
  expectAccessible,
  testInfo,
  testObject,
  testService,
  pageOf,
  testSummary,
  testTransfer,
} from '../../../test-support/renderer/testing.tsx';

function start(answers?: Answers) {
  const main = createFakeMain(answers);
  return { main, ...render(<App client={main.client} />) };
}

beforeEach(() => {
  usePlace.setState(usePlace.getInitialState(), true);
  useDock.setState({ tab: 'transfers', isOpen: true, isNarrow: false });
});

describe('first screen', () => {
  it('welcomes, with two ways in', async () => {
    const { main, container } = start({
      'services.list': () => ({ revision: 1, services: [], activeId: null }),
      'services.tryLocal': () => testService,
    });
    expect(await screen.findByRole('heading', { name: 'Welcome to Coffer' })).toBeTruthy();
    await expectAccessible(container);
    await userEvent.click(screen.getByRole('button', { name: 'Try it on this computer' }));
    await waitFor(() => expect(main.calls.map(({ name }) => name)).toContain('services.tryLocal'));
    await userEvent.click(screen.getByRole('button', { name: 'Connect to a service' }));
    expect(screen.getByRole('heading', { name: 'Connect to a service' })).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Back' }));
    expect(screen.getByRole('heading', { name: 'Welcome to Coffer' })).toBeTruthy();
    // The focused button disappeared with its screen.
    expect(document.activeElement).toBe(screen.getByRole('main'));
  });

  it('shows why the service on this computer did not start', async () => {
    start({
      'services.list': () => ({ revision: 1, services: [], activeId: null }),
      'services.tryLocal': () => {
        throw new AppFailure({ code: 'localService', problem: 'portInUse' });
      },
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Try it on this computer' }));
    expect(await screen.findByText('Another program is using the port.')).toBeTruthy();
  });
});

it('forgets pictures when their previews are refused in the form of a service', async () => {
  const { main } = start();
  act(() => showConnect(testService.id));
  await screen.findByRole('button', { name: 'Previews and editing' });
  const object = { id: 1, sha256: 'a'.repeat(64) };
  keepText(object, 'kept');
  const { result } = renderHook(() => useKeptThumbnail(object));
  expect(result.current).toMatchObject({ text: 'kept' });
  act(() => main.emit('objects.previewsRefused', undefined));
  expect(result.current).toBeUndefined();
});

describe('a link where no object can be shown', () => {
  const link: Output<'links.take'> = {
    link: { kind: 'object', address: 'local', identifier: 'a', services: [] },
  };
  const expectSaid = (text: string) =>
    waitFor(() => expect(screen.getByRole('alert', { name: 'Urgent messages' }).textContent).toBe(text));

  it('needs a service first', async () => {
    start({
      'services.list': () => ({ revision: 1, services: [], activeId: null }),
      'links.take': () => link,
    });
    await expectSaid('Connect to a service first, then open the link again.');
    expect(screen.getByRole('heading', { name: 'Welcome to Coffer' })).toBeTruthy();
  });

  it('does not close a form', async () => {
    let isOpened = false;
    const { main } = start({ 'links.take': () => (isOpened ? link : { link: null }) });
    await screen.findByRole('navigation', { name: 'Collections' });
    act(() => showConnect(null));
    isOpened = true;
    act(() => main.emit('links.opened', undefined));
    await expectSaid('Save or leave this form first, then open the link again.');
    expect(screen.getByRole('heading', { name: 'Connect to a service' })).toBeTruthy();
  });
});

describe('while the list is being opened', () => {
  const never = () => new Promise<never>(() => undefined);
  const opening: Answers = { 'app.info': never, 'settings.get': never, 'services.list': never };

  it('says so after a moment, and that a command uses the list as soon as main reports it', async () => {
    let waitsForCommand = false;
    const { main, container } = start({ ...opening, 'app.opening': () => ({ waitsForCommand }) });
    expect(await screen.findByText('Opening your list…')).toBeTruthy();
    await expectAccessible(container);
    waitsForCommand = true;
    act(() => main.emit('app.changed', undefined));
    expect(await screen.findByRole('heading', { name: 'Waiting for a command to finish' })).toBeTruthy();
    expect(screen.getByText(/^It is using your list/)).toBeTruthy();
  });
});

describe('damaged list', () => {
  const copies = [
    { id: 'old', madeAtMs: Date.UTC(2026, 0, 2), objects: 3 },
    { id: 'new', madeAtMs: Date.UTC(2026, 5, 2), objects: 1284 },
  ];
  const broken: Answers = {
    'app.info': () => ({
      ...testInfo,
      catalogue: { state: 'broken', setAsideName: 'coffer.broken', copies },
    }),
    'services.list': () => {
      throw new AppFailure({ code: 'notReady' });
    },
    'catalogue.recover': () => undefined,
  };

  it('offers the copies, the newest first', async () => {
    const { main, container } = start(broken);
    expect(await screen.findByText(/set aside unchanged as coffer\.broken/)).toBeTruthy();
    await expectAccessible(container);
    const [first] = screen.getAllByRole<HTMLInputElement>('radio');
    expect(first?.checked).toBe(true);
    await userEvent.click(screen.getByRole('button', { name: 'Continue with this copy' }));
    expect(main.calls).toContainEqual({ name: 'catalogue.recover', input: { copyId: 'new' } });
  });

  it('offers an empty list', async () => {
    const { main } = start(broken);
    await userEvent.click(await screen.findByRole('button', { name: 'Start with an empty list' }));
    expect(main.calls).toContainEqual({ name: 'catalogue.recover', input: { copyId: null } });
  });
});

describe('window', () => {
  it('has its places, tabs and names, and no barrier', async () => {
    const { container } = start();
    expect(await screen.findByRole('navigation', { name: 'Collections' })).toBeTruthy();
    for (const name of ['All objects', 'Secrets', 'Settings'])
      expect(screen.getByRole('link', { name })).toBeTruthy();
    expect(screen.getByRole('tablist', { name: 'Activity' })).toBeTruthy();
    for (const name of ['Details', 'Transfers', 'Jobs'])
      expect(screen.getByRole('tab', { name })).toBeTruthy();
    expect(screen.getByRole('searchbox', { name: 'Search objects' })).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Upload' })).toBeTruthy();
    await expectAccessible(container);
  });

  it('takes theme and density, and follows their change', async () => {
    let settings = { ...settingsDefault, theme: 'dark' as const, density: 'compact' as const };
    const { main } = start({ 'settings.get': () => settings });
    await waitFor(() =>
      expect(document.documentElement.dataset).toMatchObject({ theme: 'dark', density: 'compact' }),
    );
    settings = { ...settingsDefault, theme: 'system' as never, density: 'compact' };
    main.emit('settings.changed', settings);
    await waitFor(() => expect(document.documentElement.dataset['theme']).toBeUndefined());
  });

  it('applies a change of the language everywhere without losing typed text', async () => {
    let settings = settingsDefault;
    const counts = { closing: 0, needsYou: 0, moving: 0, waiting: 1, done: 0 };
    const transfers = { ...testSummary.transfers, counts };
    const { main } = start({
      'settings.get': () => settings,
      'transfers.page': () => ({
        summary: { ...testSummary, transfers },
        counts,
        total: 1,
        offset: 0,
        rows: [testTransfer],
      }),
    });
    await userEvent.type(await screen.findByRole('searchbox', { name: 'Search objects' }), 'dem');
    expect(await screen.findByRole('listitem', { name: 'a.bin, upload, Waiting' })).toBeTruthy();
    settings = { ...settingsDefault, language: 'ar-XB' };
    main.emit('settings.changed', settings);
    const remote = (text: string) => text.replaceAll(/\w+/g, '\u202E$&\u202C');
    const box = await screen.findByRole('searchbox', { name: remote('Search objects') });
    expect(box).toHaveProperty('value', 'dem');
    expect(screen.getByRole('tab', { name: remote('Transfers') })).toBeTruthy();
    // A single entry, outside of any group.
    expect(screen.getByRole('listitem', { name: /^\u2068a\.bin\u2069, \u202Eupload/ })).toBeTruthy();
    expect(document.documentElement).toMatchObject({ lang: 'ar-XB', dir: 'rtl' });
    settings = settingsDefault;
    main.emit('settings.changed', settings);
    expect(await screen.findByRole('searchbox', { name: 'Search objects' })).toBeTruthy();
    expect(document.documentElement).toMatchObject({ lang: 'en', dir: 'ltr' });
  });

  it('follows keys and the menu', async () => {
    const { main } = start();
    await screen.findByRole('navigation', { name: 'Collections' });
    await userEvent.keyboard('{Control>}3{/Control}');
    expect(screen.getByRole('tab', { name: 'Jobs' }).getAttribute('aria-selected')).toBe('true');
    expect(screen.getByText('No deferred requests')).toBeTruthy();
    main.emit('command.given', { command: 'settings' });
    expect(await screen.findByRole('heading', { name: 'Settings' })).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByRole('main'));
    main.emit('command.given', { command: 'dock.toggle' });
    await waitFor(() => expect(screen.queryByRole('tablist', { name: 'Activity' })).toBeNull());
    expect(main.calls).toContainEqual({ name: 'settings.update', input: { dockOpen: false } });
    await userEvent.click(screen.getByRole('button', { name: 'Show activity' }));
    expect(screen.getByRole('tablist', { name: 'Activity' })).toBeTruthy();
  });

  it('says why a command of the icon does nothing while a dialog is open', async () => {
    const { main } = start();
    await screen.findByRole('navigation', { name: 'Collections' });
    main.emit('command.given', { command: 'shortcuts' });
    expect(await screen.findByRole('dialog')).toBeTruthy();
    main.emit('command.given', { command: 'upload' });
    expect(await screen.findByText('Close the open dialog first.')).toBeTruthy();
    expect(main.calls.some(({ name }) => name === 'files.chooseFiles')).toBe(false);
  });

  it('returns to the previous view after a form', async () => {
    start();
    await userEvent.click(await screen.findByRole('link', { name: 'Settings' }));
    await userEvent.click(screen.getByRole('button', { name: 'Edit Meridian Archive' }));
    expect(await screen.findByRole('heading', { name: 'Edit Meridian Archive' })).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Back' }));
    expect(await screen.findByRole('heading', { name: 'Settings' })).toBeTruthy();
  });

  it('counts transfers at the tab, without changing its name', async () => {
    const counts = { closing: 0, needsYou: 1, moving: 3, waiting: 1, done: 9 };
    const transfers = { ...testSummary.transfers, counts, failed: 1 };
    start({ 'transfers.page': () => pageOf({ ...testSummary, transfers }) });
    const tab = await screen.findByRole('tab', { name: 'Transfers' });
    await waitFor(() => expect(tab.textContent).toContain('5'));
  });

  it('shows the first service when none is chosen', async () => {
    const { main } = start({
      'services.list': () => ({ revision: 1, services: [testService], activeId: null }),
      'services.activate': () => undefined,
    });
    await waitFor(() =>
      expect(main.calls).toContainEqual({ name: 'services.activate', input: { id: 'p1' } }),
    );
  });
});

describe('F6', () => {
  it('cycles through the parts of the window, restoring the focus in each', async () => {
    start();
    const activity = await screen.findByRole('complementary', { name: 'Activity' });
    const round = async () => {
      await userEvent.keyboard('{F6}');
      return document.activeElement;
    };
    const place = await round();
    expect(place).toBe(await screen.findByRole('link', { name: /^Files/, current: 'page' }));
    const middle = await round();
    expect(screen.getByRole('main').contains(middle)).toBe(true);
    expect(await round()).toBe(within(activity).getByRole('tab', { selected: true }));
    expect(await round()).toBe(place);
    await userEvent.tab();
    const next = document.activeElement;
    expect(next).not.toBe(place);
    await userEvent.keyboard('{F6}{Shift>}{F6}{/Shift}');
    expect(document.activeElement).toBe(next);
  });

  it('reaches an urgent message', async () => {
    start();
    await screen.findByRole('complementary', { name: 'Activity' });
    act(() => void announce('Can’t reach Test', 'assertive'));
    await screen.findByText('Can’t reach Test');
    await userEvent.keyboard('{Shift>}{F6}{/Shift}');
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Close message' }));
  });
});

describe('the list of a service', () => {
  const shown = (path: string) => ({
    kind: 'data' as const,
    place: { kind: 'folder' as const, path },
    sorts: {
      files: { column: 'size' as const, direction: 'descending' as const },
      objects: { column: 'size' as const, direction: 'ascending' as const },
      secrets: { column: 'identifier' as const, direction: 'ascending' as const },
      gone: { column: 'checked' as const, direction: 'descending' as const },
      recent: { column: 'stored' as const, direction: 'descending' as const },
    },
  });
  const other = { ...testService, id: 'p2', name: 'Cold store' };
  const row = {
    ...testObject,
    identifier: 'reports/a.pdf',
    kind: 'data' as const,
    state: 'stored' as const,
    lengthBytes: 1,
    storedAtMs: 1,
  };

  it('comes back as it was left, also after a restart', async () => {
    let [activeId, revision] = ['p1', 1];
    const { main } = start({
      'services.list': () => ({
        revision,
        services: [testService, other],
        activeId,
        shownLists: { p1: shown('reports') },
      }),
      'objects.page': ({ offset }) => ({
        revision: 1,
        total: 1,
        totalBytes: 0,
        offset,
        rows: [row],
      }),
      'services.rememberShown': () => undefined,
    });
    expect(await screen.findByRole('heading', { name: 'reports' })).toBeTruthy();
    expect(usePlace.getState()).toMatchObject(shown('reports'));
    expect(main.calls.filter(({ name }) => name === 'services.rememberShown')).toEqual([]);

    await userEvent.click(screen.getByRole('link', { name: 'All objects' }));
    const all = { ...shown(''), place: { kind: 'all' } };
    expect(main.calls).toContainEqual({ name: 'services.rememberShown', input: { id: 'p1', shown: all } });

    const goTo = (id: string) =>
      act(() => {
        activeId = id;
        revision += 1;
        main.emit('services.changed', { revision });
      });
    goTo('p2');
    await waitFor(() => expect(usePlace.getState().sorts.objects.column).toBe('stored'));
    goTo('p1');
    await waitFor(() => expect(usePlace.getState()).toMatchObject(all));
  });

  it('starts with *Files* if the folder is empty now', async () => {
    start({
      'services.list': () => ({
        revision: 1,
        services: [testService],
        activeId: 'p1',
        shownLists: { p1: shown('reports') },
      }),
    });
    expect(await screen.findByRole('heading', { name: 'Files', level: 1 })).toBeTruthy();
    expect(usePlace.getState().sorts.objects.column).toBe('size');
  });
});
