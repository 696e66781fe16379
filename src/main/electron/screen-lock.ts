import { execFile } from 'node:child_process';
import { powerMonitor } from 'electron';

/** Maximum delay in noticing a lock on Linux, in ms. */
const checkEveryMs = 3_000;
const answersWithinMs = 2_000;

/**
 * Call after `ready`. `lock-screen` is "emitted when the system is about to lock the screen" only on macOS and
 * Windows (docs/api/power-monitor.md), and `getSystemIdleState` returns `locked` "on supported systems only": GNOME
 * on Wayland has been seen to return it all the time. So on Linux this asks logind, which desktops inform
 * (`LockedHint` of the session), and only while an approval would end. Without logind locks go unnoticed, and
 * approvals end by time. Sleep counts as a lock.
 */
export function followScreenLock(isNeeded: () => boolean, onLock: () => void): void {
  powerMonitor.on('lock-screen', onLock);
  powerMonitor.on('suspend', onLock);
  if (process.platform !== 'linux') return;
  setInterval(() => {
    if (isNeeded()) askLogind((isLocked) => isLocked && onLock());
  }, checkEveryMs).unref();
}

/** Asks about the session in which this program runs. */
function askLogind(answer: (isLocked: boolean) => void): void {
  const session = process.env['XDG_SESSION_ID'] || 'auto';
  const words = ['show-session', session, '--property=LockedHint', '--value'];
  execFile('loginctl', words, { timeout: answersWithinMs }, (failure, said) => {
    answer(failure === null && said.trim() === 'yes');
  });
}
