import { EventEmitter } from 'node:events';
import { symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Log } from '../ports.ts';
import { makeTestFolder } from '../../../test-support/main/test-ports.ts';
import { appId, toastActivatorClsid } from '../identity.ts';
import {
  findForeignLock,
  findUnwritableFolder,
  isOnlyInstance,
  prepareApp,
  quitAfter,
  quitOnSignals,
} from './lifecycle.ts';

const app = vi.hoisted(() => ({ current: null as unknown as EventEmitter & { quit: () => void } }));
vi.mock('electron', () => ({
  get app() {
    return app.current;
  },
}));

/** Like Electron's: `quit` emits before-quit and continues unless prevented. */
let ended = 0;
beforeEach(() => {
  vi.useFakeTimers();
  ended = 0;
  const emitter = new EventEmitter();
  const quit = () => {
    let isPrevented = false;
    emitter.emit('before-quit', { preventDefault: () => (isPrevented = true) });
    if (!isPrevented) ended += 1;
  };
  app.current = Object.assign(emitter, { quit });
});
afterEach(() => {
  vi.useRealTimers();
});
const log = { info: vi.fn<Log['info']>(), warn: vi.fn<Log['warn']>(), error: vi.fn<Log['error']>() };

const onEnd = vi.fn<() => void>();

test('tells the first of a later start, and it shows its window', () => {
  const told: (readonly string[])[] = [];
  const start = (isFirst: boolean) => {
    Object.assign(app.current, { requestSingleInstanceLock: () => isFirst });
    return isOnlyInstance((words) => told.push(words));
  };
  expect([start(true), start(false)]).toEqual([true, false]);
  app.current.emit('second-instance', {}, ['coffer-desktop', 'coffer://object']);
  expect(told).toEqual([['coffer-desktop', 'coffer://object']]);
});

test('quitting waits for close, once', async () => {
  let finish = () => undefined as void;
  const close = vi.fn<() => Promise<void>>(() => new Promise((resolve) => (finish = resolve)));
  quitAfter(async () => true, close, onEnd, log);
  app.current.emit('window-all-closed');
  app.current.quit();
  await vi.advanceTimersByTimeAsync(1_000);
  expect([close.mock.calls.length, ended, onEnd.mock.calls.length]).toEqual([1, 0, 0]);
  finish();
  await vi.advanceTimersByTimeAsync(0);
  expect([close.mock.calls.length, ended, onEnd.mock.calls.length]).toEqual([1, 1, 1]);
});

test.each([
  ['takes too long', () => new Promise<void>(() => undefined)],
  ['fails', () => Promise.reject(new Error('broken'))],
])('a close that %s is logged, and does not keep the program', async (_how, close) => {
  log.error.mockClear();
  quitAfter(async () => true, close, onEnd, log);
  app.current.quit();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(ended).toBe(1);
  expect(log.error).toHaveBeenCalledOnce();
});

test('what is not agreed to does not happen, and can be asked for again', async () => {
  const close = vi.fn<() => Promise<void>>(async () => undefined);
  let isAgreed = false;
  quitAfter(async () => isAgreed, close, onEnd, log);
  app.current.quit();
  await vi.advanceTimersByTimeAsync(0);
  expect([close.mock.calls.length, ended]).toEqual([0, 0]);
  isAgreed = true;
  app.current.quit();
  await vi.advanceTimersByTimeAsync(0);
  expect([close.mock.calls.length, ended]).toEqual([1, 1]);
});

test('SIGTERM and SIGHUP end it in order, without a question', async () => {
  const close = vi.fn<() => Promise<void>>(async () => undefined);
  let isAgreed = false;
  quitAfter(async () => isAgreed, close, onEnd, log);
  const listeners = new Map<string | symbol, () => void>();
  vi.spyOn(process, 'on').mockImplementation((signal, listener) => {
    listeners.set(signal, listener as () => void);
    return process;
  });
  quitOnSignals(() => (isAgreed = true));
  vi.restoreAllMocks();
  expect([...listeners.keys()]).toEqual(['SIGTERM', 'SIGHUP']);
  listeners.get('SIGHUP')?.();
  await vi.advanceTimersByTimeAsync(0);
  expect([close.mock.calls.length, ended]).toEqual([1, 1]);
});

test('makes a data folder that can be written, and leaves nothing in it', async () => {
  const folder = join(await makeTestFolder(), 'data');
  app.current = Object.assign(app.current, { getPath: () => folder });
  expect(findUnwritableFolder()).toBe(null);
  expect(await readdir(folder)).toEqual([]);
});

// Electron's `requestSingleInstanceLock` would return false then, as if another instance ran.
describe('a data folder is found before the lock, if it', () => {
  const find = (folder: string) => {
    app.current = Object.assign(app.current, { getPath: () => folder });
    return findUnwritableFolder();
  };

  // In this one nobody, not even root, can make a file.
  test.runIf(process.platform === 'linux')('takes nothing', () => {
    expect(find('/proc')).toEqual({ kind: 'unwritable', folder: '/proc', code: 'ENOENT' });
  });

  test.each([
    ['cannot be made', async () => join(file(await makeTestFolder()), 'data'), 'ENOTDIR'],
    ['is a file', async () => file(await makeTestFolder()), 'EEXIST'],
  ])('%s', async (_what, make, code) => {
    const folder = await make();
    expect(find(folder)).toEqual({ kind: 'unwritable', folder, code });
  });
});

test.skipIf(process.platform === 'win32')('tells a lock of another computer from one of this', async () => {
  const folder = await makeTestFolder();
  app.current = Object.assign(app.current, { getPath: () => folder });
  expect(findForeignLock()).toBe(null);
  const lock = join(folder, 'SingletonLock');
  symlinkSync(`${hostname()}-4711`, lock);
  expect(findForeignLock()).toBe(null);
  unlinkSync(lock);
  symlinkSync('old-name.lan-4711', lock);
  expect(findForeignLock()).toEqual({ kind: 'elsewhere', host: 'old-name.lan', lock });
});

function file(folder: string): string {
  const path = join(folder, 'file');
  writeFileSync(path, '');
  return path;
}

describe('before ready', () => {
  const platform = Object.getOwnPropertyDescriptor(process, 'platform') ?? {};
  afterEach(() => {
    Object.defineProperty(process, 'platform', platform);
    vi.restoreAllMocks();
  });

  /** Electron's app with these switches; returns the calls made on it. */
  async function prepare(
    switches: Record<string, string>,
    options = { isPackaged: false, isWindows: false },
  ) {
    const folder = await makeTestFolder();
    const calls: unknown[][] = [];
    const note =
      (name: string) =>
      (...args: unknown[]) =>
        void calls.push([name, ...args]);
    if (options.isWindows) Object.defineProperty(process, 'platform', { value: 'win32' });
    const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    app.current = Object.assign(app.current, {
      isPackaged: options.isPackaged,
      enableSandbox: note('enableSandbox'),
      setAppUserModelId: note('setAppUserModelId'),
      setToastActivatorCLSID: note('setToastActivatorCLSID'),
      setPath: note('setPath'),
      getPath: () => folder,
      commandLine: {
        hasSwitch: (name: string) => name in switches,
        getSwitchValue: (name: string) => switches[name] ?? '',
        removeSwitch: note('removeSwitch'),
      },
    });
    return { ...prepareApp(), calls, folder, said };
  }

  test('sandboxes every renderer', async () => {
    expect(await prepare({})).toMatchObject({ calls: [['enableSandbox']], notes: [] });
  });

  // app.enableSandbox would remove the switch, and as root Chromium would exit at once.
  test('does not with --no-sandbox, and logs that', async () => {
    const { calls, notes, said } = await prepare({ 'no-sandbox': '' });
    expect([calls, notes]).toEqual([[], [expect.stringContaining('without the sandbox')]]);
    expect(said).toHaveBeenCalledOnce();
  });

  test('an installed program opens no debugger', async () => {
    const { calls } = await prepare({ 'remote-debugging-port': '0' }, { isPackaged: true, isWindows: false });
    expect(calls).toContainEqual(['removeSwitch', 'remote-debugging-port']);
    expect(calls).toContainEqual(['removeSwitch', 'remote-debugging-pipe']);
    expect((await prepare({ 'remote-debugging-port': '0' })).calls).not.toContainEqual([
      'removeSwitch',
      'remote-debugging-port',
    ]);
  });

  test('Windows knows an installed program by its identifiers, and an unpackaged one as another', async () => {
    const installed = await prepare({}, { isPackaged: true, isWindows: true });
    expect(installed.calls).toContainEqual(['setAppUserModelId', appId]);
    expect(installed.calls).toContainEqual(['setToastActivatorCLSID', toastActivatorClsid]);
    const unpackaged = await prepare({}, { isPackaged: false, isWindows: true });
    expect(unpackaged.calls).toContainEqual(['setAppUserModelId', `${appId}.Development`]);
  });

  test('makes a folder of user data, and uses it', async () => {
    const folder = join(await makeTestFolder(), 'made');
    expect((await prepare({ 'user-data-dir': folder })).calls).toContainEqual([
      'setPath',
      'userData',
      folder,
    ]);
  });

  test('says that a folder of user data cannot be made, and does not use it', async () => {
    const folder = join(file(await makeTestFolder()), 'data');
    const { problem, calls } = await prepare({ 'user-data-dir': folder });
    expect(problem).toEqual({ kind: 'unwritable', folder, code: 'ENOTDIR' });
    expect(calls).toEqual([['enableSandbox']]);
  });
});
