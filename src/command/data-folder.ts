import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { productName } from '../main/identity.ts';

/**
 * The folder of user data that the app works in, as Electron names it: `appData` is "%APPDATA% on Windows,
 * $XDG_CONFIG_HOME or ~/.config on Linux, ~/Library/Application Support on macOS", and `userData` is by default "the appData
 * directory appended with your app's name" (docs/api/app.md).
 * @param given with `--user-data-dir`, as the app takes it
 */
export function findDataFolder(given: string | undefined, environment: NodeJS.ProcessEnv): string {
  return given === undefined ? join(appData(environment), productName) : resolve(given);
}

function appData({ APPDATA, XDG_CONFIG_HOME }: NodeJS.ProcessEnv): string {
  if (process.platform === 'win32') return APPDATA || join(homedir(), 'AppData', 'Roaming');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support');
  return XDG_CONFIG_HOME || join(homedir(), '.config');
}
