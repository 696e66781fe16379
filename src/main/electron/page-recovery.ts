import { app, dialog, type BrowserWindow } from 'electron';
import { mainTexts } from '../texts.ts';
import { productName } from '../identity.ts';
import type { Log } from '../ports.ts';

/** A page that crashes again so soon would crash for ever. */
const soonMs = 60_000;

/**
 * Loads the page, and keeps it there. The main process holds the truth, so a page that crashed simply starts again; one that
 * crashes again soon, or cannot be loaded, is for the person to decide. Transfers go on in any case.
 * Relied on (electron.d.ts): `did-fail-load` comes for each frame, and for what was aborted with the code -3; `loadURL`
 * rejects for the same; `render-process-gone` leaves the window as it is, empty.
 */
export function recoverPage(window: BrowserWindow, url: string, log: Log): void {
  const { webContents } = window;
  let crashedAtMs = -Infinity;
  let isAsking = false;
  let hasShown = false;
  window.once('show', () => {
    hasShown = true;
  });

  // What went wrong is told by the events.
  const load = () => void window.loadURL(url).catch(() => undefined);

  async function offer(): Promise<void> {
    if (isAsking || window.isDestroyed()) return;
    isAsking = true;
    if (!hasShown) window.show(); // it never painted
    // Behind a person's back nothing is asked.
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

/** Of Chromium's net errors: ERR_ABORTED. */
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
