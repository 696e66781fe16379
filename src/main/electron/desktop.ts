import {
  app,
  clipboard,
  ClipboardItem,
  nativeTheme,
  Notification,
  shell,
  type BrowserWindow,
} from 'electron';
import type { Appearance, Environment, Desktop, Paths } from '../ports.ts';
import { isAllowedLink } from './external-links.ts';
import { secretMarks } from './secret-marks.ts';

export type DesktopOptions = {
  getWindow: () => BrowserWindow | null;
  /** The pages that may be opened in the person's browser, and all below them. */
  allowedPages: readonly string[];
  /** A click on a notification. */
  onNotificationClick: () => void;
};

/** After `ready` (Notification). */
export function createDesktop({ getWindow, allowedPages, onNotificationClick }: DesktopOptions): Desktop {
  // Electron holds a notification weakly: one that nobody else holds loses its click (electron/electron#16922),
  // also where the system keeps it after it is gone from the screen. There are few.
  const shown = new Set<Notification>();
  return {
    // "Show the given file in a file manager. If possible, select the file" (docs/api/shell.md): it says nothing of a file that is
    // not there, so whoever calls this has looked.
    showInFolder: (path) => shell.showItemInFolder(path),
    // "Resolves with a string containing the error message corresponding to the failure if a failure occurred, otherwise ''"
    // (docs/api/shell.md): it does not reject. The message is the system's own and is in no language of ours.
    openFile: async (path) => (await shell.openPath(path)) === '',
    openExternal: async (url) => {
      if (!isAllowedLink(url, allowedPages)) return false;
      await shell.openExternal(url);
      return true;
    },
    readClipboardText: () => clipboard.readText(),
    writeClipboardText: (text) => clipboard.writeText(text),
    // All formats of one `write` are committed together.
    writeSecretToClipboard: (text) =>
      clipboard.write([new ClipboardItem({ 'text/plain': text, ...secretMarks(process.platform) })]),
    clearClipboard: async () => clipboard.clear(),
    notify: ({ title, body }) => {
      // Who looks at the window sees it there.
      if (!mayNotify() || !Notification.isSupported() || getWindow()?.isFocused()) return;
      const notification = new Notification({ title, body });
      notification.on('click', onNotificationClick);
      shown.add(notification);
      notification.show();
    },
    // Below zero removes the bar.
    setProgress: (fraction) => getWindow()?.setProgressBar(fraction ?? -1),
    setBadge: (count) => void app.setBadgeCount(count),
  };
}

/**
 * For its notifications Electron writes a shortcut with the program's name into the start menu of Windows, over the one that is
 * there when that starts another file (windows_toast_activator.cc): an unpackaged run would take an installed Coffer's.
 */
const mayNotify = () => process.platform !== 'win32' || app.isPackaged;

/** The page follows by itself: prefers-color-scheme answers to the theme source. */
export const appearance: Appearance = {
  setTheme: (theme) => {
    nativeTheme.themeSource = theme;
  },
};

/** After `ready`. The variable stands for the system's language, for tests and pictures. */
export function readSystemLanguages(environment: Environment): string[] {
  const instead = environment['COFFER_LANGUAGE'];
  return instead === undefined || instead === '' ? app.getPreferredSystemLanguages() : [instead];
}

/** Absolute folders, as Electron names them. */
export function readPaths(): Paths {
  return {
    // Electron makes the folder when it is asked for it.
    userData: app.getPath('userData'),
    downloads: app.getPath('downloads'),
    home: app.getPath('home'),
  };
}
