import { app, session, type Event } from 'electron';

/**
 * What no page of ours ever needs is denied for every page there may ever be (Electron's security tutorial 5, 11 to 15).
 * After `ready` and before the first window.
 */
export function lockDown(openExternal: (url: string) => Promise<boolean>): void {
  // Chromium checks before it requests; both must say no. Without handlers Electron allows.
  session.defaultSession.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.defaultSession.setPermissionCheckHandler(() => false);
  session.defaultSession.setDevicePermissionHandler(() => false);

  app.on('web-contents-created', (_created, contents) => {
    const prevent = (event: Event) => event.preventDefault();
    contents.on('will-navigate', prevent);
    contents.on('will-frame-navigate', prevent);
    contents.on('will-redirect', prevent);
    contents.on('will-attach-webview', prevent);
    contents.setWindowOpenHandler(({ url }) => {
      void openExternal(url);
      return { action: 'deny' };
    });
  });
}
