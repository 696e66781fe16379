import { mkdirSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/*
 * requestSingleInstanceLock answers at once, so the lock is a file with the process id of its holder; a second start
 * leaves its command line beside it, which the holder watches for.
 */

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** False when another process holds the lock; it is told. */
export function takeLock(userData: string, onSecond: (argv: string[], folder: string) => void): boolean {
  const folder = join(userData, 'Single Instance');
  mkdirSync(folder, { recursive: true });
  const lock = join(folder, 'lock');
  const knock = join(folder, 'knock');
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      break;
    } catch {
      const holder = Number(readFileSync(lock, 'utf8'));
      if (holder === process.pid) return true;
      if (holder > 0 && isRunning(holder)) {
        writeFileSync(knock, JSON.stringify([process.argv, process.cwd()]));
        return false;
      }
      rmSync(lock, { force: true }); // left by a process that was killed
    }
  }
  rmSync(knock, { force: true });
  const watcher = watch(folder, (_change, name) => {
    if (name !== 'knock') return;
    try {
      const [argv, cwd] = JSON.parse(readFileSync(knock, 'utf8')) as [string[], string];
      rmSync(knock);
      onSecond(argv, cwd);
    } catch {
      return; // half written, or taken by the event before: another event follows or has been
    }
  });
  watcher.unref();
  process.on('exit', () => rmSync(lock, { force: true }));
  return true;
}
