import { join } from 'node:path';
import { productName } from '../../main/identity.ts';
import type { CommandIo } from '../terminal/io.ts';

/**
 * The app's user data folder, computed as Electron does: `appData` is "%APPDATA% on Windows,
 * $XDG_CONFIG_HOME or ~/.config on Linux, ~/Library/Application Support on macOS", and `userData` is by default "the appData
 * directory appended with your app's name" (Electron's docs/api/app.md).
 * @param given value of `--user-data-dir`, which the app accepts too
 */
export function findDataFolder(given: string | undefined, io: CommandIo): string {
  return given === undefined ? join(appData(io), productName) : io.resolve(given);
}

function appData({ env: { APPDATA, XDG_CONFIG_HOME }, homeFolder, platform }: CommandIo): string {
  if (platform === 'win32') return APPDATA || join(homeFolder, 'AppData', 'Roaming');
  if (platform === 'darwin') return join(homeFolder, 'Library', 'Application Support');
  return XDG_CONFIG_HOME || join(homeFolder, '.config');
}
