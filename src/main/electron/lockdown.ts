import { app, session, type Event } from 'electron';

/**
 * Nothing that the pages type is checked for spelling, and no dictionary is fetched for it: Electron downloads them "from the
 * Chromium CDN" (setSpellCheckerDictionaryDownloadURL), at the first use of a session and whatever `spellcheck` of a window
 * says (electron/electron#22995). In the same tick as that first use: so before anything else of `ready`. Should Electron
 * ask all the same, nothing listens there, and Chromium does not even try this port (net/base/port_util.cc).
 */
export function refuseSpellChecker(): void {
  const { defaultSession } = session;
  defaultSession.setSpellCheckerEnabled(false);
  defaultSession.setSpellCheckerDictionaryDownloadURL('http://127.0.0.1:1/');
}

/**
 * What no page of ours ever needs is denied for every page there may ever be (Electron's security tutorial 5, 11 to 15).
 * After `ready` and before the first window.
 * @param page the address of our own page, which may be loaded again: `location.reload()` is a navigation, and comes as
 * `will-frame-navigate`, then `will-navigate`; what the main process loads does not ("Navigation Events", docs/api/web-contents.md)
 */
export function lockDown(page: string, openExternal: (url: string) => Promise<boolean>): void {
  // Chromium checks before it requests; both must say no. Without handlers Electron allows.
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
