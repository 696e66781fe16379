import type { BrowserWindow } from 'electron';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDesktop, readPaths } from './desktop.ts';
import { licencesPath } from './licences-path.ts';

const shell = vi.hoisted(() => ({ isPackaged: false, shown: [] as string[], downloads: '' }));
vi.mock('electron', () => ({
  shell: {},
  app: {
    get isPackaged() {
      return shell.isPackaged;
    },
    getAppPath: () => '/repository',
    getPath: (name: string) =>
      ({ home: '/home/max', downloads: shell.downloads })[name] ?? `/home/max/${name}`,
  },
  Notification: class {
    static isSupported = () => true;
    readonly #title: string;
    constructor({ title }: { title: string }) {
      this.#title = title;
    }
    on = () => this;
    show = () => shell.shown.push(this.#title);
  },
}));

const platform = Object.getOwnPropertyDescriptor(process, 'platform') ?? {};
beforeEach(() => Object.assign(shell, { isPackaged: false, shown: [], downloads: '/home/max/downloads' }));
afterEach(() => {
  Object.defineProperty(process, 'platform', platform);
  vi.unstubAllGlobals();
});

function notify(window: BrowserWindow | null): void {
  const log = { info: () => undefined, warn: () => undefined };
  const desktop = createDesktop({
    getWindow: () => window,
    allowedPages: [],
    onNotificationClick: () => undefined,
    log,
  });
  desktop.notify({ title: 'Done', body: '' });
}

test.each([
  ['win32', false, []],
  ['win32', true, ['Done']],
  ['linux', false, ['Done']],
])('on %s, packaged: %s, notifications shown: %o', (system, isPackaged, expected) => {
  Object.defineProperty(process, 'platform', { value: system });
  shell.isPackaged = isPackaged;
  notify(null);
  expect(shell.shown).toEqual(expected);
});

test.each([
  [true, true, 0],
  [true, false, 1],
  [false, true, 1],
])('a window that is visible: %s and focused: %s: %d notifications', (isVisible, isFocused, count) => {
  Object.defineProperty(process, 'platform', { value: 'linux' });
  const window = { isVisible: () => isVisible, isFocused: () => isFocused } as BrowserWindow;
  notify(window);
  expect(shell.shown).toHaveLength(count);
});

// A file inside app.asar cannot be shown in a folder.
test('the licences of an installed program are beside its archive', () => {
  expect(licencesPath()).toBe('/repository/licences.txt');
  Object.defineProperty(process, 'resourcesPath', { value: '/opt/Coffer/resources', configurable: true });
  shell.isPackaged = true;
  expect(licencesPath()).toBe('/opt/Coffer/resources/licences.txt');
  Reflect.deleteProperty(process, 'resourcesPath');
});

test('without a folder for downloads they go to Downloads in the home, not beside the person’s folders', () => {
  shell.downloads = '/home/max';
  expect(readPaths({}).downloads).toBe('/home/max/Downloads');
});

test('a test can choose the folder for downloads, but not of an installed program', () => {
  const environment = { COFFER_DOWNLOADS: '/tmp/test' };
  shell.isPackaged = false;
  expect(readPaths(environment).downloads).toBe('/tmp/test');
  expect(readPaths({}).downloads).toBe('/home/max/downloads');
  shell.isPackaged = true;
  expect(readPaths(environment).downloads).toBe('/home/max/downloads');
});
