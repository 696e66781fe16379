import { uptime } from 'node:os';
import { dirname, join } from 'node:path';
import { app, type BrowserWindow } from 'electron';
import { loadCatalogues } from '../shared/i18n/catalogues.ts';
import type { Command } from '../shared/contract.ts';
import { applyLanguage, chooseLanguage } from '../shared/i18n/language.ts';
import { openAfterCommands } from './agent/open-after-commands.ts';
import { createApp, type App } from './app.ts';
import { systemClock } from './clock.ts';
import { startPage, type StartPage } from './electron/app-origin.ts';
import { createPublisher, hostBridge } from './electron/bridge-host.ts';
import { appearance, createDesktop, readPaths, readSystemLanguages } from './electron/desktop.ts';
import { showContextMenus } from './electron/context-menu.ts';
import { createDialogs } from './electron/dialogs.ts';
import { showsSigns } from './electron/desktop-signs.ts';
import { createQuitGuard, type QuitGuard } from './electron/quit-guard.ts';
import { endOnFailure, giveUp, refuseStart, reportTo } from './electron/fatal-handler.ts';
import { licencesPath } from './electron/licences-path.ts';
import {
  findForeignLock,
  findUnwritableFolder,
  isOnlyInstance,
  prepareApp,
  quitAfter,
  quitOnSignals,
} from './electron/lifecycle.ts';
import { lockDown, refuseSpellChecker } from './electron/lockdown.ts';
import { setMenu } from './electron/menu.ts';
import { followPresence } from './electron/presence.ts';
import { followScreenLock } from './electron/screen-lock.ts';
import { collectLinks, registerLinks } from './electron/opened-links.ts';
import { refuseWords } from './electron/refuse-words.ts';
import { registerAppScheme, serveApp } from './electron/serve-app.ts';
import { stayAwakeForWork } from './electron/stay-awake.ts';
import { systemProxy } from './electron/system-proxy.ts';
import { keepTray } from './electron/tray.ts';
import { updateSource } from './electron/update-source.ts';
import { focusWindow, openWindow } from './electron/window.ts';
import { makePrivateFolder } from './local-files/private-folder.ts';
import { createKeychain } from './keychain.ts';
import { onThreadFailure } from './lib/start-thread.ts';
import { createLog } from './log.ts';
import type { Ports } from './ports.ts';
import { openCrashNotes, type CrashNotes } from './crashes/crash-notes.ts';

/*
 * The composition root. Electron loads an ES module asynchronously and awaits it before it is ready: what must run
 * before `ready` is in this synchronous body, and nothing here awaits `ready` at the top level.
 */
let window: BrowserWindow | null = null;
const getWindow = () => window;
const showWindow = () => {
  if (window) focusWindow(window);
};

endOnFailure();
const isRefused = refuseWords(process.argv, process.env['APPIMAGE'], (text) => process.stderr.write(text));
const prepared = prepareApp();
const links = collectLinks();
registerAppScheme();
if (!isRefused) begin();

function begin(): void {
  const unwritable = prepared.problem ?? findUnwritableFolder();
  const isOnly =
    unwritable === null &&
    isOnlyInstance((words) => {
      showWindow();
      links.readArguments(words);
    });
  const problem = isOnly ? null : (unwritable ?? findForeignLock());
  if (isOnly) void app.whenReady().then(start).catch(giveUp);
  else if (problem !== null) refuseStart(problem, chooseWords).catch(giveUp);
  else app.quit();
}

/** @returns the system's languages */
async function chooseWords(): Promise<string[]> {
  const systemLanguages = readSystemLanguages(process.env);
  loadCatalogues();
  await applyLanguage(chooseLanguage('system', systemLanguages));
  return systemLanguages;
}

async function start(): Promise<void> {
  refuseSpellChecker();
  const systemLanguages = await chooseWords();
  const paths = readPaths(process.env);
  makePrivateFolder(paths.userData);
  const { log, path: logPath } = createLog(join(paths.userData, 'logs'));
  const crashes = openCrashNotes(dirname(logPath), {
    version: app.getVersion(),
    nowMs: systemClock.nowMs,
    uptimeMs: () => uptime() * 1000,
  });
  reportTo(log, crashes);
  onThreadFailure((thread, cause) => crashes.note('thread', cause, thread));
  const { electron, chrome, node, openssl, sqlite } = process.versions;
  log.info('Coffer starts', { version: app.getVersion(), electron, chrome, node, openssl, sqlite });
  for (const note of prepared.notes) log.info(note);
  const desktop = createDesktop({
    getWindow,
    allowedPages: updateSource ? [updateSource.releasePage] : [],
    onNotificationClick: showWindow,
    log,
  });
  const publisher = createPublisher(getWindow);
  const ports: Ports = {
    keychain: createKeychain(),
    clock: systemClock,
    dialogs: createDialogs({
      getWindow,
      stateFile: join(paths.userData, 'dialogs.json'),
      downloads: paths.downloads,
      log,
    }),
    desktop,
    appearance,
    systemProxy,
    environment: process.env,
    systemLanguages,
    paths,
    log,
    publisher,
  };
  const shell = process.versions.electron === undefined ? 'chromium' : 'electron';
  const coffer = createApp(
    ports,
    {
      version: app.getVersion(),
      platform: platformName(),
      shell,
      files: { log: logPath, licences: licencesPath() },
      crashes,
      commandFiles: [
        app.isPackaged
          ? join(process.resourcesPath, 'command', 'coffer')
          : join(import.meta.dirname, 'command.js'),
      ],
      localServiceWorker: new URL('./local-service.cjs', import.meta.url),
      updates: updateSource,
    },
    { open: openAfterCommands(app.getVersion()) },
  );
  const page = startPage(app.isPackaged, process.env['ELECTRON_RENDERER_URL']);
  lockDown(page.url, desktop.openExternal);
  links.deliverTo((link) => {
    showWindow();
    coffer.openLink(link);
  });
  registerLinks();
  const give = (command: Command) => publisher.publish('command.given', { command });
  setMenu(give);
  const tray = keepTray({
    background: coffer.background,
    setPaused: coffer.setPaused,
    showWindow,
    give,
    onFiles(paths) {
      showWindow();
      coffer.dropFiles(paths);
    },
    log,
  });
  stayAwakeForWork(coffer.background);
  const quitGuard = createQuitGuard({
    getWindow,
    coffer,
    tray,
    desktop,
    showsSigns: () => showsSigns(process.env),
    log,
  });
  showPage(page, coffer, ports, desktop.startDrag, quitGuard, crashes);
  quitAfter(quitGuard.mayQuit, coffer.close, () => crashes.end(), log);
  quitOnSignals(quitGuard.agree);
}

function showPage(
  page: StartPage,
  coffer: App,
  { log, paths, publisher }: Ports,
  startDrag: () => void,
  quitGuard: QuitGuard,
  crashes: CrashNotes,
): void {
  serveApp(join(import.meta.dirname, '../renderer'), coffer.preview, page.origin);
  hostBridge({ origin: page.origin, router: coffer.router, grant: coffer.grant, startDrag });
  window = openWindow({
    url: page.url,
    preload: join(import.meta.dirname, '../preload/index.cjs'),
    stateFile: join(paths.userData, 'window.json'),
    log,
  });
  window.on('closed', () => {
    window = null;
  });
  window.on('focus', coffer.focused);
  showContextMenus(window);
  // Only on Windows, where `before-quit` is not emitted then (docs/api/app.md); there is no time to wait for anything.
  window.on('session-end', () => {
    coffer.sessionEnds();
    crashes.end();
  });
  quitGuard.guard(window);
  followScreenLock(coffer.holdsApprovals, coffer.lock);
  followPresence(window, {
    onAway: () => publisher.publish('secrets.hide', undefined),
    onBack: coffer.wake,
  });
}

function platformName(): 'linux' | 'darwin' | 'win32' | 'other' {
  const { platform } = process;
  return platform === 'linux' || platform === 'darwin' || platform === 'win32' ? platform : 'other';
}
