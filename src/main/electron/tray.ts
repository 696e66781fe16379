import { app, Menu, Tray } from 'electron';
import { makeTrayIcon } from './tray-icon.ts';

/** A sign in the notification area that Coffer runs without its window, and the way back. Answers how to take it away. */
export function showTray(showWindow: () => void): () => void {
  const tray = new Tray(makeTrayIcon(process.platform === 'darwin'));
  tray.setToolTip('Coffer goes on with deferred requests');
  // A menu always: on Linux an icon without one may not be shown, and clicks may not be told (docs/api/tray.md).
  tray.setContextMenu(
    Menu.buildFromTemplate([
      { label: 'Show Coffer', click: showWindow },
      { type: 'separator' },
      { label: 'Quit', click: () => app.quit() },
    ]),
  );
  tray.on('click', showWindow);
  return () => tray.destroy();
}
