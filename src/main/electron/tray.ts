import { app, Menu, Tray } from 'electron';
import { onLanguageChange } from '../../shared/i18n/language.ts';
import { mainTexts } from '../texts.ts';
import { makeTrayIcon } from './tray-icon.ts';

/** A sign in the notification area that Coffer runs without its window, and the way back. Answers how to take it away. */
export function showTray(showWindow: () => void): () => void {
  const tray = new Tray(makeTrayIcon(process.platform === 'darwin'));
  const write = () => {
    tray.setToolTip(mainTexts.tray.tip);
    // A menu always: on Linux an icon without one may not be shown, and clicks may not be told (docs/api/tray.md).
    tray.setContextMenu(
      Menu.buildFromTemplate([
        { label: mainTexts.tray.show, click: showWindow },
        { type: 'separator' },
        { label: mainTexts.tray.quit, click: () => app.quit() },
      ]),
    );
  };
  write();
  const stop = onLanguageChange(write);
  tray.on('click', showWindow);
  return () => {
    stop();
    tray.destroy();
  };
}
