import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchApp } from '../../e2e/launch.ts';
import { CofferWindow } from '../../e2e/pages/coffer-window.ts';
import { digestOf } from '../../e2e/files.ts';
import { dropFiles } from '../../chromium-shell/testing/files.ts';
import { expect, test } from './fixtures.ts';

/** The user `nobody` of every Linux; only root can start a program as another user. */
const nobody = 65_534;
const user = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};

test('a package starts as a user without rights, with a home of spaces and umlauts, from a folder nobody can write @all', async ({
  appFolder,
  display,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-other-'));
  const home = join(folder, 'Jürgen Groß, Büro');
  const temporary = join(folder, 't');
  const userData = join(home, 'Daten für Coffer');
  const own = (path: string) => {
    if (user.uid !== undefined) chownSync(path, user.uid, user.gid);
  };
  const report = join(home, 'Übersicht 2026.txt');
  const dialogAnswers = join(home, 'dialogs.json');
  // The display's key belongs to the user who runs the tests.
  const key = join(home, '.Xauthority');
  chmodSync(folder, 0o755);
  mkdirSync(join(home, 'Downloads'), { recursive: true });
  mkdirSync(temporary);
  writeFileSync(report, 'x'.repeat(50_000));
  writeFileSync(dialogAnswers, '[]');
  if (display['XAUTHORITY']) copyFileSync(display['XAUTHORITY'], key);
  for (const path of [temporary, home, join(home, 'Downloads'), report, dialogAnswers, key]) own(path);
  chmodSync(join(appFolder, '..'), 0o755);
  setMode(appFolder, { file: 0o444, folder: 0o555 });

  const env = {
    ...display,
    XAUTHORITY: key,
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    COFFER_DOWNLOADS: join(home, 'Downloads'),
    XDG_RUNTIME_DIR: undefined,
    // A socket's path is limited to 107 bytes.
    TMPDIR: temporary,
    // The bus belongs to the user who runs the tests: this one has no keychain.
    DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere',
  };
  const launched = await launchApp({ shell: 'chromium', appFolder, userData, dialogAnswers, env, user });
  try {
    const coffer = new CofferWindow(launched.page);
    await coffer.tryOnThisComputer();
    await dropFiles(launched.page, [report]);
    await coffer.startUpload(1);
    await coffer.expectStored('Übersicht 2026.txt');
    await coffer.download('Übersicht 2026.txt');
    await expect(coffer.transfer('Übersicht 2026.txt', 'download', 'Done')).toBeVisible();
    const saved = join(home, 'Downloads', 'This computer', 'Übersicht 2026.txt');
    expect(digestOf(saved)).toBe(digestOf(report));
    expect(await launched.close()).toBe(0);
  } finally {
    await launched.kill();
    setMode(appFolder, { file: 0o644, folder: 0o755 });
    rmSync(folder, { recursive: true, force: true });
  }
});

function setMode(folder: string, mode: { file: number; folder: number }): void {
  chmodSync(folder, mode.folder);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) setMode(path, mode);
    else chmodSync(path, mode.file);
  }
}
