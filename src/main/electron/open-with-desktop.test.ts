import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { makeTestFolder } from '../../../test-support/main/test-ports.ts';
import type { Environment } from '../ports.ts';
import { createFileOpener } from './open-with-desktop.ts';

/** A desktop whose programs are these scripts; `said` is what they have written to `$LOG`. */
async function startDesktop(programs: Record<string, string>, env: Record<string, string> = {}) {
  const folder = await makeTestFolder();
  const log = join(folder, 'log');
  for (const name of ['a.txt', 'größe, 1 & 2.txt']) writeFileSync(join(folder, name), 'text');
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  const environment = { PATH: `${folder}:/usr/bin:/bin`, LOG: log, ...env };
  const said = () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []);
  return { folder, environment, said };
}

const noShell = { openPath: async () => 'not on Linux', showItemInFolder: () => undefined };
const opener = (environment: Environment) => createFileOpener('linux', environment, noShell);

describe.each(['darwin', 'win32'] as const)('on %s', (platform) => {
  function startShell() {
    const said: string[] = [];
    const shell = {
      openPath: async (path: string) => (said.push(`open ${path}`), ''),
      showItemInFolder: (path: string) => void said.push(`show ${path}`),
    };
    return { said, opener: createFileOpener(platform, {}, shell) };
  }

  test('opens a document, and shows a file of any other kind in its folder', async () => {
    const { said, opener } = startShell();
    for (const name of ['a.pdf', 'a.pdf.app', 'a.html', 'a'])
      expect(await opener.openFile(`/opened/${name}`)).toBe(true);
    expect(said).toEqual([
      'open /opened/a.pdf',
      'show /opened/a.pdf.app',
      'show /opened/a.html',
      'show /opened/a',
    ]);
  });

  test('opens a folder, but no bundle and no folder that stands for something else', async () => {
    const { said, opener } = startShell();
    for (const name of ['2026', 'Report.app', 'Report.workflow', 'a.{ED7BA470-8E54-465E-825C-99712043E01C}'])
      expect(await opener.openFolder(`/Downloads/${name}`)).toBe(true);
    expect(said).toEqual([
      'open /Downloads/2026',
      'show /Downloads/Report.app',
      'show /Downloads/Report.workflow',
      'show /Downloads/a.{ED7BA470-8E54-465E-825C-99712043E01C}',
    ]);
  });
});

describe.skipIf(process.platform !== 'linux')('on Linux', () => {
  // The test must not depend on how fast a program starts on a busy machine.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  test.each([
    ['is open when xdg-open has ended well', 'echo "$1" >> "$LOG"', true],
    ['is not when it failed', 'echo "$1" >> "$LOG"; exit 3', false],
  ])('a file %s', async (_what, script, isOpen) => {
    const { folder, environment, said } = await startDesktop({ 'xdg-open': script });
    const path = join(folder, 'größe, 1 & 2.txt');
    expect(await opener(environment).openFile(path)).toBe(isOpen);
    expect(said()).toEqual([path]);
  });

  test('nothing opens a file without xdg-open', async () => {
    const { folder, environment } = await startDesktop({});
    expect(await opener({ ...environment, PATH: folder }).openFile(join(folder, 'a.txt'))).toBe(false);
  });

  // As on an unknown desktop, where xdg-open runs as long as the program.
  test('a program that goes on does not keep anybody waiting', async () => {
    const { folder, environment, said } = await startDesktop({
      'xdg-open': 'echo $$ >> "$LOG"; exec sleep 600',
    });
    const opening = opener(environment).openFile(join(folder, 'a.txt'));
    await expect.poll(said).toEqual([expect.stringMatching(/^[1-9]\d*$/)]);
    vi.advanceTimersByTime(2_000);
    expect(await opening).toBe(true);
    process.kill(Number(said()[0]));
  });

  test('it gets the environment of the session, not that of the AppImage', async () => {
    const appDir = '/tmp/.mount_coffer';
    const { folder, environment, said } = await startDesktop(
      { 'xdg-open': 'env | grep -v ^PWD= >> "$LOG"' },
      {
        APPDIR: appDir,
        APPIMAGE: '/home/aino/coffer.AppImage',
        OWD: '/home/aino',
        ARGV0: 'coffer',
        LD_LIBRARY_PATH: `${appDir}/usr/lib`,
        XDG_DATA_DIRS: `${appDir}/usr/share/:/usr/share/gnome:/usr/share/`,
        GSETTINGS_SCHEMA_DIR: `${appDir}/usr/share/glib-2.0/schemas:/home/aino/schemas`,
        DISPLAY: ':7',
      },
    );
    await opener(environment).openFile(join(folder, 'a.txt'));
    expect(said()).toEqual(
      expect.arrayContaining([
        'XDG_DATA_DIRS=/usr/share/gnome:/usr/share/',
        'GSETTINGS_SCHEMA_DIR=/home/aino/schemas',
        'DISPLAY=:7',
        'MM_NOTTTY=1',
      ]),
    );
    expect(said().join('\n')).not.toMatch(/LD_LIBRARY_PATH|APPDIR|APPIMAGE|OWD|ARGV0|mount_coffer/);
  });

  test('the file manager selects a file of a kind that is not opened', async () => {
    const { folder, environment, said } = await startDesktop({
      'dbus-send': 'printf "%s\\n" "$@" >> "$LOG"',
      'xdg-open': 'echo "no: $1" >> "$LOG"',
    });
    expect(await opener(environment).openFile(join(folder, 'größe, 1%.zip'))).toBe(true);
    expect(said().slice(-3)).toEqual([
      'org.freedesktop.FileManager1.ShowItems',
      `array:string:file://${folder}/gr%C3%B6%C3%9Fe%2C%201%25.zip`,
      'string:',
    ]);
  });

  // Without a desktop environment, xdg-open asks `file` for the kind, and starts Wine.
  test('shows a program that is called a document in its folder', async () => {
    const { folder, environment, said } = await startDesktop({ 'xdg-open': 'echo "$1" >> "$LOG"' });
    writeFileSync(join(folder, 'invoice.pdf'), 'MZ\x90');
    expect(await opener({ ...environment, PATH: folder }).openFile(join(folder, 'invoice.pdf'))).toBe(true);
    expect(said()).toEqual([folder]);
  });

  test.each([
    ['answers for it', { 'dbus-send': 'exit 1' }],
    ['can be asked', {}],
  ])('opens the folder without a file manager that %s', async (_what, more) => {
    const { folder, environment, said } = await startDesktop({ ...more, 'xdg-open': 'echo "$1" >> "$LOG"' });
    const onlyThese = { ...environment, PATH: folder };
    expect(await opener(onlyThese).openFile(join(folder, 'a.zip'))).toBe(true);
    expect(said()).toEqual([folder]);
  });
});
