import { app, Menu, Tray } from 'electron';
import { onLanguageChange } from '../../shared/i18n/language.ts';
import { mainTexts } from '../texts.ts';
import { makeTrayIcon } from './tray-icon.ts';

/** An icon in the notification area that shows that Coffer runs without its window. @returns removes it */
export function showTray(showWindow: () => void): () => void {
  const tray = new Tray(makeTrayIcon(process.platform === 'darwin'));
  const write = () => {
    tray.setToolTip(mainTexts.tray.tip);
    // Always with a menu: on Linux an icon without one may not be shown, and clicks may not be reported (docs/api/tray.md).
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
