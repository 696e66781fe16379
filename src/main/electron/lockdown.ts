import { app, session, type Event } from 'electron';

/**
 * Prevents the download of spell-checking dictionaries: Electron fetches them "from the Chromium CDN"
 * (setSpellCheckerDictionaryDownloadURL) at the first use of a session, whatever `spellcheck` of a window says
 * (electron/electron#22995). Must run in the same tick as that first use, so before anything else in `ready`. If
 * Electron requests one all the same, nothing listens there, and Chromium refuses this port (net/base/port_util.cc).
 */
export function refuseSpellChecker(): void {
  const { defaultSession } = session;
  defaultSession.setSpellCheckerEnabled(false);
  defaultSession.setSpellCheckerDictionaryDownloadURL('http://127.0.0.1:1/');
}

/**
 * Denies every page what ours never needs (Electron's security tutorial 5, 11 to 15). Call after `ready` and before
 * the first window.
 * @param page the address of our page, which may be reloaded: `location.reload()` is a navigation, reported by
 * `will-frame-navigate`, then `will-navigate`; loads by the main process are not ("Navigation Events",
 * docs/api/web-contents.md)
 */
export function lockDown(page: string, openExternal: (url: string) => Promise<boolean>): void {
  // Chromium checks before it requests; both must refuse. Without handlers Electron allows.
  session.defaultSession.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.defaultSession.setPermissionCheckHandler(() => false);
  session.defaultSession.setDevicePermissionHandler(() => false);

  app.on('web-contents-created', (_created, contents) => {
    const prevent = (event: Event) => event.preventDefault();
    const preventUnlessReload = (event: Event<{ url: string; isMainFrame: boolean }>) => {
      if (!event.isMainFrame || !isSamePage(event.url, page)) event.preventDefault();
    };
    contents.on('will-navigate', preventUnlessReload);
    contents.on('will-frame-navigate', preventUnlessReload);
    contents.on('will-redirect', prevent);
    contents.on('will-attach-webview', prevent);
    contents.setWindowOpenHandler(({ url }) => {
      void openExternal(url);
      return { action: 'deny' };
    });
  });
}

function isSamePage(address: string, page: string): boolean {
  const [asked, own] = [URL.parse(address), new URL(page)];
  if (!asked) return false;
  asked.hash = '';
  return asked.href === own.href;
}
