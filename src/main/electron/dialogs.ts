import { dirname, isAbsolute, join } from 'node:path';
import { dialog, type BrowserWindow, type OpenDialogOptions, type SaveDialogOptions } from 'electron';
import { stat } from '../local-files/fs.ts';
import type { Dialogs, Log } from '../ports.ts';
import { readJsonFile, writeJsonFile } from './json-file.ts';

export type DialogsOptions = {
  getWindow: () => BrowserWindow | null;
  /** Absolute path of the file that remembers the last folders. */
  stateFile: string;
  /** Absolute; where a file is saved for the first time. */
  downloads: string;
  log: Log;
};

/** The folder of what was chosen or saved last. */
type LastFolders = { chosen?: string; saved?: string };

/**
 * Dialogs of the system, on top of the window that `getWindow` answers; each opens where the last one of its kind ended.
 * Relied on (docs/api/dialog.md): `defaultPath` is an absolute folder or file; of a bare file name the folder would be the
 * working directory's on Linux. Without `showOverwriteConfirmation` a save dialog on Linux answers a file that exists
 * without a question, and what saves trusts that the person agreed; Windows and macOS ask always. Without
 * `createDirectory` there is no button for a new folder. A dialog that is cancelled answers `canceled`.
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
    // On Windows and Linux one dialog opens either files or folders, never both: hence two.
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

/** null: it is not there any more. */
async function findFolder(path: string | undefined): Promise<string | null> {
  const found = path === undefined ? null : await stat(path).catch(() => null);
  return path !== undefined && found?.isDirectory() ? path : null;
}
