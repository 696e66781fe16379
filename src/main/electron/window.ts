import { BrowserWindow, nativeTheme, screen } from 'electron';
import type { Log } from '../ports.ts';
import { readKept, writeKept } from './kept-json.ts';
import { checkWindowState, defaultSize, minimumSize, type WindowState } from './window-bounds.ts';

export type WindowOptions = {
  url: string;
  /** Absolute path of the preload script. */
  preload: string;
  /** Absolute path of the file that remembers where the window was. */
  stateFile: string;
  log: Log;
};

/** `--surface-base` of the page, so that nothing flashes before it has painted. */
const background = { light: '#ffffff', dark: '#15191a' } as const;

/** After `ready`. The one window; shown when its page has painted. */
export function openWindow({ url, preload, stateFile, log }: WindowOptions): BrowserWindow {
  const workAreas = screen.getAllDisplays().map((display) => display.workArea);
  const remembered = checkWindowState(readKept(stateFile), workAreas);
  const window = new BrowserWindow({
    ...(remembered?.bounds ?? defaultSize),
    minWidth: minimumSize.width,
    minHeight: minimumSize.height,
    title: 'Coffer',
    show: false,
    backgroundColor: nativeTheme.shouldUseDarkColors ? background.dark : background.light,
    // The defaults of Electron, written down because everything rests on them.
    webPreferences: {
      preload,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false,
    },
  });
  if (remembered?.isMaximized) window.maximize();

  window.once('ready-to-show', () => window.show());
  window.on('close', () => {
    try {
      const state: WindowState = { bounds: window.getNormalBounds(), isMaximized: window.isMaximized() };
      writeKept(stateFile, state);
    } catch (cause) {
      log.warn('The place of the window could not be remembered', { cause });
    }
  });
  reloadOnceAfterCrash(window, log);
  window.loadURL(url).catch((cause: unknown) => log.error('The page could not be loaded', { cause }));
  return window;
}

/** The main process holds the truth, so a page that crashed can simply start again; one that crashes again cannot. */
function reloadOnceAfterCrash(window: BrowserWindow, log: Log): void {
  let hasCrashed = false;
  window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    if (reason === 'clean-exit') return;
    log.error('The page crashed', { reason, exitCode, again: hasCrashed });
    if (hasCrashed) return;
    hasCrashed = true;
    window.webContents.reload();
  });
}

/** Brings the window to the front, from wherever it is. */
export function focusWindow(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}
