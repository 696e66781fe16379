// The yardstick for a start: the least that shows a window with a page of its own.
import { mkdirSync } from 'node:fs';
import { app, BrowserWindow, protocol, session } from 'electron';

const folder = app.commandLine.getSwitchValue('user-data-dir');
mkdirSync(folder, { recursive: true });
app.setPath('userData', folder);
protocol.registerSchemesAsPrivileged([{ scheme: 'app', privileges: { standard: true, secure: true } }]);

void app.whenReady().then(() => {
  session.defaultSession.setSpellCheckerEnabled(false);
  session.defaultSession.setSpellCheckerDictionaryDownloadURL('http://127.0.0.1:1/');
  const page = '<!doctype html><p>A page';
  protocol.handle('app', () => new Response(page, { headers: { 'content-type': 'text/html' } }));
  const window = new BrowserWindow({ show: false });
  window.once('ready-to-show', () => window.show());
  void window.loadURL('app://bare/');
});
app.on('window-all-closed', () => app.quit());
