import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { ListedClasses } from '../../app/classification/ListedClasses.tsx';
import type { Favourite } from '../../../shared/domain/shown-list.ts';
import { useDock } from '../../app/dock.ts';
import { MoveFolder } from '../../app/folder-menu.ts';
import { showPlace, usePlace } from '../../app/place.ts';
import {
  type Answers,
  expectAccessible,
  renderInApp,
  testService,
  pageOf,
  testSummary,
} from '../../../../test-support/renderer/testing.tsx';
import { Nav } from './Nav.tsx';

const answers: Answers = {
  'classifications.list': () => ({
    values: ['Public', 'Secret'].map((value) => ({ value, description: null })),
    recent: [],
    start: null,
    preferred: null,
    error: null,
  }),
  'objects.collections': () => ({
    all: 1284,
    gone: 6,
    secrets: 14,
    attention: 9,
    hasFolders: true,
    classifications: [
      { value: 'Secret', count: 29 },
      { value: null, count: 3 },
      { value: 'Odd', count: 1 },
    ],
  }),
  'objects.folders': ({ parent }) =>
    parent === ''
      ? { folders: [{ path: 'reports', name: 'reports', count: 412, hasChildren: true }], more: 2 }
      : { folders: [{ path: 'reports/2026', name: '2026', count: 188, hasChildren: false }], more: 0 },
};

function open(over: Answers = {}) {
  return renderInApp(
    <ListedClasses serviceId={testService.id}>
      <Nav service={testService} />
    </ListedClasses>,
    { ...answers, ...over },
  );
}

beforeEach(() => {
  usePlace.setState(usePlace.getInitialState(), true);
  useDock.setState(useDock.getInitialState());
});

it('opens each place, and marks the current one', async () => {
  const { user, container } = open();
  expect(screen.getByRole('link', { name: 'Files' }).getAttribute('aria-current')).toBe('page');
  await user.click(screen.getByRole('link', { name: 'All objects' }));
  expect(usePlace.getState()).toMatchObject({ kind: 'data', place: { kind: 'all' } });
  const attention = await screen.findByRole('link', { name: 'Needs attention', description: '9' });
  await user.click(attention);
  expect(usePlace.getState()).toMatchObject({ kind: 'data', place: { kind: 'attention' } });
  expect(attention.getAttribute('aria-current')).toBe('page');
  await user.click(await screen.findByRole('link', { name: 'Deleted' }));
  expect(usePlace.getState().place).toEqual({ kind: 'gone' });
  await user.click(screen.getByRole('link', { name: 'Secrets' }));
  expect(usePlace.getState()).toMatchObject({ kind: 'secret', place: { kind: 'all' } });
  expect(screen.getByRole('link', { name: 'Secrets' }).getAttribute('aria-current')).toBe('page');
  expect(screen.getByRole('link', { name: 'All objects' }).getAttribute('aria-current')).toBeNull();
  await user.click(screen.getByRole('link', { name: 'Default' }));
  expect(usePlace.getState().place).toEqual({ kind: 'classification', value: null });
  await user.click(screen.getByRole('link', { name: 'Settings' }));
  expect(usePlace.getState().view).toBe('settings');
  await expectAccessible(container);
});

it('lists classifications in the order of the service, then those that only the list has', async () => {
  const { container } = open();
  await screen.findByRole('link', { name: 'Odd' });
  const links = [...container.querySelectorAll('a')].map(
    (link) => link.querySelector('.nav-item__label')?.textContent,
  );
  expect(links.slice(-5)).toEqual(['Public', 'Secret', 'Odd', 'Default', 'Settings']);
});

it('expands folders with the keyboard, and loads their contents only then', async () => {
  const { user, main } = open();
  const reports = await screen.findByRole('link', { name: 'reports' });
  expect(screen.getByText('2 more folders, see the list')).toBeTruthy();
  screen.getByRole('link', { name: 'All objects' }).focus();
  await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}{ArrowDown}{ArrowDown}');
  expect(document.activeElement).toBe(reports);
  expect(main.calls.filter(({ name }) => name === 'objects.folders')).toHaveLength(1);
  await user.keyboard('{ArrowRight}');
  expect(reports.getAttribute('aria-expanded')).toBe('true');
  await screen.findByRole('link', { name: '2026' });
  await user.keyboard('{ArrowDown}{Enter}');
  expect(usePlace.getState().place).toEqual({ kind: 'folder', path: 'reports/2026' });
  await user.keyboard('{ArrowUp}{ArrowLeft}');
  expect(screen.queryByRole('link', { name: '2026' })).toBeNull();
});

it('lists the first 200 folders of a folder', async () => {
  const folders = Array.from({ length: 300 }, (_, at) => String(at)).map((name) => ({
    path: name,
    name,
    count: 1,
    hasChildren: false,
  }));
  open({ 'objects.folders': () => ({ folders, more: 5 }) });
  expect(await screen.findByText('105 more folders, see the list')).toBeTruthy();
  expect(screen.getByRole('link', { name: '199' })).toBeTruthy();
  expect(screen.queryByRole('link', { name: '200' })).toBeNull();
});

it('shrinks to icons in a narrow window with an open dock, and opens folders beside them', async () => {
  useDock.setState({ isOpen: true, isNarrow: true });
  const { user } = open();
  const all = await screen.findByRole('link', { name: 'All objects' });
  all.focus();
  await user.keyboard('{Tab}{Enter}');
  const folders = await screen.findByRole('dialog', { name: 'Folders' });
  await expectAccessible(folders);
  await user.click(await within(folders).findByRole('link', { name: 'reports' }));
  expect(usePlace.getState().place).toEqual({ kind: 'folder', path: 'reports' });
  expect(screen.queryByRole('dialog')).toBeNull();
  const button = screen.getByRole('button', { name: 'Folders' });
  expect(button.getAttribute('aria-current')).toBe('true');
  await waitFor(() => expect(document.activeElement).toBe(button));
  await user.click(screen.getByRole('button', { name: 'Classifications' }));
  await user.click(await screen.findByRole('link', { name: 'Default' }));
  expect(usePlace.getState().place).toEqual({ kind: 'classification', value: null });
});

it('opens to the folder that is shown, and scrolls to it', async () => {
  const scrolled: string[] = [];
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
    scrolled.push(this.querySelector('bdi')?.textContent ?? '');
  });
  open();
  const reports = await screen.findByRole('link', { name: 'reports' });
  act(() => showPlace({ kind: 'folder', path: 'reports/2026' }));
  const folder = await screen.findByRole('link', { name: '2026' });
  expect(reports.getAttribute('aria-expanded')).toBe('true');
  expect(folder.getAttribute('aria-current')).toBe('page');
  expect(scrolled.at(-1)).toBe('2026');
});

it('explains folders while there are none', async () => {
  open({
    'objects.collections': () => ({
      all: 0,
      gone: 0,
      secrets: 0,
      attention: 0,
      hasFolders: false,
      classifications: [],
    }),
  });
  expect(await screen.findByText('Folders you upload appear here')).toBeTruthy();
});

it('shows every place from the start, so that nothing moves when one fills', async () => {
  open({
    'objects.collections': () => ({
      all: 1,
      gone: 0,
      secrets: 0,
      attention: 0,
      hasFolders: true,
      classifications: [],
    }),
  });
  await screen.findByRole('link', { name: 'reports' });
  const links = screen.getAllByRole('link').map((link) => link.querySelector('bdi')?.textContent);
  expect(links.slice(0, 7)).toEqual([
    'Files',
    'All objects',
    'Recent',
    'Needs attention',
    'Secrets',
    'Deleted',
    'reports',
  ]);
});

it('keeps folders expanded while it shows only icons', async () => {
  const { user } = open();
  await user.click(await screen.findByRole('button', { name: /reports/ }));
  await screen.findByRole('link', { name: '2026' });
  act(() => useDock.setState({ isOpen: true, isNarrow: true }));
  expect(screen.queryByRole('link', { name: '2026' })).toBeNull();
  act(() => useDock.setState({ isNarrow: false }));
  expect(await screen.findByRole('link', { name: '2026' })).toBeTruthy();
});

it('switches, adds and edits services', async () => {
  const other = { ...testService, id: 'p2', name: 'Cold store', connection: 'unreachable' as const };
  const { user, main } = open({
    'services.list': () => ({ revision: 1, services: [testService, other], activeId: 'p1' }),
    'services.activate': () => undefined,
  });
  await user.click(screen.getByRole('button', { name: 'Service Meridian Archive, Ready' }));
  const menu = await screen.findByRole('menu', { name: /Service/ });
  await expectAccessible(menu);
  const textOf = (name: string) => within(menu).getByRole('menuitem', { name }).textContent;
  expect(textOf('Meridian Archive')).toContain('Ready, shown now');
  expect(textOf('Cold store')).not.toContain('shown now');
  await user.click(screen.getByRole('menuitem', { name: 'Cold store' }));
  await waitFor(() => expect(main.calls).toContainEqual({ name: 'services.activate', input: { id: 'p2' } }));
  await user.click(screen.getByRole('button', { name: 'Service Meridian Archive, Ready' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Edit Meridian Archive…' }));
  expect(usePlace.getState().connecting).toEqual({ serviceId: 'p1', field: null });
});

it('offers to add the service on this computer, unless it exists', async () => {
  const services = (isLocal: boolean) => () => ({
    revision: 1,
    services: [{ ...testService, isLocal }],
    activeId: testService.id,
  });
  const { user, main, unmount } = open({
    'services.list': services(false),
    'services.tryLocal': () => testService,
  });
  await user.click(screen.getByRole('button', { name: 'Service Meridian Archive, Ready' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Try it on this computer' }));
  expect(main.calls.map(({ name }) => name)).toContain('services.tryLocal');
  unmount();
  const local = open({ 'services.list': services(true) });
  await waitFor(() => expect(local.main.answered).toContain('services.list'));
  await user.click(screen.getByRole('button', { name: 'Service Meridian Archive, Ready' }));
  await screen.findByRole('menuitem', { name: 'Edit Meridian Archive…' });
  expect(screen.queryByRole('menuitem', { name: 'Try it on this computer' })).toBeNull();
});

it('pauses and resumes the transfers of a service', async () => {
  let summary = testSummary;
  const { user, main } = open({
    'transfers.page': () => pageOf(summary),
    'transfers.pause': () => undefined,
    'transfers.resume': () => undefined,
  });
  await user.click(screen.getByRole('button', { name: 'Service Meridian Archive, Ready' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Pause transfers' }));
  const which = { serviceId: 'p1' };
  expect(main.calls).toContainEqual({ name: 'transfers.pause', input: { which } });
  summary = { ...summary, revision: 2, paused: { ...summary.paused, serviceIds: ['p1'] } };
  act(() => main.emit('transfers.changed', summary));
  await waitFor(() => expect(main.calls.filter(({ name }) => name === 'transfers.page')).toHaveLength(2));
  await user.click(screen.getByRole('button', { name: 'Service Meridian Archive, Ready' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Resume transfers' }));
  expect(main.calls).toContainEqual({ name: 'transfers.resume', input: { which } });
});

it('has a place for recently used objects, reachable with the arrow keys', async () => {
  const { user } = open();
  const recent = screen.getByRole('link', { name: 'Recent' });
  act(() => screen.getByRole('link', { name: 'All objects' }).focus());
  await user.keyboard('{ArrowDown}');
  expect(document.activeElement).toBe(recent);
  await user.keyboard('{Enter}');
  expect(usePlace.getState()).toMatchObject({ kind: 'data', place: { kind: 'recent' } });
  expect(recent.getAttribute('aria-current')).toBe('page');
});

it('opens favourites, a folder or a search, and marks the one that is open', async () => {
  const { user, container } = open({
    'services.list': () => ({
      revision: 1,
      services: [testService],
      activeId: testService.id,
      favourites: {
        [testService.id]: [
          { kind: 'data', place: { kind: 'folder', path: 'reports/2026' }, search: '' },
          { kind: 'data', place: { kind: 'all' }, search: 'size:>1mb' },
        ],
      },
    }),
  });
  await screen.findByRole('heading', { name: 'Favourites' });
  await user.click(screen.getByRole('link', { name: 'size:>1mb' }));
  expect(usePlace.getState()).toMatchObject({ place: { kind: 'all' }, search: 'size:>1mb' });
  expect(screen.getByRole('link', { name: 'size:>1mb' }).getAttribute('aria-current')).toBe('page');
  expect(screen.getByRole('link', { name: 'All objects' }).getAttribute('aria-current')).toBeNull();
  await user.click(screen.getByRole('link', { name: '2026' }));
  expect(usePlace.getState()).toMatchObject({ place: { kind: 'folder', path: 'reports/2026' }, search: '' });
  await expectAccessible(container);
});

it('stays reachable with Tab when the link that last had the focus is gone', async () => {
  const kept = { kind: 'data', place: { kind: 'all' }, search: 'size:>1mb' } as const;
  let favourites: Record<string, (typeof kept)[]> = { [testService.id]: [kept] };
  let revision = 1;
  const list = () => ({ revision, services: [testService], activeId: testService.id, favourites });
  const { user, main } = open({ 'services.list': list });
  const link = await screen.findByRole('link', { name: 'size:>1mb' });
  act(() => link.focus());
  await user.keyboard('{Enter}');
  expect(link.tabIndex).toBe(0);
  favourites = {};
  revision = 2;
  act(() => main.emit('services.changed', { revision }));
  await waitFor(() => expect(screen.queryByRole('link', { name: 'size:>1mb' })).toBeNull());
  await waitFor(() => expect(screen.getByRole('link', { name: 'All objects' }).tabIndex).toBe(0));
});

it('removes a favourite with the Delete key, and the next link has the focus', async () => {
  const kept = (search: string) => ({ kind: 'data', place: { kind: 'all' }, search }) as const;
  let favourites = [kept('size:>1mb'), kept('kind:image')];
  let revision = 1;
  const { user, main } = open({
    'services.list': () => ({
      revision,
      services: [testService],
      activeId: testService.id,
      favourites: { [testService.id]: favourites },
    }),
    'services.keepFavourite': ({ favourite, isKept }) => {
      expect(isKept).toBe(false);
      favourites = favourites.filter(({ search }) => search !== favourite.search);
      revision += 1;
      main.emit('services.changed', { revision });
    },
  });
  const link = await screen.findByRole('link', { name: 'size:>1mb' });
  act(() => link.focus());
  await user.keyboard('{Delete}');
  await waitFor(() => expect(screen.queryByRole('link', { name: 'size:>1mb' })).toBeNull());
  await waitFor(() => expect(document.activeElement?.textContent).toBe('kind:image'));
  await waitFor(() => expect(screen.getByRole('link', { name: 'kind:image' }).tabIndex).toBe(0));
});

it('moves a favourite up or down by its menu, and the focus with it', async () => {
  const kept = (search: string): Favourite => ({ kind: 'data', place: { kind: 'all' }, search });
  let favourites = [kept('size:>1mb'), kept('kind:image')];
  let revision = 1;
  const { user, main } = open({
    'services.list': () => ({
      revision,
      services: [testService],
      activeId: testService.id,
      favourites: { [testService.id]: favourites },
    }),
    'services.moveFavourite': ({ favourite, by }) => {
      expect([favourite.search, by]).toEqual(['kind:image', -1]);
      favourites = favourites.toReversed();
      main.emit('services.changed', { revision: ++revision });
    },
  });
  const link = await screen.findByRole('link', { name: 'kind:image' });
  await user.pointer({ keys: '[MouseRight]', target: link });
  expect(screen.queryByRole('menuitem', { name: 'Move down' })).toBeNull();
  await user.click(await screen.findByRole('menuitem', { name: 'Move up' }));
  const shown = () =>
    screen.getAllByRole('link').flatMap(({ textContent }) => (/:/.test(textContent) ? [textContent] : []));
  await waitFor(() => expect(shown()).toEqual(['kind:image', 'size:>1mb']));
  await waitFor(() => expect(document.activeElement?.textContent).toBe('kind:image'));
});

it('renames a saved search by F2 or its menu, and gives it back the name of its words', async () => {
  let favourite: Favourite = { kind: 'data', place: { kind: 'all' }, search: 'size:>1mb' };
  let revision = 1;
  const { user, main } = open({
    'services.list': () => ({
      revision,
      services: [testService],
      activeId: testService.id,
      favourites: { [testService.id]: [favourite] },
    }),
    'services.keepFavourite'({ favourite: next, isKept }) {
      expect(isKept).toBe(true);
      favourite = next;
      main.emit('services.changed', { revision: ++revision });
    },
  });
  const link = await screen.findByRole('link', { name: 'size:>1mb' });
  act(() => link.focus());
  await user.keyboard('{F2}');
  const dialog = await screen.findByRole('dialog', { name: 'Rename search' });
  await expectAccessible(dialog);
  await user.clear(within(dialog).getByRole('textbox', { name: 'Name' }));
  await user.keyboard('Large ones{Enter}');
  const renamed = await screen.findByRole('link', { name: 'Large ones' });
  expect(favourite).toMatchObject({ name: 'Large ones', search: 'size:>1mb' });
  await user.pointer({ keys: '[MouseRight]', target: renamed });
  await user.click(await screen.findByRole('menuitem', { name: /^Rename/ }));
  await user.clear(await screen.findByRole('textbox', { name: 'Name' }));
  await user.keyboard('{Enter}');
  await screen.findByRole('link', { name: 'size:>1mb' });
  expect(favourite).not.toHaveProperty('name');
});

it('has one Tab stop, even if the current place has no link, as among too many folders', async () => {
  act(() => usePlace.setState({ place: { kind: 'folder', path: 'unlisted' } }));
  open();
  const folder = await screen.findByRole('link', { name: 'reports' });
  const reached = () =>
    screen.getAllByRole('link').flatMap((link) => (link.tabIndex === 0 ? link.textContent : []));
  expect(reached()).toEqual(['Files']);
  act(() => usePlace.setState({ place: { kind: 'recent' } }));
  expect(reached()).toEqual(['Recent']);
  act(() => folder.focus());
  expect(reached()).toEqual(['reports412']);
});

it('asks for another path of the folder that has the focus, with the key that renames objects', async () => {
  const moved: string[] = [];
  const { user } = renderInApp(
    <MoveFolder value={(path) => moved.push(path)}>
      <Nav service={testService} />
    </MoveFolder>,
    answers,
  );
  const reports = await screen.findByRole('link', { name: 'reports' });
  act(() => reports.focus());
  await user.keyboard('{ArrowRight}');
  const below = await screen.findByRole('link', { name: '2026' });
  act(() => below.focus());
  await user.keyboard('{F2}');
  expect(moved).toEqual(['reports/2026']);
});
