import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import type { BrowserWindow } from 'electron';
import { beforeEach, expect, test, vi } from 'vitest';
import { createTestLog, makeTestFolder } from '../../../test-support/main/test-ports.ts';
import { readJsonFile, writeJsonFile } from './json-file.ts';
import { focusWindow, hideWindow, openWindow } from './window.ts';

const shell = vi.hoisted(() => ({
  calls: [] as string[],
  press: 0,
  questions: 0,
  quits: 0,
  window: null as unknown,
  options: {} as Record<string, unknown>,
  platform: 'x11',
}));

/** Like Electron's window: emits `show`, and `maximize` shows too. */
class Window extends EventEmitter {
  webContents = Object.assign(new EventEmitter(), { reload: () => shell.calls.push('reload') });
  isShown = false;
  full = false;
  constructor() {
    super();
    shell.window = this;
  }
  #appear(how: string): void {
    shell.calls.push(how);
    if (!this.isShown) this.emit('show');
    this.isShown = true;
  }
  show = () => this.#appear('show');
  maximize = () => this.#appear('maximize');
  hide = () => {
    shell.calls.push('hide');
    this.isShown = false;
  };
  loadURL = async (url: string) => void shell.calls.push(`load ${url}`);
  isVisible = () => this.isShown;
  isGone = false;
  isDestroyed = () => this.isGone;
  getNormalBounds = () => ({ x: 0, y: 0, width: 1100, height: 800 });
  isMaximized = () => false;
  isFullScreen = () => this.full;
  isMinimized = () => false;
  focus = () => shell.calls.push('focus');
  setFullScreen = (full: boolean) => shell.calls.push(`setFullScreen ${full}`);
}
vi.mock('electron', () => ({
  app: {
    quit: () => (shell.quits += 1),
    commandLine: { getSwitchValue: (name: string) => (name === 'ozone-platform' ? shell.platform : '') },
  },
  BrowserWindow: vi.fn<(options: Record<string, unknown>) => Window>(function make(options) {
    shell.options = options;
    return new Window();
  }),
  dialog: {
    showMessageBox: async () => {
      shell.questions += 1;
      return { response: shell.press };
    },
  },
  nativeTheme: { shouldUseDarkColors: false },
  screen: { getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }] },
}));

const settle = () => new Promise((resolve) => setImmediate(resolve));
async function open(state?: unknown): Promise<Window> {
  const stateFile = join(await makeTestFolder(), 'window.json');
  if (state !== undefined) writeJsonFile(stateFile, state);
  openWindow({ url: 'app://coffer/index.html', preload: '/preload.cjs', stateFile, log: createTestLog() });
  return shell.window as Window;
}

beforeEach(() => {
  Object.assign(shell, { platform: 'x11', calls: [], press: 0, questions: 0, quits: 0, window: null });
});

test('isolates and sandboxes the page, without Node, and loosens nothing of Chromium', async () => {
  await open();
  // All of them: `webSecurity`, `allowRunningInsecureContent`, `experimentalFeatures` and `enableBlinkFeatures` stay as Electron has them.
  expect(shell.options['webPreferences']).toEqual({
    preload: '/preload.cjs',
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    webviewTag: false,
    spellcheck: false,
  });
});

// There `ready-to-show` may never come (electron/electron#48859).
test('on Wayland the window shows at once', async () => {
  shell.platform = 'wayland';
  await open();
  expect(shell.options['show']).toBe(true);
  await open({ bounds: { width: 1100, height: 800 }, isMaximized: true });
  expect(shell.calls.at(-1)).toBe('load app://coffer/index.html');
  expect(shell.calls).toContain('maximize');
  shell.platform = 'x11';
  await open();
  expect(shell.options['show']).toBe(false);
});

// maximize: "This will also show (but not focus) the window if it isn't being displayed already."
test('a window that was maximised shows when it has painted, not before', async () => {
  const bounds = { x: 10, y: 10, width: 1000, height: 700 };
  const window = await open({ bounds, isMaximized: true });
  expect(shell.calls).toEqual(['load app://coffer/index.html']);
  window.emit('ready-to-show');
  expect(shell.calls.slice(1)).toEqual(['maximize', 'show']);
});

// getBounds: "On Wayland, this method will return `{ x: 0, y: 0, ... }`" (electron.d.ts).
test.each([
  ['wayland', { width: 1000, height: 700 }, { width: 1100, height: 800 }],
  ['x11', { x: 10, y: 10, width: 1000, height: 700 }, { x: 0, y: 0, width: 1100, height: 800 }],
])('on %s the window opens with %o, and keeps %o', async (platform, opened, kept) => {
  shell.platform = platform;
  const stateFile = join(await makeTestFolder(), 'window.json');
  writeJsonFile(stateFile, { bounds: { x: 10, y: 10, width: 1000, height: 700 }, isMaximized: false });
  openWindow({ url: 'app://coffer/index.html', preload: '/preload.cjs', stateFile, log: createTestLog() });
  const { x, y, width, height } = shell.options;
  expect({ ...(x !== undefined && { x, y }), width, height }).toEqual(opened);
  (shell.window as Window).emit('close');
  expect(readJsonFile(stateFile)).toEqual({ bounds: kept, isMaximized: false });
});

const crash = { reason: 'crashed', exitCode: 1 };

test('reloads a crashed page, and asks if it crashes again', async () => {
  const window = await open();
  window.emit('ready-to-show');
  window.webContents.emit('render-process-gone', {}, crash);
  await settle();
  expect([shell.calls.at(-1), shell.questions]).toEqual(['reload', 0]);
  window.webContents.emit('render-process-gone', {}, crash);
  window.webContents.emit('render-process-gone', {}, crash);
  await settle();
  expect([shell.calls.at(-1), shell.questions]).toEqual(['load app://coffer/index.html', 1]);
});

test('ignores a page that closes with its window', async () => {
  const window = await open();
  window.isGone = true;
  window.webContents.emit('render-process-gone', {}, { reason: 'killed', exitCode: 15 });
  expect(shell.calls).toEqual(['load app://coffer/index.html']);
});

test('shows a page that cannot be loaded as an empty one, with the choice to load it again or to quit', async () => {
  const window = await open();
  shell.press = 1;
  window.webContents.emit('did-fail-load', {}, -6, 'ERR_FILE_NOT_FOUND', 'app://coffer/index.html', true);
  await settle();
  expect([shell.calls, shell.questions, shell.quits]).toEqual([
    ['load app://coffer/index.html', 'show'],
    1,
    1,
  ]);
});

test.each([
  ['a frame', -6, false],
  ['what was aborted', -3, true],
])('%s that fails says nothing of the page', async (_what, code, isMainFrame) => {
  const window = await open();
  window.webContents.emit('did-fail-load', {}, code, '', 'app://coffer/x', isMainFrame);
  await settle();
  expect(shell.questions).toBe(0);
});

test('with a hidden window, asks only when it is shown', async () => {
  const window = await open();
  window.emit('ready-to-show');
  window.hide();
  window.webContents.emit('render-process-gone', {}, crash);
  window.webContents.emit('render-process-gone', {}, crash);
  await settle();
  expect(shell.questions).toBe(0);
  window.show();
  await settle();
  expect(shell.questions).toBe(1);
});

// The way back where no icon can be shown: starting Coffer again (`second-instance`).
test('shows a hidden window in front', async () => {
  const window = await open();
  window.emit('ready-to-show');
  hideWindow(window as unknown as BrowserWindow, () => undefined, 'linux');
  focusWindow(window as unknown as BrowserWindow);
  expect([window.isVisible(), shell.calls.slice(-2)]).toEqual([true, ['show', 'focus']]);
});

// electron/electron#39572; `leave-full-screen` is emitted at the end of the transition.
test('macOS leaves full screen before a window hides', async () => {
  const window = await open();
  window.full = true;
  const onHidden = () => shell.calls.push('hidden');
  hideWindow(window as unknown as BrowserWindow, onHidden, 'darwin');
  expect(shell.calls.slice(1)).toEqual(['setFullScreen false']);
  window.emit('leave-full-screen');
  expect(shell.calls.slice(-2)).toEqual(['hide', 'hidden']);
  hideWindow(window as unknown as BrowserWindow, onHidden, 'linux');
  expect(shell.calls.slice(-4)).toEqual(['hide', 'hidden', 'hide', 'hidden']);
});
