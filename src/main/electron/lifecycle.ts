import { resolve } from 'node:path';
import { app } from 'electron';
import { mkdirSync } from '../local-files/fs.ts';
import type { Log } from '../ports.ts';
import { appId, toastActivatorClsid } from '../identity.ts';

/**
 * What must happen before `ready`: in the entry's synchronous body, with no `await` before it. Electron
 * awaits the entry module before it is ready, so nothing may await `ready` at its top level either.
 * `--user-data-dir` is honoured here, because everything that is kept hangs on it. Answers what the log should hold.
 */
export function prepareApp(): string[] {
  const notes = enableSandbox();
  if (app.isPackaged) refuseDebuggers();
  if (process.platform === 'win32') introduceToWindows();
  const folder = app.commandLine.getSwitchValue('user-data-dir');
  if (folder) {
    // "If the path specifies a directory that does not exist, an `Error` is thrown" (app.setPath).
    mkdirSync(resolve(folder), { recursive: true, mode: 0o700 });
    app.setPath('userData', resolve(folder));
  }
  return notes;
}

/**
 * `app.enableSandbox` takes `--no-sandbox` off the command line again, and as root, where Chromium has no sandbox, the
 * program then ends at once (crbug.com/638180). Whoever passes the switch gets what they asked for, and is told.
 */
function enableSandbox(): string[] {
  if (!app.commandLine.hasSwitch('no-sandbox')) {
    app.enableSandbox();
    return [];
  }
  const note = 'pages run without the sandbox of the system, because of --no-sandbox';
  process.stderr.write(`Coffer: ${note}\n`);
  return [note];
}

/**
 * Whoever can start an installed program with these switches would own its window. They are read after the entry was loaded;
 * `removeSwitch` is there "to control Chromium's behavior" (docs/api/command-line.md).
 */
function refuseDebuggers(): void {
  for (const name of ['remote-debugging-port', 'remote-debugging-pipe']) app.commandLine.removeSwitch(name);
}

/**
 * Windows shows notifications of programs it knows by a shortcut with this identifier, and activates this class when one
 * is clicked; the installer's shortcut has both. Without them Electron makes both up, anew for each run. "Early (before
 * showing notifications) so the value is baked into the registration/shortcut" (app.setToastActivatorCLSID).
 * An unpackaged run is another program (and shows no notifications, see desktop.ts).
 */
function introduceToWindows(): void {
  app.setAppUserModelId(app.isPackaged ? appId : `${appId}.Development`);
  if (app.isPackaged) app.setToastActivatorCLSID(toastActivatorClsid);
}

/** Before `ready`, after `prepareApp` (the lock lies in the user data). False: another one runs, and was told to come forward. */
export function isOnlyInstance(onSecondStart: () => void): boolean {
  if (!app.requestSingleInstanceLock()) return false;
  app.on('second-instance', onSecondStart);
  return true;
}

/** How long quitting waits for `close`. What is cut off then is what a crash would cut off: the journal knows. */
const closeLimitMs = 5_000;

/**
 * Closing the window ends the program, everywhere, when it is agreed to; ending it waits for `close` once, and never longer
 * than the limit. `before-quit` may be prevented, and comes again with the next `app.quit()`; "on Windows, this event will
 * not be emitted if the app is closed due to a shutdown/restart of the system or a user logout" (docs/api/app.md).
 */
export function quitAfter(mayQuit: () => Promise<boolean>, close: () => Promise<void>, log: Log): void {
  let state: 'running' | 'leaving' | 'closed' = 'running';
  app.on('window-all-closed', () => app.quit());
  app.on('before-quit', (event) => {
    if (state === 'closed') return;
    event.preventDefault();
    if (state === 'running') void leave();
  });

  async function leave(): Promise<void> {
    state = 'leaving';
    if (!(await mayQuit())) {
      state = 'running';
      return;
    }
    const limit = new Promise<void>((_resolve, reject) => {
      setTimeout(() => reject(new Error('took too long')), closeLimitMs).unref();
    });
    await Promise.race([close(), limit]).catch((cause: unknown) =>
      log.error('Not everything closed in order', { cause }),
    );
    state = 'closed';
    app.quit();
  }
}

/**
 * After `ready`: `kill`, a terminal that is closed and the end of a session on Linux end the program in order, without a
 * question. Electron has handlers of its own for these signals, which quit as a person would; it installs them between
 * loading the entry and `ready` (electron_browser_main_parts_posix.cc), and a listener that comes later takes their place.
 */
export function quitOnSignals(agree: () => void): void {
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      agree();
      app.quit();
    });
  }
}
