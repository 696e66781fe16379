import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { app } from 'electron';
import { mkdirSync, mkdtempSync, readlinkSync, rmSync } from '../local-files/fs.ts';
import type { Log } from '../ports.ts';
import { appId, toastActivatorClsid } from '../identity.ts';

/**
 * Must run before `ready`: in the synchronous body of the entry module, before any `await`. Electron awaits the entry
 * module before it is ready, so nothing may await `ready` at its top level. Handles `--user-data-dir` here, because
 * all stored data depends on it. Returns messages for the log, and why Coffer cannot start with that folder.
 */
export function prepareApp(): { notes: string[]; problem: StartProblem | null } {
  const notes = enableSandbox();
  if (app.isPackaged) refuseDebuggers();
  if (process.platform === 'win32') introduceToWindows();
  const given = app.commandLine.getSwitchValue('user-data-dir');
  if (!given) return { notes, problem: null };
  const folder = resolve(given);
  try {
    // "If the path specifies a directory that does not exist, an `Error` is thrown" (app.setPath).
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    app.setPath('userData', folder);
    return { notes, problem: null };
  } catch (cause) {
    return { notes, problem: unwritable(folder, cause) };
  }
}

/**
 * `app.enableSandbox` removes `--no-sandbox` from the command line, and as root, where Chromium has no sandbox, the
 * program then exits at once (crbug.com/638180). So with the switch the sandbox stays off, with a warning.
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
 * Any program that starts an installed Coffer with these switches would control its window. Chromium reads them after the
 * entry module was loaded; `removeSwitch` is there "to control Chromium's behavior" (docs/api/command-line.md).
 */
function refuseDebuggers(): void {
  for (const name of ['remote-debugging-port', 'remote-debugging-pipe']) app.commandLine.removeSwitch(name);
}

/**
 * Windows shows notifications of programs that it knows by a shortcut with this identifier, and activates this class
 * on a click. The installer's shortcut has only the identifier (electron-builder's installer.nsh, `SetLnkAUMI`); with
 * the first notification Electron rewrites it with both, and keeps the class of an earlier one
 * (windows_toast_activator.cc, EnsureShortcut). Without a class of ours "a random CLSID is generated once per run"
 * (app.setToastActivatorCLSID), and a click would find that of another run. An unpackaged run is a different program
 * (and shows no notifications, see desktop.ts).
 */
function introduceToWindows(): void {
  app.setAppUserModelId(app.isPackaged ? appId : `${appId}.Development`);
  if (app.isPackaged) app.setToastActivatorCLSID(toastActivatorClsid);
}

/**
 * Why Coffer cannot start. `unwritable`: the data folder cannot be written; `code` is the system's, such as EACCES. `elsewhere`: another
 * computer holds the lock in it.
 */
export type StartProblem =
  | { kind: 'unwritable'; folder: string; code: string }
  | { kind: 'elsewhere'; host: string; lock: string };

/**
 * Call after `prepareApp` and before `isOnlyInstance`: Electron returns false for a lock that it cannot write, as if another instance
 * ran (LOCK_ERROR in shell/browser/api/electron_api_app.cc), and Coffer would exit silently. null: the folder can be written.
 */
export function findUnwritableFolder(): StartProblem | null {
  const folder = app.getPath('userData');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    rmSync(mkdtempSync(join(folder, 'writable-')), { recursive: true });
    return null;
  } catch (cause) {
    return unwritable(folder, cause);
  }
}

function unwritable(folder: string, cause: unknown): StartProblem {
  return { kind: 'unwritable', folder, code: (cause as NodeJS.ErrnoException).code ?? String(cause) };
}

/**
 * Call before `ready` and after `prepareApp`, because the lock is in the user data folder. false: another instance
 * runs, and was told to show its window.
 * @param onSecondStart called with the arguments of a later start
 */
export function isOnlyInstance(onSecondStart: (words: readonly string[]) => void): boolean {
  if (!app.requestSingleInstanceLock()) return false;
  app.on('second-instance', (_event, words) => onSecondStart(words));
  return true;
}

/**
 * Call after `isOnlyInstance` returned false. The lock may belong to another host name: the folder is on a network drive, or this
 * computer was renamed after a crash. Then no running instance was told. Except on Windows, Chromium's lock is a link to "host-pid"
 * (process_singleton_posix.cc). null: an instance on this computer holds it.
 */
export function findForeignLock(): StartProblem | null {
  const lock = join(app.getPath('userData'), 'SingletonLock');
  try {
    const [, host = ''] = /^(.*)-\d+$/.exec(readlinkSync(lock)) ?? [];
    return host === '' || host === hostname() ? null : { kind: 'elsewhere', host, lock };
  } catch {
    return null;
  }
}

/** How long quitting waits for `close`, in ms. Work cut off then is recovered at the next start, as after a crash. */
const closeLimitMs = 5_000;

/**
 * Closing the window quits on all systems, once agreed to; quitting waits for `close` once, up to the limit.
 * `before-quit` may be prevented, and is emitted again by the next `app.quit()`; "on Windows, this event will not be
 * emitted if the app is closed due to a shutdown/restart of the system or a user logout" (docs/api/app.md).
 * @param onEnd called last, whether or not everything closed in order
 */
export function quitAfter(
  mayQuit: () => Promise<boolean>,
  close: () => Promise<void>,
  onEnd: () => void,
  log: Log,
): void {
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
    onEnd();
    app.quit();
  }
}

/**
 * Call after `ready`: `kill`, a closed terminal and the end of a session on Linux quit in order, without a question.
 * Electron has handlers of its own for these signals, which quit as a person would; it installs them between loading
 * the entry module and `ready` (electron_browser_main_parts_posix.cc), and a later listener replaces them.
 */
export function quitOnSignals(agree: () => void): void {
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      agree();
      app.quit();
    });
  }
}
