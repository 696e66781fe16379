import { join, resolve } from 'node:path';
import { app, clipboard, nativeTheme, Notification, shell, type BrowserWindow } from 'electron';
import type { Appearance, Environment, Desktop, Log, Paths } from '../ports.ts';
import { isAllowedLink } from './external-links.ts';
import { createFileOpener, openPage } from './open-with-desktop.ts';
import { createClipboardPrograms } from '../secrets/clipboard-programs.ts';
import { createSystemClipboard } from './system-clipboard.ts';
import { createTakeOut, type TakeOut } from './take-out.ts';
import { nameUndos } from './menu.ts';

export type DesktopOptions = {
  getWindow: () => BrowserWindow | null;
  /** Pages that may be opened in the browser, including everything below them. */
  allowedPages: readonly string[];
  /** Called when a notification is clicked. */
  onNotificationClick: () => void;
  log: Pick<Log, 'info' | 'warn'>;
};

/** Call after `ready` (Notification). */
export function createDesktop({
  getWindow,
  allowedPages,
  onNotificationClick,
  log,
}: DesktopOptions): Desktop & Pick<TakeOut, 'startDrag'> {
  // Electron holds notifications weakly: without a reference here their click is lost (electron/electron#16922),
  // even while the system keeps them in its list. There are few.
  const shown = new Set<Notification>();
  return {
    ...createFileOpener(process.platform, process.env, shell),
    nameUndos,
    openExternal: async (url) => {
      if (!isAllowedLink(url, allowedPages)) return false;
      if (process.platform === 'linux') return openPage(url, process.env);
      await shell.openExternal(url);
      return true;
    },
    ...createTakeOut(getWindow, log),
    writeClipboardText: (text) => clipboard.writeText(text),
    ...createSystemClipboard(
      getWindow,
      createClipboardPrograms({ platform: process.platform, env: process.env }),
    ),
    notify: ({ title, body }) => {
      // A focused window shows it already. One that has just been hidden may still count as focused.
      const window = getWindow();
      if (window?.isVisible() && window.isFocused()) return;
      if (!mayNotify() || !Notification.isSupported()) return;
      const notification = new Notification({ title, body });
      notification.on('click', onNotificationClick);
      shown.add(notification);
      notification.show();
    },
    // A negative value removes the bar.
    setProgress: (fraction) => getWindow()?.setProgressBar(fraction ?? -1),
    setBadge: (count) => void app.setBadgeCount(count),
  };
}

/**
 * Windows: for notifications Electron writes a shortcut with the program's name into the person's start menu. It replaces
 * one that starts another file or lacks one of our identifiers (windows_toast_activator.cc, ExistingShortcutValid). An
 * unpackaged run has the same name, so it would replace the shortcut of an installed Coffer.
 */
const mayNotify = () => process.platform !== 'win32' || app.isPackaged;

/** The page needs no message: prefers-color-scheme reflects the theme source. */
export const appearance: Appearance = {
  setTheme: (theme) => {
    nativeTheme.themeSource = theme;
  },
};

/** Call after `ready`. COFFER_LANGUAGE replaces the system's languages in tests and pictures. */
export function readSystemLanguages(environment: Environment): string[] {
  const instead = environment['COFFER_LANGUAGE'];
  return instead === undefined || instead === '' ? app.getPreferredSystemLanguages() : [instead];
}

/**
 * Absolute folders, named as in Electron. In an unpackaged run, COFFER_DOWNLOADS replaces the downloads folder: on Windows and macOS
 * tests cannot move it by HOME.
 */
export function readPaths(environment: Environment): Paths {
  const instead = app.isPackaged ? undefined : environment['COFFER_DOWNLOADS'];
  const home = app.getPath('home');
  const downloads = app.getPath('downloads');
  // Without `user-dirs.dirs` it is the home (`xdg_user_dir_lookup`).
  const ownDownloads = resolve(downloads) === resolve(home) ? join(home, 'Downloads') : downloads;
  return {
    // Electron creates the folder when asked for it.
    userData: app.getPath('userData'),
    downloads: instead ? resolve(instead) : ownDownloads,
    home,
  };
}
