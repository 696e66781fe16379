import { resolve } from 'node:path';
import { app } from 'electron';
import { mkdirSync } from '../files/fs.ts';
import type { Log } from '../ports.ts';

/**
 * What must happen before `ready`: in the entry's synchronous body, with no `await` before it. Electron
 * awaits the entry module before it is ready, so nothing may await `ready` at its top level either.
 * `--user-data-dir` is honoured here, because everything that is kept hangs on it.
 */
export function prepareApp(): void {
  app.enableSandbox();
  const folder = app.commandLine.getSwitchValue('user-data-dir');
  if (!folder) return;
  // app.setPath throws for a folder that is not there.
  mkdirSync(resolve(folder), { recursive: true, mode: 0o700 });
  app.setPath('userData', resolve(folder));
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
 * than the limit.
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
