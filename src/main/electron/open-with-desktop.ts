import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Environment } from '../ports.ts';

/**
 * After this long, in ms, a program that has not failed counts as started. xdg-open ends at once where the desktop opens the file, and
 * runs as long as the program that it starts itself.
 */
const failsWithinMs = 2_000;

/**
 * Opens a file with the desktop's default program. Linux only, where Electron's own `shell.openPath` never settles: it starts xdg-open
 * without waiting, and then nobody calls back (shell/common/platform_util_linux.cc since electron/electron#48079).
 * @returns false: xdg-open is not installed, or failed; settles within two seconds and never rejects
 */
export async function openFile(path: string, environment: Environment): Promise<boolean> {
  return starts('xdg-open', [path], dirname(path), environment);
}

/**
 * Selects a file in the file manager; where none can, opens the file's folder. Linux only: Electron does not say whether anything
 * happened (electron/electron#51846), and gives xdg-open the libraries of the AppImage.
 */
export async function showInFolder(path: string, environment: Environment): Promise<boolean> {
  const folder = dirname(path);
  // A comma would begin the next address.
  const address = pathToFileURL(path).href.replaceAll(',', '%2C');
  const isShown = await starts(
    'dbus-send',
    [...showItems, `array:string:${address}`, 'string:'],
    folder,
    environment,
  );
  return isShown || starts('xdg-open', [folder], folder, environment);
}

/** https://www.freedesktop.org/wiki/Specifications/file-manager-interface: the items, and the id of a start notification. */
const showItems = [
  '--session',
  '--print-reply',
  '--dest=org.freedesktop.FileManager1',
  '/org/freedesktop/FileManager1',
  'org.freedesktop.FileManager1.ShowItems',
];

function starts(
  program: string,
  args: readonly string[],
  cwd: string,
  environment: Environment,
): Promise<boolean> {
  return new Promise((resolve) => {
    // Detached: what it starts goes on when Coffer ends. MM_NOTTTY tells xdg-open that there is no terminal, as Electron does.
    const env = { ...outsideAppImage(environment), MM_NOTTTY: '1' };
    const child = spawn(program, args, { stdio: 'ignore', detached: true, cwd, env });
    const limit = setTimeout(() => resolve(true), failsWithinMs);
    const end = (isStarted: boolean) => {
      clearTimeout(limit);
      resolve(isStarted);
    };
    child.on('error', () => end(false));
    child.on('exit', (code) => end(code === 0));
    child.unref();
  });
}

/**
 * The environment without what the start script of an AppImage has added (AppRun: PATH, LD_LIBRARY_PATH, XDG_DATA_DIRS,
 * GSETTINGS_SCHEMA_DIR): another program must not load the libraries that Coffer brings.
 */
function outsideAppImage(environment: Environment): Record<string, string> {
  const { APPDIR: inside, APPIMAGE: _file, ARGV0: _name, OWD: _folder, ...rest } = environment;
  const isOutside = (path: string) => !inside || (path !== inside && !path.startsWith(`${inside}/`));
  return Object.fromEntries(
    Object.entries(rest).flatMap(([name, value = '']) => {
      const kept = value.split(':').filter(isOutside).join(':');
      return kept === '' && value !== '' ? [] : [[name, kept]];
    }),
  );
}
