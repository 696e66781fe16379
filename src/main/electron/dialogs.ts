import { dirname, isAbsolute, join } from 'node:path';
import { dialog, type BrowserWindow, type OpenDialogOptions, type SaveDialogOptions } from 'electron';
import { stat } from '../local-files/fs.ts';
import type { Dialogs, Log } from '../ports.ts';
import { readJsonFile, writeJsonFile } from './json-file.ts';

export type DialogsOptions = {
  getWindow: () => BrowserWindow | null;
  /** Absolute path of the file that stores the last folders. */
  stateFile: string;
  /** Absolute path; the folder of the first save dialog. */
  downloads: string;
  log: Log;
};

/** The folders of the last chosen and the last saved file. */
type LastFolders = { chosen?: string; saved?: string };

/**
 * System dialogs, attached to the window that `getWindow` returns; each opens in the folder where the last one of its
 * kind ended. Relies on docs/api/dialog.md: `defaultPath` is an absolute folder or file; for a bare file name, Linux
 * would use the working directory. Without `showOverwriteConfirmation`, a save dialog on Linux returns an existing
 * file without asking, and callers rely on the person's consent; Windows and macOS always ask. Without
 * `createDirectory` there is no button for a new folder. A cancelled dialog returns `canceled`.
 */
export function createDialogs({ getWindow, stateFile, downloads, log }: DialogsOptions): Dialogs {
  let last = checkFolders(readJsonFile(stateFile));

  function remember(kind: keyof LastFolders, path: string | undefined): void {
    if (path === undefined || last[kind] === dirname(path)) return;
    last = { ...last, [kind]: dirname(path) };
    try {
      writeJsonFile(stateFile, last);
    } catch (cause) {
      log.warn('The last folder could not be remembered', { cause });
    }
  }

  const open = async (options: OpenDialogOptions): Promise<string[]> => {
    const defaultPath = await findFolder(last.chosen);
    const asked = { ...options, ...(defaultPath === null ? {} : { defaultPath }) };
    const window = getWindow();
    const { canceled, filePaths } = await (window
      ? dialog.showOpenDialog(window, asked)
      : dialog.showOpenDialog(asked));
    if (canceled) return [];
    remember('chosen', filePaths[0]);
    return filePaths;
  };

  return {
    // On Windows and Linux a dialog opens either files or folders, so there are two.
    openFiles: () => open({ properties: ['openFile', 'multiSelections'] }),
    openFolders: () => open({ properties: ['openDirectory', 'multiSelections', 'createDirectory'] }),
    openFile: async ({ title, filters }) =>
      (await open({ title, filters, properties: ['openFile'] }))[0] ?? null,
    saveFile: async ({ title, defaultName, filters }) => {
      const options: SaveDialogOptions = {
        title,
        defaultPath: join((await findFolder(last.saved)) ?? downloads, defaultName),
        filters,
        properties: ['showOverwriteConfirmation', 'createDirectory'],
      };
      const window = getWindow();
      const { canceled, filePath } = await (window
        ? dialog.showSaveDialog(window, options)
        : dialog.showSaveDialog(options));
      if (canceled) return null;
      remember('saved', filePath);
      return filePath;
    },
  };
}

function checkFolders(value: unknown): LastFolders {
  if (typeof value !== 'object' || value === null) return {};
  const names = ['chosen', 'saved'] as const;
  const entries = names.map((name) => [name, Reflect.get(value, name)] as [string, unknown]);
  return Object.fromEntries(entries.filter(([, path]) => typeof path === 'string' && isAbsolute(path)));
}

/** null: the folder no longer exists. */
async function findFolder(path: string | undefined): Promise<string | null> {
  const found = path === undefined ? null : await stat(path).catch(() => null);
  return path !== undefined && found?.isDirectory() ? path : null;
}
