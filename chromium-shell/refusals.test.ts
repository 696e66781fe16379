import { describe, expect, test } from 'vitest';
import {
  app,
  BrowserWindow,
  dialog,
  ipcMain,
  Menu,
  nativeImage,
  nativeTheme,
  powerMonitor,
  powerSaveBlocker,
  protocol,
  screen,
  session,
  shell,
} from './electron.ts';
import { answerInvoke, deliverSend } from './ipc-main.ts';
import { takeLock } from './lock.ts';
import { parseAccelerator } from './menu.ts';
import { createSleepWatch } from './power.ts';
import { fromShown, originFromShown, toShown } from './protocol.ts';
import { requireNoDictionaries } from './session.ts';
import { WebContents } from './web-contents.ts';
import { decode, encode } from './wire.ts';

/** Reads a member that does not exist according to the types. */
const read = (object: object, name: string): unknown => Reflect.get(object, name);

// In this process the app never becomes ready.
describe('before ready', () => {
  test.each([
    ['a window', () => new BrowserWindow()],
    ['a protocol handler', () => protocol.handle('app', () => new Response())],
    ['the session', () => session.defaultSession],
    ['the screen', () => screen.getAllDisplays()],
    ['to keep the computer awake', () => powerSaveBlocker.start('prevent-app-suspension')],
  ])('%s is refused', (_what, use) => {
    expect(use).toThrow('before the app is ready');
  });
});

describe('what is not provided', () => {
  test.each([
    ['app', app, 'relaunch'],
    ['shell', shell, 'beep'],
    ['nativeTheme', nativeTheme, 'shouldUseHighContrastColors'],
    ['ipcMain', ipcMain, 'once'],
    ['Menu', Menu, 'sendActionToFirstResponder'],
  ])('%s names the member', (name, object, member) => {
    expect(() => read(object, member)).toThrow(`${name}.${member} is not provided`);
  });

  test('events that never come, and paths and values that do not exist', () => {
    expect(() => app.on('open-file', () => undefined)).toThrow(
      'the event "open-file" of app is not provided',
    );
    expect(() => app.getPath('music')).toThrow('app.getPath("music") is not provided');
    expect(() => app.setPath('userData', 'relative')).toThrow('must be absolute');
    expect(() => (nativeTheme.themeSource = 'sepia' as 'dark')).toThrow('cannot be "sepia"');
  });

  test('a drag of no file, of one that is not there, or with an empty picture', () => {
    const contents = new WebContents(() => new Promise(() => undefined));
    const icon = nativeImage.createFromDataURL('data:image/png;base64,iVBORw0KGgo=');
    const empty = nativeImage.createFromDataURL('');
    const file = import.meta.filename;
    expect(() => contents.startDrag({ file, icon: empty })).toThrow("Must specify non-empty 'icon'");
    for (const files of [[], [`${file}.gone`], ['relative']])
      expect(() => contents.startDrag({ file, files, icon })).toThrow(
        "Must specify either 'file' or 'files'",
      );
  });

  test('a drag that would stop Node in Electron until the button is released', async () => {
    const contents = new WebContents(() => new Promise(() => undefined));
    const icon = nativeImage.createFromDataURL('data:image/png;base64,iVBORw0KGgo=');
    const drag = () => contents.startDrag({ file: import.meta.filename, icon });
    const later = Promise.withResolvers<void>();
    ipcMain.on('drag', drag);
    ipcMain.on('drag later', () => void Promise.resolve().then(drag).then(later.resolve, later.reject));
    deliverSend('drag', [], null, null);
    deliverSend('drag later', [], null, null);
    await expect(later.promise).rejects.toThrow('Electron stands still');
    expect(drag).toThrow('Electron stands still');
  });

  test('a listener for the shutdown before any other, which Electron would never call', () => {
    expect(() => powerMonitor.on('shutdown', () => undefined)).toThrow('never tells of a shutdown');
  });

  test('a save dialog that would replace files unasked in Electron', async () => {
    const options = { defaultPath: 'a.txt', properties: ['createDirectory' as const] };
    await expect(dialog.showSaveDialog(options)).rejects.toThrow('replaces files unasked');
  });

  // As if another instance ran: callers must first check that they can write.
  test('the lock in a folder that cannot be written', () => {
    expect(takeLock(import.meta.filename, () => undefined)).toBe(false);
  });

  test('a window before the spell checker was refused', () => {
    expect(requireNoDictionaries).toThrow('Electron would fetch dictionaries');
  });

  test('schemes that would not be safe', () => {
    const register = (privileges: Electron.Privileges) => () =>
      protocol.registerSchemesAsPrivileged([{ scheme: 'odd', privileges }]);
    expect(register({})).toThrow('must be standard and secure');
    expect(register({ standard: true, secure: true, bypassCSP: true })).toThrow('not bypass CSP');
  });
});

describe('ipcMain', () => {
  test('one handler a channel, and an error for a channel without one', async () => {
    ipcMain.handle('once', () => 'answer');
    expect(() => ipcMain.handle('once', () => 'other')).toThrow("a second handler for 'once'");
    expect(await answerInvoke('once', [], null, null)).toBe('answer');
    ipcMain.removeHandler('once');
    await expect(answerInvoke('once', [], null, null)).rejects.toThrow("No handler registered for 'once'");
  });
});

describe('the menu', () => {
  test.each([
    [{ label: 'a', accelerator: 'Hyper+U' }, '"hyper" in the accelerator'],
    [{ label: 'a', accelerator: 'Ctrl+Upload' }, '"upload" in the accelerator'],
    [{ label: 'a', role: 'shareMenu' as const }, 'the menu role "shareMenu" is not provided'],
    [{ click: () => undefined }, 'needs a label, a role or a type'],
    [{ label: 'a', sublabel: 'b' }, 'the option "sublabel" is not provided'],
  ])('refuses %o', (item, message) => {
    expect(() => Menu.buildFromTemplate([{ label: 'Menu', submenu: [item] }])).toThrow(message);
  });

  test('reads accelerators as key events', () => {
    expect(parseAccelerator('CmdOrCtrl+Shift+U')).toMatchObject({ key: 'u', shift: true, alt: false });
    expect(parseAccelerator('F5')).toEqual({ key: 'f5', ctrl: false, shift: false, alt: false, meta: false });
    expect(parseAccelerator('CmdOrCtrl+,')).toMatchObject({ key: ',' });
  });
});

describe('addresses', () => {
  test('go there and back, and other addresses stay as they are', () => {
    protocol.registerSchemesAsPrivileged([{ scheme: 'app', privileges: { standard: true, secure: true } }]);
    expect(toShown('app://coffer/a/b?c#d')).toBe('https://coffer.app.invalid/a/b?c#d');
    expect(fromShown('https://coffer.app.invalid/a/b?c#d')).toBe('app://coffer/a/b?c#d');
    expect(originFromShown('https://coffer.app.invalid')).toBe('app://coffer');
    for (const url of ['https://example.org/', 'https://coffer.other.invalid/', 'data:text/html,']) {
      expect(fromShown(toShown(url))).toBe(url);
    }
  });
});

describe('what crosses', () => {
  test('is a structured clone', () => {
    const value = {
      list: [undefined, null, NaN, -Infinity, 10n, new Date(5), new Uint8Array([0, 255])],
      map: new Map([[{ a: 1 }, new Set(['x'])]]),
      ['__proto__x']: 1,
    };
    expect(decode(encode(value))).toEqual(value);
  });

  test('keeps "__proto__" a plain property', () => {
    const parsed = decode(encode(JSON.parse('{"__proto__":{"polluted":true}}'))) as object;
    expect(Object.hasOwn(parsed, '__proto__')).toBe(true);
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
  });

  test.each([[() => undefined], [Symbol('s')], [Promise.resolve()], [{ deep: [() => undefined] }]])(
    'is refused when it cannot be cloned: %o',
    (value) => {
      expect(() => encode(value)).toThrow('An object could not be cloned.');
    },
  );
});

test('sleep is what only the wall clock counts', () => {
  let [wallMs, awakeMs] = [1_000_000, 0];
  const pass = (ms: number, awake: boolean) => {
    wallMs += ms;
    if (awake) awakeMs += ms;
  };
  const hasSlept = createSleepWatch(
    () => wallMs,
    () => awakeMs,
  );
  pass(600_000, true);
  expect(hasSlept()).toBe(false);
  pass(9_000, false);
  expect(hasSlept()).toBe(false);
  pass(60_000, false);
  expect(hasSlept()).toBe(true);
  pass(2_000, true);
  expect(hasSlept()).toBe(false);
});
