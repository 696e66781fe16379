import { homedir } from 'node:os';
import { basename, dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { outsideAppImage, startProgram } from '../lib/start-program.ts';
import { mayOpen } from '../local-files/may-open.ts';
import type { Desktop, Environment } from '../ports.ts';

/** Whatever asks: only files of kinds that may be opened are, and only folders that are nothing else. */
export function createFileOpener(
  platform: NodeJS.Platform,
  environment: Environment,
  shell: { openPath: (path: string) => Promise<string>; showItemInFolder: (path: string) => void },
): Pick<Desktop, 'showInFolder' | 'openFile' | 'openFolder'> {
  // "Show the given file in a file manager. If possible, select the file" (docs/api/shell.md): a missing file is not mentioned, so
  // callers must check that it exists.
  async function show(path: string): Promise<boolean> {
    if (platform === 'linux') return showInFolder(path, environment);
    shell.showItemInFolder(path);
    return true;
  }

  // "Resolves with a string containing the error message corresponding to the failure if a failure occurred, otherwise ''"
  // (docs/api/shell.md): it does not reject. The message is the system's, perhaps in another language than ours.
  const open = async (path: string) =>
    platform === 'linux' ? openFile(path, environment) : (await shell.openPath(path)) === '';

  return {
    showInFolder: (path) => void show(path),
    openFile: async (path) => ((await mayOpen(path, platform)) ? open(path) : show(path)),
    openFolder: (path) => (isPlainFolder(path) ? open(path) : show(path)),
  };
}

/**
 * macOS runs or imports folders that are bundles (`Name.app`), and Windows shows a part of the system in place of `Name.{CLSID}`: both
 * have an ending.
 */
const isPlainFolder = (path: string) => !basename(path).includes('.');

/**
 * Opens a file with the desktop's default program. Linux only, where Electron's own `shell.openPath` never settles: it starts xdg-open
 * without waiting, and never calls back (shell/common/platform_util_linux.cc since electron/electron#48079).
 * @returns false: xdg-open is not installed, or failed; settles within two seconds and never rejects
 */
async function openFile(path: string, environment: Environment): Promise<boolean> {
  return starts('xdg-open', [path], dirname(path), environment);
}

/**
 * Opens a page in the default browser. Linux only, where Electron's own `shell.openExternal` passes the AppImage's libraries on to
 * xdg-open.
 * @returns false as for `openFile`
 */
export async function openPage(address: string, environment: Environment): Promise<boolean> {
  return starts('xdg-open', [address], homedir(), environment);
}

/**
 * Selects a file in the file manager; if none can do that, opens the file's folder. Linux only: Electron does not report whether it
 * worked (electron/electron#51846), and passes the AppImage's libraries on to xdg-open.
 */
async function showInFolder(path: string, environment: Environment): Promise<boolean> {
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

/** MM_NOTTTY tells xdg-open that there is no terminal, as Electron does. */
function starts(
  program: string,
  args: readonly string[],
  cwd: string,
  environment: Environment,
): Promise<boolean> {
  return startProgram(program, args, { cwd, env: { ...outsideAppImage(environment), MM_NOTTTY: '1' } });
}
