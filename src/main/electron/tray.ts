import { app, Menu, Tray } from 'electron';
import { onLanguageChange } from '../../shared/i18n/language.ts';
import type { Command } from '../../shared/contract.ts';
import type { Background } from '../background.ts';
import { throttle } from '../lib/timers.ts';
import type { Log } from '../ports.ts';
import { mainTexts } from '../texts.ts';
import { makeTrayIcon } from './tray-icon.ts';

const texts = mainTexts.tray;

export interface TrayOptions {
  background: Pick<Background, 'showsIcon' | 'status' | 'onChanged'>;
  setPaused: (isPaused: boolean) => Promise<void>;
  showWindow: () => void;
  /** Sends a command to the window. */
  give: (command: Command) => void;
  /** Absolute paths of files that were dropped on the icon (macOS). */
  onFiles: (paths: string[]) => void;
  log: Log;
}

export interface TrayKeeper {
  /** Call when the window was hidden or shown: while it is hidden, the icon is shown whatever the setting says. */
  windowHidden: (isHidden: boolean) => void;
}

/** Keeps the icon in the notification area (macOS: the menu bar) while it is wanted. Call after `ready`. */
export function keepTray(options: TrayOptions, platform = process.platform): TrayKeeper {
  const { background, log } = options;
  let isHidden = false;
  let remove: (() => void) | null = null;

  function update(): void {
    const isWanted = isHidden || background.showsIcon();
    if (isWanted === (remove !== null)) return;
    remove?.();
    remove = null;
    if (!isWanted) return;
    try {
      remove = showIcon(options, platform);
    } catch (cause) {
      log.warn('no icon in the notification area', { cause });
      // Do not try again at each change.
      remove = () => undefined;
    }
  }

  background.onChanged(update);
  update();
  return {
    windowHidden(latest) {
      isHidden = latest;
      update();
    },
  };
}

/**
 * Minimum interval between changes of the texts, in ms. On Linux each change exports the whole menu again with new ids
 * (`DbusMenu::SetModel` of Chromium's components/dbus/menu/menu.cc): desktops then redraw an open menu, and a click in progress is lost.
 */
const leastApartMs = { linux: 5_000, others: 1_000 };

/** @returns removes it */
function showIcon(
  { background, setPaused, showWindow, give, onFiles }: TrayOptions,
  platform: NodeJS.Platform,
): () => void {
  const isLinux = platform === 'linux';
  const tray = new Tray(makeTrayIcon(platform === 'darwin'));
  const inWindow = (command: Command) => () => {
    showWindow();
    give(command);
  };
  /** Whether the item reads Resume. A click does what the item says, even if transfers were paused elsewhere a moment ago. */
  let saysResume = false;

  const menu = Menu.buildFromTemplate([
    { id: 'line', label: texts.nothing, click: inWindow('dock.transfers') },
    { type: 'separator' },
    { id: 'open', label: texts.open, click: showWindow },
    { id: 'pause', label: texts.pause, click: () => void setPaused(!saysResume).then(write) },
    { id: 'upload', label: texts.upload, click: inWindow('upload') },
    { type: 'separator' },
    { id: 'quit', label: texts.quit, click: () => app.quit() },
  ]);
  let written = '';

  /**
   * Changes the labels of the one menu. macOS and Windows read them when it opens (electron/electron#49678); on Linux it has to be set
   * again "in order for changes made to individual MenuItems to take effect" (docs/api/tray.md). Always with a menu, because on Linux an
   * icon without one may not be shown, and clicks may not be reported.
   */
  function write(): void {
    // A call of `setPaused` may end after the icon was removed.
    if (tray.isDestroyed()) return;
    const { line, isPaused } = background.status();
    saysResume = isPaused;
    const labels = {
      line,
      open: texts.open,
      pause: isPaused ? texts.resume : texts.pause,
      upload: texts.upload,
      quit: texts.quit,
    };
    const latest = JSON.stringify(labels);
    if (latest === written) return;
    const isFirst = written === '';
    written = latest;
    for (const [id, label] of Object.entries(labels)) {
      const item = menu.getMenuItemById(id);
      if (item) item.label = label;
    }
    // On Linux this exports the menu, too (status_icon_linux_dbus.cc). A second export makes GNOME's extension stop reading the first,
    // which can leave items without labels (xiufengsun/TokenTracker#574).
    if (!isLinux) tray.setToolTip(`${app.name}\n${line}`);
    else if (isFirst) tray.setToolTip(app.name);
    if (isLinux || isFirst) tray.setContextMenu(menu);
  }

  write();
  const writeSoon = throttle(write, isLinux ? leastApartMs.linux : leastApartMs.others);
  const stops = [background.onChanged(writeSoon), onLanguageChange(write)];
  tray.on('click', showWindow);
  tray.on('drop-files', (_event, paths) => onFiles(paths));
  return () => {
    writeSoon.cancel();
    for (const stop of stops) stop();
    tray.destroy();
  };
}
