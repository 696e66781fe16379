import { dialog, type BrowserWindow, type OpenDialogOptions } from 'electron';
import type { Dialogs } from '../ports.ts';

/** Dialogs of the system, on top of the window that `getWindow` answers. */
export function createDialogs(getWindow: () => BrowserWindow | null): Dialogs {
  const open = async (options: OpenDialogOptions): Promise<string[]> => {
    const window = getWindow();
    const { canceled, filePaths } = await (window
      ? dialog.showOpenDialog(window, options)
      : dialog.showOpenDialog(options));
    return canceled ? [] : filePaths;
  };
  return {
    // On Windows and Linux one dialog opens either files or folders, never both: hence two.
    openFiles: () => open({ properties: ['openFile', 'multiSelections'] }),
    openFolders: () => open({ properties: ['openDirectory', 'multiSelections'] }),
    openFile: async ({ title, filters }) =>
      (await open({ title, filters, properties: ['openFile'] }))[0] ?? null,
    saveFile: async ({ title, defaultName, filters }) => {
      const window = getWindow();
      const options = { title, defaultPath: defaultName, filters };
      const { canceled, filePath } = await (window
        ? dialog.showSaveDialog(window, options)
        : dialog.showSaveDialog(options));
      return canceled ? null : filePath;
    },
  };
}
