/*
 * What `import 'electron'` returns under the stand-in: the part of Electron's API that the application uses, on top
 * of an installed Chromium. Other members are not exported, or throw with their name.
 */
import type * as Electron from 'electron';
import { app, startWhenEvaluated } from './app.ts';
import { clipboard, ClipboardItem } from './clipboard.ts';
import { dialog } from './dialog.ts';
import { ipcMain } from './ipc-main.ts';
import { Menu } from './menu.ts';
import { net, powerMonitor, powerSaveBlocker } from './power.ts';
import { protocol } from './protocol.ts';
import { session } from './session.ts';
import { nativeTheme, Notification, screen, shell } from './system.ts';
import { nativeImage, Tray } from './tray.ts';
import { BrowserWindow } from './window.ts';

const provided = {
  app, BrowserWindow, clipboard, ClipboardItem, dialog, ipcMain, Menu, nativeImage, nativeTheme, net, Notification,
  powerMonitor, powerSaveBlocker, protocol, screen, session, shell, Tray,
}; // oxfmt-ignore
// Every name is one of Electron's.
provided satisfies { [name in keyof typeof Electron]?: unknown };

export { startWhenEvaluated };
export {
  app, BrowserWindow, clipboard, ClipboardItem, dialog, ipcMain, Menu, nativeImage, nativeTheme, net, Notification,
  powerMonitor, powerSaveBlocker, protocol, screen, session, shell, Tray,
}; // oxfmt-ignore
