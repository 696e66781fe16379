import { render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { App } from './App.tsx';
import { AppProvider } from '../app/AppProvider.tsx';
import { features } from '../features.ts';
import { useDock } from '../app/dock.ts';
import { DialogPane, Pane } from '../app/Pane.tsx';
import { usePlace } from '../app/place.ts';
import {
  createFakeMain,
  expectAccessible,
  renderInApp,
  type FakeMain,
} from '../../../test-support/renderer/testing.tsx';

/** Components that throw when they render. */
const broken = vi.hoisted(() => new Set<string>());
const breakable = vi.hoisted(() => (module: Record<string, unknown>) => {
  const wrapped = Object.entries(module).map(([name, original]) => [
    name,
    (...input: unknown[]) => {
      if (broken.has(name)) throw new RangeError('s3cr3t\n    at s3cr3t');
      return (original as (...input: unknown[]) => unknown)(...input);
    },
  ]);
  return Object.fromEntries(wrapped) as Record<string, unknown>;
});
vi.mock('./MainWindow.tsx', async (original) => breakable(await original()));
vi.mock('./Dock.tsx', async (original) => breakable(await original()));
vi.mock('../features/nav/Nav.tsx', async (original) => breakable(await original()));
vi.mock('../features/connect/TokenBanner.tsx', async (original) => breakable(await original()));
vi.mock('../features/objects/ObjectsView.tsx', async (original) => breakable(await original()));
vi.mock('../features/transfers/StatusLine.tsx', async (original) => breakable(await original()));
vi.mock('../features/transfers/TransfersTab.tsx', async (original) => breakable(await original()));
vi.mock('../features/settings/SettingsView.tsx', async (original) => breakable(await original()));

beforeEach(() => {
  // React reports each error, and so does jsdom.
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  usePlace.setState(usePlace.getInitialState(), true);
  useDock.setState({ tab: 'transfers', isOpen: true, isNarrow: false });
});
afterEach(() => {
  broken.clear();
  vi.restoreAllMocks();
});

const told = ({ calls }: FakeMain) =>
  calls.filter(({ name }) => name === 'app.paneFailed').map(({ input }) => input);

describe('a part of the window that fails to render', () => {
  // The one-line panes fail together: each has its own place, and the rest of the window stays.
  it.each<[Record<string, string>, string]>([
    [{ MainWindow: 'Can’t show the window' }, 'Show the log'],
    [{ Dock: 'Can’t show activity', ObjectsView: 'Can’t show this list' }, 'All objects'],
    [
      {
        Nav: 'Can’t show the sidebar',
        TokenBanner: 'Can’t show a message',
        StatusLine: 'Can’t show the status',
      },
      'Nothing in this list yet',
    ],
    [{ TransfersTab: 'Can’t show the transfers' }, 'All objects'],
  ])('says so in its place: %o', async (titles, elsewhere) => {
    for (const component of Object.keys(titles)) broken.add(component);
    const main = createFakeMain({ 'app.paneFailed': () => undefined });
    render(<App client={main.client} />);
    const alerts = new Set<Element>();
    for (const title of Object.values(titles)) {
      const alert = (await screen.findByText(title)).closest<HTMLElement>('[role="alert"]');
      if (alert === null) throw new Error('no alert');
      alerts.add(alert);
    }
    expect(alerts.size).toBe(Object.keys(titles).length);
    expect(screen.getAllByText(elsewhere).length).toBeGreaterThan(0);
    expect(told(main)).toMatchObject(Object.keys(titles).map(() => ({ error: 'RangeError' })));
    broken.clear();
    for (const title of Object.values(titles)) {
      const alert = screen.getByText(title).closest<HTMLElement>('[role="alert"]');
      await userEvent.click(within(alert ?? document.body).getByRole('button', { name: 'Try again' }));
      await waitFor(() => expect(screen.queryByText(title)).toBeNull());
    }
  });

  it('replaces it when another one is shown', { tags: 'all' }, async () => {
    broken.add('ObjectsView');
    const main = createFakeMain({ 'app.paneFailed': () => undefined });
    render(<App client={main.client} />);
    await screen.findByText('Can’t show this list');
    await userEvent.click(screen.getByRole('link', { name: 'Settings' }));
    expect(await screen.findByRole('heading', { name: 'Settings' })).toBeTruthy();
    broken.clear();
    await userEvent.click(screen.getByRole('link', { name: 'All objects' }));
    expect(await screen.findByText('Nothing in this list yet')).toBeTruthy();
  });

  it('logs the location in the code, never the content, and offers to show the log', async () => {
    broken.add('ObjectsView');
    const main = createFakeMain({ 'app.paneFailed': () => undefined, 'app.open': () => undefined });
    const { container } = render(<App client={main.client} />);
    const alert = (await screen.findByText('Can’t show this list')).closest<HTMLElement>('[role="alert"]');
    if (alert === null) throw new Error('no alert');
    await expectAccessible(container);
    expect(told(main)).toEqual([
      { pane: 'list', error: 'RangeError', frames: expect.arrayContaining([expect.stringMatching(/^at /)]) },
    ]);
    expect(JSON.stringify(told(main)) + document.body.textContent).not.toContain('s3cr3t');
    await userEvent.click(within(alert).getByRole('button', { name: 'Show the log' }));
    expect(main.calls.at(-1)).toEqual({ name: 'app.open', input: { what: 'log' } });
  });

  it('retries automatically for other content', () => {
    let isBroken = true;
    const Bomb = () => {
      if (isBroken) throw new Error('broken');
      return 'drawn';
    };
    const { client } = createFakeMain({ 'app.paneFailed': () => undefined });
    const pane = (of: number) => (
      <AppProvider client={client} features={features}>
        <Pane name="details" of={of}>
          <Bomb />
        </Pane>
      </AppProvider>
    );
    const { rerender } = render(pane(1));
    isBroken = false;
    rerender(pane(1));
    expect(screen.getByText('Can’t show the details')).toBeTruthy();
    rerender(pane(2));
    expect(screen.getByText('drawn')).toBeTruthy();
  });

  it('a dialog can be closed', async () => {
    let isOpen = true;
    const Bomb = () => {
      if (isOpen) throw new Error('broken');
      return 'closed';
    };
    const { user } = renderInApp(
      <DialogPane onClose={() => (isOpen = false)}>
        <Bomb />
      </DialogPane>,
      { 'app.paneFailed': () => undefined },
    );
    expect(screen.getByRole('alertdialog', { name: 'Can’t show this' })).toBeTruthy();
    await user.keyboard('{Escape}');
    expect(await screen.findByText('closed')).toBeTruthy();
  });
});
