import { join } from 'node:path';
import { app } from 'electron';

/**
 * The licences, as a file that a file manager can show: packaged they are an extra resource beside `app.asar`, in the folder
 * of `process.resourcesPath`. What lies in the archive is no file to others (docs/tutorial/asar-archives.md).
 */
export function licencesPath(): string {
  return join(app.isPackaged ? process.resourcesPath : app.getAppPath(), 'licences.txt');
}
