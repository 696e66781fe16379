import { mkdirSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/*
 * requestSingleInstanceLock is synchronous, so the lock is a file with the process id of its holder; a second start
 * leaves its command line beside it, which the holder watches for.
 */

/** The process that holds the lock; null: it was killed, and its id may have been reused. */
function findHolder(lock: string): number | null {
  try {
    const pid = Number(readFileSync(lock, 'utf8'));
    process.kill(pid, 0);
    const isOurs =
      process.platform !== 'linux' || readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('chromium-shell');
    return isOurs ? pid : null;
  } catch {
    return null;
  }
}

/** The command line and folder of a second start; null: half written, or handled already. */
function readKnock(knock: string): [argv: string[], folder: string] | null {
  try {
    const second = JSON.parse(readFileSync(knock, 'utf8')) as [string[], string];
    rmSync(knock);
    return second;
  } catch {
    return null;
  }
}

/** Commands and folders of later starts go to `onSecond`. */
type OnSecond = (argv: string[], folder: string) => void;

/** false: another process holds the lock, and was notified; or, as in Electron, the folder cannot be written (electron_api_app.cc: LOCK_ERROR) */
export function takeLock(userData: string, onSecond: OnSecond): boolean {
  try {
    return writeLock(userData, onSecond);
  } catch {
    return false;
  }
}

function writeLock(userData: string, onSecond: OnSecond): boolean {
  const folder = join(userData, 'Single Instance');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = join(folder, 'lock');
  const knock = join(folder, 'knock');
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      break;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
      const holder = findHolder(lock);
      if (holder === process.pid) return true;
      if (holder !== null) {
        writeFileSync(knock, JSON.stringify([process.argv, process.cwd()]));
        return false;
      }
      rmSync(lock, { force: true }); // left by a process that was killed
    }
  }
  rmSync(knock, { force: true });
  const watcher = watch(folder, (_change, name) => {
    const second = name === 'knock' && readKnock(knock);
    if (second) onSecond(...second);
  });
  watcher.unref();
  process.on('exit', () => rmSync(lock, { force: true }));
  return true;
}
