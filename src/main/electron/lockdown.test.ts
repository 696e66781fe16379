import { EventEmitter } from 'node:events';
import { beforeEach, expect, test, vi } from 'vitest';
import { lockDown, refuseSpellChecker } from './lockdown.ts';

const shell = vi.hoisted(() => ({
  session: [] as unknown[][],
  onContents: (_contents: unknown): void => undefined,
}));
const note = vi.hoisted(
  () =>
    (name: string) =>
    (...args: unknown[]) =>
      void shell.session.push([name, ...args]),
);
vi.mock('electron', () => ({
  app: {
    on: (_event: string, listener: (event: unknown, contents: unknown) => void) => {
      shell.onContents = (contents) => listener({}, contents);
    },
  },
  session: {
    defaultSession: {
      setSpellCheckerEnabled: note('setSpellCheckerEnabled'),
      setSpellCheckerDictionaryDownloadURL: note('setSpellCheckerDictionaryDownloadURL'),
      setPermissionRequestHandler: note('setPermissionRequestHandler'),
      setPermissionCheckHandler: note('setPermissionCheckHandler'),
      setDevicePermissionHandler: note('setDevicePermissionHandler'),
    },
  },
}));

beforeEach(() => {
  shell.session = [];
});

test('fetches no dictionaries: the spell checker is off, and its address cannot be reached', () => {
  refuseSpellChecker();
  expect(shell.session).toEqual([
    ['setSpellCheckerEnabled', false],
    ['setSpellCheckerDictionaryDownloadURL', 'http://127.0.0.1:1/'],
  ]);
});

test('denies every permission, device, webview and new window', async () => {
  const asked: string[] = [];
  lockDown('app://coffer/index.html', async (url) => asked.push(url) > 0);
  const handlers = Object.fromEntries(shell.session) as Record<string, (...args: unknown[]) => unknown>;
  const answers: unknown[] = [];
  handlers['setPermissionRequestHandler']?.(null, 'media', (answer: unknown) => answers.push(answer));
  answers.push(handlers['setPermissionCheckHandler']?.(null, 'clipboard-read', 'app://coffer'));
  answers.push(handlers['setDevicePermissionHandler']?.({ deviceType: 'usb' }));
  expect(answers).toEqual([false, false, false]);

  let openWindow = (_details: unknown): unknown => undefined;
  const contents = Object.assign(new EventEmitter(), {
    setWindowOpenHandler: (handler: typeof openWindow) => (openWindow = handler),
  });
  shell.onContents(contents);
  let isPrevented = false;
  contents.emit('will-attach-webview', { preventDefault: () => (isPrevented = true) });
  expect(isPrevented).toBe(true);
  expect(openWindow({ url: 'https://example.org/' })).toEqual({ action: 'deny' });
  expect(asked).toEqual(['https://example.org/']);
});

test('a page may load itself again and go nowhere else', () => {
  lockDown('app://coffer/index.html', async () => false);
  const contents = Object.assign(new EventEmitter(), { setWindowOpenHandler: () => undefined });
  shell.onContents(contents);
  const isLet = (name: string, url: string, isMainFrame = true) => {
    let isPrevented = false;
    contents.emit(name, { url, isMainFrame, preventDefault: () => (isPrevented = true) });
    return !isPrevented;
  };
  for (const name of ['will-navigate', 'will-frame-navigate']) {
    expect(isLet(name, 'app://coffer/index.html')).toBe(true);
    expect(isLet(name, 'app://coffer/index.html#part')).toBe(true);
    expect(isLet(name, 'app://coffer/index.html', false)).toBe(false);
    for (const url of ['app://coffer/preview/x', 'https://example.org/', 'about:blank', 'no address'])
      expect([url, isLet(name, url)]).toEqual([url, false]);
  }
  expect(isLet('will-redirect', 'app://coffer/index.html')).toBe(false);
});
