import { app, dialog, type BrowserWindow } from 'electron';
import { mainTexts } from '../texts.ts';
import { productName } from '../identity.ts';
import type { Log } from '../ports.ts';

/** A page that crashes again within this time, in ms, would crash forever. */
const soonMs = 60_000;

/**
 * Loads the page, and reloads it after a crash: all state is in the main process. If it crashes again soon, or cannot
 * be loaded, the person decides. Transfers continue in any case. Relies on electron.d.ts: `did-fail-load` is emitted
 * for each frame, with code -3 for aborted loads; `loadURL` rejects in the same cases; after `render-process-gone`
 * the window stays open, empty.
 */
export function recoverPage(window: BrowserWindow, url: string, log: Log): void {
  const { webContents } = window;
  let crashedAtMs = -Infinity;
  let isAsking = false;
  let hasShown = false;
  window.once('show', () => {
    hasShown = true;
  });

  // Errors are reported by the events.
  const load = () => void window.loadURL(url).catch(() => undefined);

  async function offer(): Promise<void> {
    if (isAsking || window.isDestroyed()) return;
    isAsking = true;
    if (!hasShown) window.show(); // it never painted
    // Do not ask while the window is hidden.
    if (!window.isVisible()) await new Promise<void>((resolve) => window.once('show', () => resolve()));
    try {
      const { response } = await dialog.showMessageBox(window, questionOf());
      if (response === quitId) app.quit();
      else if (!window.isDestroyed()) load();
    } catch (cause) {
      log.error('Nobody could be asked whether to load the page again', { cause });
    } finally {
      isAsking = false;
    }
  }

  webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    if (reason === 'clean-exit' || window.isDestroyed()) return;
    const isAgain = performance.now() - crashedAtMs < soonMs;
    crashedAtMs = performance.now();
    log.error('The page crashed', { reason, exitCode, again: isAgain });
    if (isAgain) void offer();
    else webContents.reload();
  });
  webContents.on('did-fail-load', (_event, code, description, _url, isMainFrame) => {
    if (!isMainFrame || code === aborted) return;
    log.error('The page could not be loaded', { code, description });
    void offer();
  });
  load();
}

/** Chromium's net error ERR_ABORTED. */
const aborted = -3;

function questionOf() {
  const { stopped, stoppedText, load, quit } = mainTexts.page;
  return {
    type: 'error' as const,
    title: productName,
    message: stopped,
    detail: stoppedText,
    buttons: [load, quit],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  };
}
const quitId = 1;
