import { beforeEach, expect, test, vi } from 'vitest';
import { AppFailure } from '../../shared/app-failure.ts';
import { createTestClipboard } from '../../../test-support/main/test-ports.ts';
import type { ClipboardAccess } from '../secrets/clipboard-programs.ts';
import { secretMarks } from './secret-marks.ts';
import { createSystemClipboard } from './system-clipboard.ts';

/**
 * Chromium's clipboard on GNOME's Wayland (mutter): without the focus a window changes nothing, yet Chromium reads back what it
 * meant to offer. A text also goes to the primary selection.
 */
const fresh = vi.hoisted(() => () => ({
  platform: 'wayland',
  isFocused: true,
  /** Number of changes that the compositor still ignores after Electron reports the focus. */
  isLate: 0,
  /** Chromium's own offer; null: none, so it reads the real clipboard. */
  own: null as string | null,
  /** The names of the formats of the last write. */
  formats: [] as string[],
  real: '',
  primary: '',
}));
const shell = vi.hoisted(() => ({ ...fresh() }));
vi.mock('electron', () => {
  const accepts = () => {
    if (shell.platform !== 'wayland') return true;
    shell.isLate -= 1;
    return shell.isFocused && shell.isLate < 0;
  };
  return {
    app: {
      commandLine: { getSwitchValue: (name: string) => (name === 'ozone-platform' ? shell.platform : '') },
    },
    clipboard: {
      readText: async () => shell.own ?? shell.real,
      write: async ([item]: { parts: Record<string, string> }[]) => {
        shell.own = item?.parts['text/plain'] ?? '';
        shell.formats = Object.keys(item?.parts ?? {});
        if (accepts()) shell.real = shell.primary = shell.own;
      },
      clear: () => {
        shell.own = null;
        if (accepts()) shell.real = '';
      },
      selection: {
        readText: async () => shell.primary,
        clear: () => {
          if (accepts()) shell.primary = '';
        },
      },
    },
    ClipboardItem: class {
      readonly parts: Record<string, string>;
      constructor(parts: Record<string, string>) {
        this.parts = parts;
      }
    },
  };
});

const missing = new AppFailure({ code: 'clipboardRefused', problem: 'noProgram' });
const fail = () => Promise.reject(missing);
const noPrograms: ClipboardAccess = {
  readClipboardText: fail,
  writeSecretToClipboard: fail,
  removeFromClipboard: fail,
  clearClipboard: fail,
};
const isOurs = (text: string) => text === 'a value';
const open = (programs = noPrograms) =>
  createSystemClipboard(
    () => ({ isFocused: () => shell.isFocused }),
    programs,
    async () => undefined,
  );

beforeEach(() => Object.assign(shell, fresh()));

test.runIf(process.platform === 'linux')(
  'clears the primary selection too, where Chromium put it',
  async () => {
    const clipboard = open();
    await clipboard.writeSecretToClipboard('a value');
    expect(await clipboard.removeFromClipboard(isOurs)).toBe(true);
    expect([shell.real, shell.primary]).toEqual(['', '']);
    await clipboard.writeSecretToClipboard('a value');
    shell.primary = 'what a person selected';
    await clipboard.removeFromClipboard(isOurs);
    expect([shell.real, shell.primary]).toEqual(['', 'what a person selected']);
  },
);

test('writes a value in one step with the marks that keep it out of clipboard histories', async () => {
  await open().writeSecretToClipboard('a value');
  const marks = Object.keys(secretMarks(process.platform));
  expect(shell.formats).toEqual(['text/plain', ...marks]);
  const names = (['linux', 'darwin', 'win32'] as const).map((platform) =>
    Object.entries(secretMarks(platform)).map(([format, content]) => [/"(.*)"/.exec(format)?.[1], content]),
  );
  expect(names).toEqual([
    [['x-kde-passwordManagerHint', 'secret']],
    [['org.nspasteboard.ConcealedType', 'secret']],
    [
      ['ExcludeClipboardContentFromMonitorProcessing', '\0\0\0\0'],
      ['CanIncludeInClipboardHistory', '\0\0\0\0'],
      ['CanUploadToCloudClipboard', '\0\0\0\0'],
    ],
  ]);
});

test('without the focus on Wayland clears nothing, and does not say that it did', async () => {
  const clipboard = open();
  await clipboard.writeSecretToClipboard('a value');
  shell.isFocused = false;
  expect(await clipboard.removeFromClipboard(isOurs)).toBe(false);
  // Chromium still offers it, with the marks for clipboard histories.
  expect([shell.own, shell.real]).toEqual(['a value', 'a value']);
  shell.isFocused = true;
  expect(await clipboard.removeFromClipboard(isOurs)).toBe(true);
  expect(shell.real).toBe('');
});

test('without the focus on Wayland knows that another program has copied', async () => {
  const clipboard = open();
  await clipboard.writeSecretToClipboard('a value');
  Object.assign(shell, { isFocused: false, own: null, real: 'a shopping list', primary: '' });
  expect(await clipboard.removeFromClipboard(isOurs)).toBe(true);
});

test('without the focus on Wayland refuses to copy', async () => {
  shell.isFocused = false;
  await expect(open().writeSecretToClipboard('a value')).rejects.toMatchObject({
    error: { code: 'clipboardRefused', problem: 'unfocused' },
  });
  expect(shell.own).toBeNull();
});

test('without the focus on Wayland the programs do it, where they are installed', async () => {
  const programs = createTestClipboard();
  const clipboard = open(programs);
  shell.isFocused = false;
  await clipboard.writeSecretToClipboard('a value');
  expect([await clipboard.readClipboardText(), programs.text, shell.own]).toEqual([
    'a value',
    'a value',
    null,
  ]);
  expect(await clipboard.removeFromClipboard(isOurs)).toBe(true);
  expect(programs.text).toBe('');
});

test('clears again what the clipboard manager offers, when the focus came later than Electron said', async () => {
  const clipboard = open();
  await clipboard.writeSecretToClipboard('a value');
  shell.isLate = 1;
  expect(await clipboard.removeFromClipboard(isOurs)).toBe(true);
  expect(shell.real).toBe('');
  await clipboard.writeSecretToClipboard('a value');
  shell.isLate = 9;
  await expect(clipboard.removeFromClipboard(isOurs)).rejects.toThrow('still holds the text');
});

test('elsewhere the focus does not matter', async () => {
  Object.assign(shell, { platform: 'x11', isFocused: false });
  const clipboard = open();
  await clipboard.writeSecretToClipboard('a value');
  expect(shell.real).toBe('a value');
  await clipboard.removeFromClipboard(isOurs);
  expect(shell.real).toBe('');
});
