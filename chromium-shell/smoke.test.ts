import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Dialog } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerFileChooser, dropFiles } from './testing/files.ts';
import { launchWindow, type Launched } from './testing/launch.ts';

const here = import.meta.dirname;
const folder = mkdtempSync(join(tmpdir(), 'shell-'));
const filePath = join(folder, 'größe 1 & 2.txt');
const folderPath = join(folder, 'a folder');
const args = [
  '--import',
  join(here, 'register.ts'),
  join(here, 'fixture', 'main.js'),
  `--user-data-dir=${join(folder, 'data')}`,
  '--remote-debugging-port=0',
];
const desktopLog = join(folder, 'desktop.log');
const env = { ...process.env, PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}` };
const start = (...more: string[]) => launchWindow(process.execPath, [...args, ...more], env);
const readLink = (path: string): string => {
  try {
    return readlinkSync(path);
  } catch {
    return ''; // closed meanwhile
  }
};
const filesOf = (pid: string): string[] => {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((fd) => readLink(`/proc/${pid}/fd/${fd}`));
  } catch {
    return []; // ended meanwhile
  }
};

let shell: Launched;
beforeAll(async () => {
  writeFileSync(filePath, 'text');
  mkdirSync(folderPath);
  writeFileSync(join(folderPath, 'inside.txt'), 'inside');
  writeFileSync(join(folder, 'xdg-open'), `#!/bin/sh\necho "$1" >>'${desktopLog}'\n`, { mode: 0o755 });
  shell = await start();
  await shell.page.getByText('loaded').waitFor();
});
afterAll(async () => {
  await shell?.kill();
  // Chromium may still be writing there while it ends.
  await rm(folder, { recursive: true, force: true, maxRetries: 10 });
});

type FixtureWindow = {
  call: (name: string, ...args: unknown[]) => Promise<unknown>;
  fixture: Record<string, unknown>;
};
const call = (name: string, ...callArgs: unknown[]) =>
  shell.page.evaluate(([n, a]) => (globalThis as unknown as FixtureWindow).call(n, ...a), [
    name,
    callArgs,
  ] as const);
const log = () => shell.page.locator('#log').innerText();

test('values go to the main process and back as structured clones', async () => {
  const value = { text: 'ß', list: [1, null, { deep: true }], empty: {}, '': 0 };
  expect(await call('echo', value)).toEqual(value);
});

test('the main process sees the frame by its own scheme', async () => {
  expect(await call('sender')).toEqual({ origin: 'app://fixture', parent: null });
});

test('a message without an answer arrives with its sender', async () => {
  await shell.page.evaluate(() =>
    ((globalThis as unknown as FixtureWindow).fixture['send'] as (...args: unknown[]) => void)('a', 1),
  );
  await expect.poll(log).toContain('event sent ["app://fixture","a",1]');
});

test("what a handler throws, an unknown channel and an unprovided member reject with Electron's words", async () => {
  await expect(call('fail')).rejects.toThrow("Error invoking remote method 'call': Error: no");
  await expect(call('unprovided')).rejects.toThrow('shell.beep is not provided');
  const unknown = shell.page.evaluate(() =>
    ((globalThis as unknown as FixtureWindow).fixture['invoke'] as (channel: string) => Promise<unknown>)(
      'nobody',
    ),
  );
  await expect(unknown).rejects.toThrow("No handler registered for 'nobody'");
});

test('the page has its frozen bridge, and cannot reach the preload world', async () => {
  const found = await shell.page.evaluate(() => ({
    leaked: 'leaked' in globalThis,
    shell: 'shell' in globalThis,
    require: 'require' in globalThis,
    isFrozen: Object.isFrozen((globalThis as unknown as FixtureWindow).fixture),
    bindings: Object.keys(globalThis).filter((key) => key.startsWith('say-')),
  }));
  expect(found).toEqual({ leaked: false, shell: false, require: false, isFrozen: true, bindings: [] });
  const required = shell.page.evaluate(() =>
    ((globalThis as unknown as FixtureWindow).fixture['refused'] as (name: string) => unknown)('node:fs'),
  );
  await expect(required).rejects.toThrow('module not found: node:fs');
});

test('the protocol handler sees its own scheme, and its status, headers and CSP count', async () => {
  const answer = await shell.page.evaluate(async () => {
    const response = await fetch('text');
    return [response.status, response.headers.get('x-test'), await response.text()];
  });
  expect(answer).toEqual([203, 'a, b', 'app://fixture/text']);
  await expect(shell.page.evaluate(() => fetch('https://example.org/'))).rejects.toThrow('Failed to fetch');
});

test('a sound ends where an answer does, because players ignore content-range outside http', async () => {
  const durationOf = (name: string) =>
    shell.page.evaluate(async (src) => {
      const audio = new Audio(src);
      await new Promise((resolve, reject) => {
        audio.addEventListener('loadedmetadata', resolve);
        audio.addEventListener('error', reject);
      });
      return audio.duration;
    }, name);
  expect(await durationOf('whole.wav')).toBe(4);
  expect(await durationOf('half.wav')).toBeLessThan(2.1);
});

test('dropped files and folders have paths, a file made in memory has none', async () => {
  await dropFiles(shell.page, [filePath, folderPath]);
  await expect.poll(log).toContain(`drop ${JSON.stringify([filePath, folderPath])}`);
  const paths = await shell.page.evaluate(() =>
    ((globalThis as unknown as FixtureWindow).fixture['paths'] as (files: File[]) => Promise<unknown>)([
      new File(['x'], 'x.txt'),
    ]),
  );
  expect(paths).toEqual(['']);
});

test('the open dialog is a real file chooser', async () => {
  for (const [properties, chosen] of [
    [
      ['openFile', 'multiSelections'],
      [filePath, join(folderPath, 'inside.txt')],
    ],
    [['openDirectory'], [folderPath]],
  ] as const) {
    let answer: Promise<unknown> = Promise.resolve();
    await answerFileChooser(shell.page, [...chosen], async () => {
      answer = call('open', properties);
    });
    expect(await answer).toEqual({ canceled: false, filePaths: chosen });
  }
});

test('reads and writes the clipboard, though the page may not', async () => {
  await call('copy', 'größe');
  expect(await call('paste')).toBe('größe');
  await expect(shell.page.evaluate(() => navigator.clipboard.readText())).rejects.toThrow(/denied/i);
});

test("copies text without the system's own formats, reports that, and clears the clipboard", async () => {
  await call('copyMarked', 'größe 2');
  expect(await call('paste')).toBe('größe 2');
  await expect
    .poll(shell.output)
    .toContain('takes text only here, not electron application/osclipboard;format="mark"');
  await call('clear');
  expect(await call('paste')).toBe('');
});

test('a text is in the primary selection too, and clearing the clipboard leaves it there', async () => {
  await call('copy', 'primary');
  await call('clear');
  expect([await call('paste'), await call('pastePrimary')]).toEqual(['', 'primary']);
});

test('no menu comes by itself: the program is told what a person pointed at, and shows its own', async () => {
  const { page } = shell;
  const field = page.getByRole('textbox', { name: 'Text' });
  await field.fill('abc');
  await field.click({ button: 'right' });
  await page.getByText('event context-menu {"isEditable":true,"selectionText":"","canCopy":false}').waitFor();
  await page.getByRole('menuitem', { name: 'selectAll' }).click();
  await field.click({ button: 'right' });
  await page
    .getByText('event context-menu {"isEditable":true,"selectionText":"abc","canCopy":true}')
    .waitFor();
  await call('copy', 'pasted');
  await page.getByRole('menuitem', { name: 'paste' }).click();
  await expect.poll(() => field.inputValue()).toBe('pasted');
  expect(await page.getByRole('menu').count()).toBe(0);
  await page.getByRole('heading').click({ button: 'right' });
  await page
    .getByText('event context-menu {"isEditable":false,"selectionText":"","canCopy":false}')
    .waitFor();
});

test('zooms by the menu alone, not by keys or the wheel of Chromium', async () => {
  const { page } = shell;
  const width = () => page.evaluate(() => Math.round(innerWidth / devicePixelRatio));
  const zoom = () => page.evaluate(() => Number(document.documentElement.style.zoom || 1));
  const before = await width();
  await page.keyboard.press('Control+-');
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -200);
  await page.keyboard.up('Control');
  expect([await width(), await zoom()]).toEqual([before, 1]);
  await call('choose', 'zoomIn');
  await expect.poll(zoom).toBeCloseTo(Math.sqrt(1.2));
  await call('choose', 'resetZoom');
  await expect.poll(zoom).toBe(1);
  // By now Chromium would have reacted to the keys and the wheel.
  expect(await width()).toBe(before);
});

test('a message box with two buttons is a question of the page', async () => {
  for (const [how, response] of [
    ['accept', 0],
    ['dismiss', 1],
  ] as const) {
    const asked = shell.page.waitForEvent('dialog');
    const answer = call('ask', ['Quit', 'Cancel']);
    const question = await asked;
    expect(question.message()).toBe('Really?\n\n\n\nOK: Quit    Cancel: Cancel');
    await question[how]();
    expect(await answer).toEqual({ response, checkboxChecked: false });
  }
  await expect(call('ask', ['Quit'])).rejects.toThrow('fewer than two buttons');
});

test('a message box with more buttons asks one after the other', async () => {
  const questions: string[] = [];
  const answers = ['dismiss', 'accept'] as const;
  const onDialog = (question: Dialog) => {
    const how = answers[questions.length] ?? 'dismiss';
    questions.push(question.message().split('\n').at(-1) ?? '');
    void question[how]();
  };
  shell.page.on('dialog', onDialog);
  const answer = await call('ask', ['Keep', 'Cancel', 'Quit']);
  shell.page.off('dialog', onDialog);
  expect(questions).toEqual(['OK: Keep    Cancel: Quit or Cancel', 'OK: Quit    Cancel: Cancel']);
  expect(answer).toEqual({ response: 2, checkboxChecked: false });
});

test('keeps account of an icon in the notification area and of the power blocker', async () => {
  expect([await call('tray'), await call('awake')]).toEqual([true, true]);
  await expect(call('emptyTray')).rejects.toThrow('an empty picture');
});

test('refuses what Chromium cannot do', async () => {
  await expect(call('displayAwake')).rejects.toThrow('"prevent-display-sleep" is not provided');
  expect(typeof (await call('online'))).toBe('boolean');
  // In the format of PAC files, without any proxy configured.
  expect(await call('proxyOf', 'https://objects.test/')).toBe('DIRECT');
});

test('look-ups of a proxy wait for each other, as in Electron', async () => {
  expect(await call('msForProxiesOf', ['https://a.test/', 'https://b.test/'], '200')).toBeGreaterThan(390);
});

test('keys of a debugger reach no menu, as in Electron', async () => {
  await shell.page.keyboard.press('Control+U');
  await call('choose', 'upload');
  await expect.poll(log).toContain('event menu "upload"');
  expect((await log()).match(/event menu/g)).toHaveLength(1);
});

test('a window shows once, when its page has painted', async () => {
  await shell.page.evaluate(() => location.reload());
  await expect.poll(log).toContain('event will-navigate "app://fixture/index.html"');
  await expect
    .poll(() => shell.output().match(/^(finished|ready-to-show .*|show .*)$/gm))
    .toEqual(['finished', 'ready-to-show false', 'show true']);
});

test('a hidden window is not visible until it is shown', async () => {
  const isVisible = () => call('isVisible');
  expect(await isVisible()).toBe(true);
  await call('hide');
  expect(await isVisible()).toBe(false);
  await call('appear');
  expect(await isVisible()).toBe(true);
  await expect.poll(() => shell.output().match(/^show .*/gm)).toEqual(['show true', 'show true']);
});

test('asks for navigation and new windows, and prevents both', async () => {
  await shell.page.getByRole('link', { name: 'Away', exact: true }).click();
  await expect.poll(log).toMatch(/will-frame-navigate ("https:\/\/example.org\/")\s+event will-navigate \1/);
  await shell.page.getByRole('link', { name: 'Away in a new window' }).click();
  await expect.poll(log).toContain('event open "https://example.org/"');
  expect(await shell.page.title()).toBe('Fixture');
});

test('the page follows the theme', async () => {
  const isDark = () => shell.page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  await call('theme', 'dark');
  await expect.poll(isDark).toBe(true);
  await call('theme', 'light');
  await expect.poll(isDark).toBe(false);
});

test('a second start exits and notifies the first', async () => {
  execFileSync(process.execPath, args.slice(0, -1), { timeout: 180_000 });
  await expect.poll(log).toContain('event second-instance');
});

test('hands addresses and folders to the desktop, and shows a notification', async () => {
  await call('external', 'https://example.org/');
  await call('show', filePath);
  await expect.poll(() => readFileSync(desktopLog, 'utf8')).toBe(`https://example.org/\n${folder}\n`);
  await call('notify', 'Title');
  await expect.poll(log).toContain('event notified "Title"');
});

test.runIf(process.platform === 'linux')('nothing listens but the debugger that was asked for', () => {
  const listening = ['tcp', 'tcp6'].flatMap((name) =>
    readFileSync(`/proc/net/${name}`, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter((fields) => fields[3] === '0A')
      .map((fields) => `socket:[${fields[9]}]`),
  );
  const isOfGroup = (pid: string): boolean => {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ');
      return fields[2] === String(shell.process.pid);
    } catch {
      return false; // ended meanwhile
    }
  };
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isOfGroup(name));
  // A process has its parent's files until it runs its own program.
  const open = new Set(pids.flatMap(filesOf));
  expect(listening.filter((link) => open.has(link))).toHaveLength(1);
});

test('opening a file opens it and never settles, as in Electron on Linux', async () => {
  expect(await call('opens', filePath)).toBe('does not settle');
  await expect.poll(() => readFileSync(desktopLog, 'utf8')).toContain(filePath);
});

test('reports a crashed page, which can load again', async () => {
  await shell.page.goto('chrome://crash').catch(() => undefined); // it cannot answer
  await expect.poll(shell.output).toMatch(/gone crashed\s+finished/);
});

test('a debugger destroys the window without its close, as in Electron', async () => {
  await shell.page.close();
  expect(await shell.exited).toBe(0);
  await expect.poll(shell.output).toContain('will-quit');
  expect(shell.output()).not.toContain('close {');
  shell = await start();
  await expect.poll(log).toContain('loaded');
});

test('closing the window ends the program, and a new start finds its place', async () => {
  void call('close').catch(() => undefined); // no answer arrives
  expect(await shell.exited).toBe(0);
  await expect.poll(shell.output).toMatch(/close \{.*"width":1000.*\}\s+will-quit/);
  shell = await start('--ozone-platform=wayland');
  await expect.poll(log).toContain('loaded');
});

test('on Wayland, as this start is, a window without the focus changes nothing, and is not told', async () => {
  const focus = async (type: 'focus' | 'blur') => {
    await shell.page.evaluate((name) => void dispatchEvent(new Event(name)), type);
    await expect.poll(() => call('isFocused')).toBe(type === 'focus');
  };
  await call('copy', 'a secret');
  await focus('blur');
  await call('clear');
  // Chromium returns what it meant to offer.
  expect(await call('paste')).toBe('');
  await focus('focus');
  await call('copy', 'b');
  expect(await call('paste')).toBe('b');
});

test('a signal quits like a person would, and does not count as the end of the session', async () => {
  void call('terminate').catch(() => undefined); // no answer arrives
  expect(await shell.exited).toBe(0);
  await expect.poll(shell.output).toMatch(/close .*\s+will-quit/);
  expect(shell.output()).not.toContain('shutdown');
});
