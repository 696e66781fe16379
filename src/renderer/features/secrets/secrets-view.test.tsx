import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ObjectRow } from '../../../shared/contract.ts';
import type { Transfer } from '../../../shared/domain/transfer.ts';
import type { ClipboardState, SecretValue } from '../../../shared/domain/secret.ts';
import { AppFailure } from '../../../shared/app-failure.ts';
import { runCommand } from '../../app/commands.ts';
import { useDock } from '../../app/dock.ts';
import { usePlace } from '../../app/place.ts';
import {
  type Answers,
  expectAccessible,
  type FakeMain,
  renderInApp,
  testTransfer,
  testObject,
  testTask,
} from '../../../../test-support/renderer/testing.tsx';
import { LiveRegions } from '../../ui/announce.tsx';
import { AddKnown } from '../objects/AddKnownDialog.tsx';
import { useBrowser } from '../objects/state/browser-store.ts';
import { ClipboardLine } from './ClipboardLine.tsx';
import { SecretsView } from './SecretsView.tsx';

const value = 'tin otter lantern harbour quill 52';

function makeRow(id: number, identifier: string, more: Partial<ObjectRow> = {}): ObjectRow {
  return {
    ...testObject,
    id,
    identifier,
    kind: 'secret',
    lengthBytes: 34,
    classification: 'Restricted',
    storedAtMs: 1_700_000_000_000,
    ...more,
  };
}

const rows = [
  makeRow(1, 'api/maps-key'),
  makeRow(2, 'backups/archive-passphrase'),
  makeRow(3, 'ci/deploy-key', { state: 'uploading', storedAtMs: null }),
  makeRow(4, 'ci/registry-token', { state: 'unknown', storedAtMs: null, classification: null }),
];

const answers: Answers = {
  'objects.page': ({ query: { kind, search } }) => {
    const found = kind === 'secret' && search === '' ? rows : [];
    return { revision: 1, total: found.length, totalBytes: 0, offset: 0, rows: found };
  },
  'objects.get': ({ id }) => ({
    object: makeRow(id, rows[id - 1]?.identifier ?? ''),
    history: [],
    failure: null,
  }),
  'secrets.reveal': (): SecretValue => ({ kind: 'text', text: value, lengthBytes: value.length }),
  'secrets.stop': () => undefined,
};

beforeEach(() => {
  usePlace.setState({ ...usePlace.getInitialState(), kind: 'secret' }, true);
  useBrowser.setState(useBrowser.getInitialState(), true);
  // jsdom has no layout.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(640);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(900);
});
afterEach(() => vi.useRealTimers());

function SecretsWithAddKnown() {
  return (
    <>
      <SecretsView />
      <AddKnown serviceId="p1" />
    </>
  );
}

async function renderView(more: Answers = {}) {
  const app = renderInApp(
    <>
      <SecretsView />
      <ClipboardLine />
      <LiveRegions />
    </>,
    { ...answers, ...more },
  );
  const grid = await screen.findByRole('grid', { name: 'Secrets' });
  await screen.findByRole('row', { name: /^api\/maps-key/ });
  return { ...app, grid };
}

const rowOf = (identifier: string) => screen.getByRole('row', { name: new RegExp(`^${identifier}`) });
const buttonOf = (identifier: string, name: string) =>
  within(rowOf(identifier)).getByRole('button', { name });

/** All text and field values of the page, any of which could leak the secret. */
function pageContent(): string {
  const fields = [...document.querySelectorAll('input, textarea')];
  const typed = fields.map((field) => (field as HTMLInputElement | HTMLTextAreaElement).value);
  const { outerHTML, textContent } = document.documentElement;
  return [outerHTML, textContent, ...typed].join('\n');
}

async function revealAndShow(more: Answers = {}) {
  const app = await renderView(more);
  await app.user.click(buttonOf('backups/archive-passphrase', 'Reveal'));
  const hide = await screen.findByRole('button', { name: 'Hide' });
  expect(screen.getByRole('textbox', { name: 'Value of backups/archive-passphrase' }).textContent).toBe(
    value,
  );
  return { ...app, hide };
}

function expectHidden() {
  expect(screen.queryByRole('button', { name: 'Hide' })).toBeNull();
  expect(pageContent()).not.toContain(value);
}

describe('secrets', () => {
  it('lists them with what is known, and offers nothing that the service cannot do', async () => {
    const { container } = await renderView();
    expect(screen.getByRole('heading', { name: 'Secrets' })).toBeTruthy();
    expect(screen.getByRole('button', { name: 'New secret' })).toBeTruthy();
    expect(screen.getByRole('searchbox', { name: 'Search secrets' })).toBeTruthy();
    const heads = screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
    expect(heads).toEqual(['Name', 'Classification', 'Size', 'Date stored', 'Last used']);
    expect(rowOf('api/maps-key').getAttribute('aria-label')).toBe('api/maps-key, Restricted, 34 B, Stored');
    expect(rowOf('api/maps-key').textContent).toContain('Never');
    // Stored shows the state; Last used only shows uses.
    const cells = (identifier: string) =>
      within(rowOf(identifier))
        .getAllByRole('gridcell')
        .map(({ textContent }) => textContent);
    expect(cells('backups/archive-passphrase').at(-2)).toMatch(/2023/);
    expect(cells('ci/registry-token').slice(-2)).toEqual(['Unchecked', expect.stringContaining('Never')]);
    expect(within(rowOf('ci/deploy-key')).queryByRole('button')).toBeNull();
    expect(screen.queryByRole('button', { name: /delete|replace/i })).toBeNull();
    await expectAccessible(container);
  });

  it('shows a value at once, and takes it away after Hide', async () => {
    const { user, hide, grid, container } = await revealAndShow();
    await expectAccessible(container);
    expect(screen.queryByRole('button', { name: 'Cover' })).toBeNull();
    await user.click(hide);
    expectHidden();
    expect(document.activeElement).toBe(grid);
  });

  it('tells the digits and symbols of a value from its letters', async () => {
    const { user } = await renderView({
      'secrets.reveal': () => ({ kind: 'text', text: 'O0-l1 Zoë', lengthBytes: 10 }),
    });
    await user.click(buttonOf('api/maps-key', 'Reveal'));
    const shown = await screen.findByRole('textbox', { name: 'Value of api/maps-key' });
    expect(shown.textContent).toBe('O0-l1 Zoë');
    const told = [...shown.children].map(({ className, textContent }) => [className, textContent]);
    expect(told).toEqual([
      ['secret__digit', '0'],
      ['secret__symbol', '-'],
      ['secret__digit', '1'],
    ]);
  });

  it('reveals with Enter, Space and a double-click, and hides with the next one', async () => {
    const { user, grid } = await renderView();
    const name = 'Value of backups/archive-passphrase';
    const shown = async () => (await screen.findByRole('textbox', { name })).textContent;
    act(() => grid.focus());
    await user.keyboard('{ArrowDown}{Enter}');
    expect(await shown()).toBe(value);
    await user.keyboard('{Enter}');
    expectHidden();
    await user.keyboard(' ');
    expect(await shown()).toBe(value);
    // The arrow keys go on in the list.
    await user.keyboard('{ArrowUp} ');
    await screen.findByRole('textbox', { name: 'Value of api/maps-key' });
    await user.keyboard(' ');
    expectHidden();
    await user.dblClick(within(rowOf('backups/archive-passphrase')).getByText(/archive-passphrase/));
    expect(await shown()).toBe(value);
    await user.dblClick(within(rowOf('backups/archive-passphrase')).getByText(/archive-passphrase/));
    expectHidden();
  });

  it('shows details of a secret that has no value yet on Enter', async () => {
    const { user, main, grid } = await renderView();
    act(() => grid.focus());
    await user.keyboard('{ArrowDown}{ArrowDown}{Enter}');
    expect(useDock.getState().tab).toBe('details');
    await user.keyboard('{Control>}c{/Control}');
    expect(main.calls.filter(({ name }) => /^secrets\.(reveal|copy)$/.test(name))).toEqual([]);
  });

  it('copies the value with Ctrl+C, from the list and from a shown value, and the identifier with Shift', async () => {
    const { main, user, grid } = await renderView({
      'secrets.copy': ({ id }) => ({ objectId: id, clearsAtMs: Date.now() + 45_000, waitsForFocus: false }),
      'objects.copyIdentifiers': () => ({ count: 1 }),
    });
    const copied = (name: string) =>
      main.calls.filter((call) => call.name === name).map(({ input }) => input);
    act(() => grid.focus());
    await user.keyboard('{ArrowDown}{Control>}c{/Control}');
    await waitFor(() => expect(copied('secrets.copy')).toEqual([{ id: 2 }]));
    await user.keyboard('{Enter}');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Hide' })));
    await user.keyboard('{Control>}c{/Control}');
    await waitFor(() => expect(copied('secrets.copy')).toEqual([{ id: 2 }, { id: 2, revealed: value }]));
    act(() => screen.getByRole('textbox', { name: /^Value of/ }).focus());
    await user.keyboard('{Control>}c{/Control}');
    await waitFor(() => expect(copied('secrets.copy')).toHaveLength(3));
    expect(copied('objects.copyIdentifiers')).toEqual([]);
    await user.keyboard('{Control>}{Shift>}C{/Shift}{/Control}');
    await waitFor(() => expect(copied('objects.copyIdentifiers')).toHaveLength(1));
  });

  it('copies no value while several secrets are selected', async () => {
    const { main, user, grid } = await renderView();
    act(() => grid.focus());
    await user.keyboard('{Shift>}{ArrowDown}{/Shift}{Control>}c{/Control}');
    await screen.findByText('Select one secret to copy its value');
    expect(main.calls.some(({ name }) => name === 'secrets.copy')).toBe(false);
  });

  it('copies a shown value without asking the service again', async () => {
    const { main, user } = await revealAndShow({
      'secrets.copy': () => ({ objectId: 2, clearsAtMs: Date.now() + 45_000, waitsForFocus: false }),
    });
    await user.click(buttonOf('backups/archive-passphrase', 'Copy value'));
    await waitFor(() =>
      expect(main.calls).toContainEqual({ name: 'secrets.copy', input: { id: 2, revealed: value } }),
    );
    expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull();
  });

  it('takes a value away after thirty seconds', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    let revealedAtMs = 0;
    await revealAndShow({
      'secrets.reveal': () => {
        revealedAtMs = Date.now();
        return { kind: 'text', text: value, lengthBytes: value.length };
      },
    });
    // Relative to the reveal: a busy machine may render seconds later.
    const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(revealedAtMs + ms - Date.now()));
    await pass(27_000);
    expect(pageContent()).toContain(value);
    expect(screen.getByText(/Hides in [1-3] s/)).toBeTruthy();
    await pass(30_500);
    expectHidden();
  });

  it('hides a value when the window is left in any way, on Escape, and when the place changes', async () => {
    const { main, user, unmount } = await revealAndShow();
    const again = async () => {
      await user.click(buttonOf('api/maps-key', 'Reveal'));
      await screen.findByRole('button', { name: 'Hide' });
      expect(pageContent()).toContain(value);
    };
    act(() => void window.dispatchEvent(new Event('blur')));
    expectHidden();
    await again();
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    expectHidden();
    await again();
    act(() => main.emit('secrets.hide', undefined));
    expectHidden();
    await again();
    await user.keyboard('{Escape}');
    expectHidden();
    await again();
    unmount();
    expectHidden();
  });

  it('shows progress while reading, can be cancelled, and ignores a late value', async () => {
    const { promise, resolve } = Promise.withResolvers<SecretValue>();
    const read = (state: Transfer['state']) => {
      const transfer = { ...testTransfer, direction: 'download', state, waitingFor: null } as const;
      return [makeRow(1, 'api/maps-key', { transfer })];
    };
    let shown = [makeRow(1, 'api/maps-key')];
    const { main, user } = await renderView({
      'secrets.reveal': () => promise,
      'objects.page': () => ({ revision: 1, total: 1, totalBytes: 0, offset: 0, rows: shown }),
    });
    const tell = () => act(() => main.emit('objects.changed', { serviceId: 'p1', revision: 2 }));
    await user.click(buttonOf('api/maps-key', 'Reveal'));
    await waitFor(() => expect(rowOf('api/maps-key').textContent).toContain('Starting'));
    shown = read('processing');
    tell();
    await waitFor(() => expect(rowOf('api/maps-key').textContent).toContain('Processing'));
    shown = read('downloading');
    tell();
    await waitFor(() => expect(rowOf('api/maps-key').textContent).toContain('Fetching'));
    await user.click(buttonOf('api/maps-key', 'Cancel'));
    const stops = () => main.calls.filter(({ name }) => name === 'secrets.stop').map(({ input }) => input);
    expect(stops()).toEqual([{ id: 1 }]);
    await act(async () => resolve({ kind: 'text', text: value, lengthBytes: 34 }));
    expectHidden();
  });

  it('stops loading a value when the place changes', async () => {
    const { main, user, unmount } = await renderView({
      'secrets.reveal': () => new Promise<SecretValue>(() => {}),
    });
    await user.click(buttonOf('api/maps-key', 'Reveal'));
    unmount();
    expect(main.calls.at(-1)).toEqual({ name: 'secrets.stop', input: { id: 1 } });
  });

  it.each([
    ['the focus is lost', (_main: FakeMain) => void window.dispatchEvent(new Event('blur'))],
    ['it is not seen', (_main: FakeMain) => void document.dispatchEvent(new Event('visibilitychange'))],
    ['the screen is locked', ({ emit }: FakeMain) => emit('secrets.hide', undefined)],
  ])('ends what is being revealed when %s, and takes nothing that comes later', async (_when, leave) => {
    const { promise, resolve } = Promise.withResolvers<SecretValue>();
    const { main, user } = await renderView({
      'secrets.reveal': ({ id }) =>
        id === 1 ? promise : { kind: 'text', text: 'another value', lengthBytes: 13 },
      'secrets.copy': () =>
        promise.then(() => ({ objectId: 2, clearsAtMs: Date.now() + 45_000, waitsForFocus: false })),
    });
    await user.click(buttonOf('backups/archive-passphrase', 'Copy value'));
    await user.click(buttonOf('api/maps-key', 'Reveal'));
    act(() => leave(main));
    act(() => leave(main));
    // Copying does not show the value, and the person may leave the window meanwhile.
    expect(main.calls.filter(({ name }) => name === 'secrets.stop')).toEqual([
      { name: 'secrets.stop', input: { id: 1 } },
    ]);
    await screen.findByText('You left this window before the value arrived, so it wasn’t revealed');
    await act(async () => resolve({ kind: 'text', text: value, lengthBytes: 34 }));
    expectHidden();
    await waitFor(() => expect(buttonOf('api/maps-key', 'Reveal')).toBeTruthy());
    await user.click(buttonOf('ci/registry-token', 'Reveal'));
    await screen.findByRole('button', { name: 'Hide' });
  });

  it('shows binary values in hexadecimal, and does not offer to copy them', async () => {
    const { user } = await renderView({
      'secrets.reveal': () => ({ kind: 'binary', hex: '00ff'.repeat(10), lengthBytes: 20 }),
    });
    await user.click(buttonOf('api/maps-key', 'Reveal'));
    const shown = await screen.findByRole('textbox', { name: 'Value of api/maps-key' });
    expect(shown.textContent?.split('\n')[1]).toBe('00000010  00 ff 00 ff');
    expect(screen.getByText(/Not text, 20 bytes/)).toBeTruthy();
    const copy = buttonOf('api/maps-key', 'Copy value') as HTMLButtonElement;
    expect(copy.disabled).toBe(true);
  });

  it('copies without showing the value, and announces for how long and when it is cleared', async () => {
    const none: ClipboardState = { objectId: null, clearsAtMs: null, waitsForFocus: false };
    let state = none;
    const { main, user } = await renderView({
      'secrets.copy': () => (state = { objectId: 2, clearsAtMs: Date.now() + 45_000, waitsForFocus: false }),
      'secrets.clipboard': () => state,
      'secrets.clearClipboard': () => {
        state = none;
        return undefined;
      },
    });
    await user.click(buttonOf('backups/archive-passphrase', 'Copy value'));
    act(() => main.emit('secrets.clipboardChanged', state));
    await screen.findByText(/^copied · clears in \d+ s$/);
    expect(rowOf('backups/archive-passphrase').textContent).toContain('Copied');
    await user.click(screen.getByRole('button', { name: 'Clear now' }));
    act(() => main.emit('secrets.clipboardChanged', state));
    await waitFor(() =>
      expect(screen.getByRole('status', { name: 'Messages' }).textContent).toContain(
        'Cleared from the clipboard',
      ),
    );
    expect(rowOf('backups/archive-passphrase').textContent).not.toContain('Copied');
    expect(pageContent()).not.toContain(value);
  });

  it('says that a value waits for the window to be in front, not that it was cleared', async () => {
    const held: ClipboardState = { objectId: 2, clearsAtMs: Date.now(), waitsForFocus: true };
    await renderView({ 'secrets.clipboard': () => held });
    await screen.findByText(
      'Stays on the clipboard until this window is in front: backups/archive-passphrase',
    );
    expect(screen.queryByText(/Cleared/)).toBeNull();
  });

  it('says so of an invitation to a team too', async () => {
    const none: ClipboardState = { objectId: null, clearsAtMs: null, waitsForFocus: false };
    let state: ClipboardState = { ...none, clearsAtMs: Date.now() + 45_000 };
    const { main } = await renderView({ 'secrets.clipboard': () => state });
    await screen.findByText(/^Invitation copied · clears in \d+ s$/);
    state = { ...state, waitsForFocus: true };
    act(() => main.emit('secrets.clipboardChanged', state));
    await screen.findByText('The invitation stays on the clipboard until this window is in front');
    state = none;
    act(() => main.emit('secrets.clipboardChanged', state));
    await waitFor(() =>
      expect(screen.getByRole('status', { name: 'Messages' }).textContent).toContain(
        'Cleared from the clipboard',
      ),
    );
  });

  it('warns before it saves, with the keyboard on Cancel', async () => {
    const { main, user } = await renderView({ 'secrets.saveAs': () => ({ fileName: 'maps-key' }) });
    await user.click(buttonOf('api/maps-key', 'Save as…'));
    const warning = screen.getByRole('alertdialog', { name: 'Save the value as a file?' });
    expect(document.activeElement).toBe(within(warning).getByRole('button', { name: 'Cancel' }));
    expect(warning.textContent).toContain('unencrypted');
    await expectAccessible(document.body);
    await user.click(within(warning).getByRole('button', { name: 'Save as…' }));
    await screen.findByText('Saved as maps-key, unencrypted');
    expect(main.calls.findLast(({ name }) => name === 'secrets.saveAs')?.input).toEqual({ id: 1 });
  });

  it('works with the keyboard alone', async () => {
    const { user, grid } = await renderView();
    act(() => grid.focus());
    await user.keyboard('{ArrowDown}{ArrowRight}');
    expect(document.activeElement).toBe(buttonOf('backups/archive-passphrase', 'Reveal'));
    await user.keyboard('{Tab}');
    expect(document.activeElement).toBe(buttonOf('backups/archive-passphrase', 'Copy value'));
    await user.keyboard('{ArrowLeft}');
    expect(document.activeElement).toBe(grid);
    await user.keyboard('{ArrowRight}{Enter}');
    const show = await screen.findByRole('button', { name: 'Hide' });
    await waitFor(() => expect(document.activeElement).toBe(show));
    expect(pageContent()).toContain(value);
    await user.keyboard('{Escape}');
    expectHidden();
    expect(document.activeElement).toBe(grid);
    await user.keyboard('{Shift>}{F10}{/Shift}');
    const entries = await screen.findAllByRole('menuitem');
    expect(entries.map((entry) => entry.querySelector('.menu__label')?.textContent)).toEqual([
      'Reveal',
      'Copy value',
      'Save as…',
      'New version…',
      'Show details',
      'Copy identifier',
    ]);
  });

  it('shows a failure, and stays usable', async () => {
    const { user } = await renderView({
      'secrets.reveal': () => {
        throw new AppFailure({ code: 'missing', status: 404 });
      },
    });
    await user.click(buttonOf('api/maps-key', 'Reveal'));
    await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('Not found'));
    expect(buttonOf('api/maps-key', 'Reveal')).toBeTruthy();
  });

  it("takes the focus when the first secret removes the empty list's button", async () => {
    let found: ObjectRow[] = [];
    const { main } = renderInApp(<SecretsView />, {
      ...answers,
      'objects.page': () => ({ revision: 1, total: found.length, totalBytes: 0, offset: 0, rows: found }),
    });
    const [button] = await screen.findAllByRole('button', { name: 'New secret' });
    await screen.findByText('No secrets yet');
    button?.focus();
    found = rows;
    act(() => main.emit('objects.changed', { serviceId: 'p1', revision: 2 }));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('grid', { name: 'Secrets' })));
  });

  it('offers two ways to begin, and adds known secrets by identifier', async () => {
    const { main, user } = renderInApp(<SecretsWithAddKnown />, {
      'objects.addKnown': () => ({ ...testTask, kind: 'addKnown', total: 2 }),
    });
    await screen.findByText(/Keep passwords, keys and small files/);
    expect(screen.getAllByRole('button', { name: 'New secret' })).toHaveLength(1);
    expect(runCommand('addKnown')).toBe(true);
    await user.click(await screen.findByRole('textbox', { name: 'Identifiers' }));
    await user.keyboard('a/b{Enter}c');
    await user.click(screen.getByRole('button', { name: 'Add 2 secrets' }));
    await waitFor(() =>
      expect(main.calls.findLast(({ name }) => name === 'objects.addKnown')?.input).toEqual({
        serviceId: 'p1',
        kind: 'secret',
        identifiers: ['a/b', 'c'],
      }),
    );
  });
});
