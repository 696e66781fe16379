import { app, BrowserWindow, nativeTheme, screen } from 'electron';
import type { Log } from '../ports.ts';
import { recoverPage } from './page-recovery.ts';
import { readJsonFile, writeJsonFile } from './json-file.ts';
import { checkWindowState, defaultSize, minimumSize, type WindowState } from './window-bounds.ts';

export type WindowOptions = {
  url: string;
  /** Absolute path of the preload script. */
  preload: string;
  /** Absolute path of the file that stores the window's position. */
  stateFile: string;
  log: Log;
};

/** `--surface-base` of the page, so that nothing flashes before its first paint. */
const background = { light: '#ffffff', dark: '#15191a' } as const;

/**
 * Call after `ready`. The only window, shown when its page has painted: `ready-to-show` is emitted "when the web page
 * has been rendered (while not being shown) and window can be displayed without a visual flash". A maximised window
 * waits too, because `maximize` "will also show (but not focus) the window" (electron.d.ts). On Wayland it is shown at once, in the
 * page's colour: a hidden window gets no frames there, so `ready-to-show` may never come (electron/electron#48859), and where it does
 * the window may stay empty (seen with Electron 33).
 */
export function openWindow({ url, preload, stateFile, log }: WindowOptions): BrowserWindow {
  const workAreas = screen.getAllDisplays().map((display) => display.workArea);
  const isOnWayland = isWayland();
  const remembered = checkWindowState(readJsonFile(stateFile), workAreas, !isOnWayland);
  const window = new BrowserWindow({
    ...(remembered?.bounds ?? defaultSize),
    minWidth: minimumSize.width,
    minHeight: minimumSize.height,
    title: 'Coffer',
    show: isOnWayland,
    backgroundColor: nativeTheme.shouldUseDarkColors ? background.dark : background.light,
    // Electron's defaults, written down because security depends on them.
    webPreferences: {
      preload,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false,
    },
  });
  const isMaximized = remembered?.isMaximized === true;
  if (isOnWayland && isMaximized) window.maximize();
  if (!isOnWayland)
    window.once('ready-to-show', () => {
      if (isMaximized) window.maximize();
      window.show();
    });
  window.on('close', () => {
    try {
      const { x, y, ...size } = window.getNormalBounds();
      const bounds = isOnWayland ? size : { x, y, ...size };
      const state: WindowState = { bounds, isMaximized: window.isMaximized() };
      writeJsonFile(stateFile, state);
    } catch (cause) {
      log.warn('The place of the window could not be remembered', { cause });
    }
  });
  recoverPage(window, url, log);
  return window;
}

/**
 * On Wayland "introspecting or programmatically changing the global window coordinates is prohibited", and `minimize` and `isMinimized`
 * do not work (electron.d.ts). Chromium writes its choice into the command line before the entry module is loaded
 * (SetOzonePlatformForLinuxIfNeeded, called in shell/app/electron_main_delegate.cc).
 */
const isWayland = () => app.commandLine.getSwitchValue('ozone-platform') === 'wayland';

/** Brings the window to the front, from any state; a minimised one on Wayland only if the system lets `focus` do so. */
export function focusWindow(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}

/**
 * Hiding a full-screen window on macOS leaves a black screen (electron/electron#39572), and there "fullscreen
 * transitions take place asynchronously" (setFullScreen): so it leaves full screen first.
 * @param onHidden called when hidden. The event `hide` cannot be used: on macOS it means that the window cannot be seen
 * (windowDidChangeOcclusionState in electron_ns_window_delegate.mm), so it is also emitted when another window covers this one, and not
 * for one that is already covered when it hides.
 */
export function hideWindow(window: BrowserWindow, onHidden: () => void, platform = process.platform): void {
  const hide = () => {
    window.hide();
    onHidden();
  };
  if (platform !== 'darwin' || !window.isFullScreen()) return hide();
  window.once('leave-full-screen', hide);
  window.setFullScreen(false);
}
