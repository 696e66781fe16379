import { join } from 'node:path';
import { app } from 'electron';

/**
 * The licences as a file that a file manager can show: in a package an extra resource beside `app.asar`, in
 * `process.resourcesPath`. Other programs cannot see files inside the archive (docs/tutorial/asar-archives.md).
 */
export function licencesPath(): string {
  return join(app.isPackaged ? process.resourcesPath : app.getAppPath(), 'licences.txt');
}
