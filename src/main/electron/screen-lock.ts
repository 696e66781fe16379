import { execFile } from 'node:child_process';
import { powerMonitor } from 'electron';

/** So late a lock may be seen on Linux. */
const lookEveryMs = 3_000;
const answersWithinMs = 2_000;

/**
 * After `ready`. `lock-screen` is "emitted when the system is about to lock the screen" on macOS and Windows alone
 * (docs/api/power-monitor.md), and `getSystemIdleState` says `locked` "on supported systems only": of GNOME on Wayland it has
 * been seen to say it all the time. So on Linux logind is asked, which desktops tell (`LockedHint` of the session), and only while
 * there is something to end. Without logind nothing is known of a lock there, and approvals end by their time. Sleep counts as a lock.
 */
export function followScreenLock(isNeeded: () => boolean, onLock: () => void): void {
  powerMonitor.on('lock-screen', onLock);
  powerMonitor.on('suspend', onLock);
  if (process.platform !== 'linux') return;
  setInterval(() => {
    if (isNeeded()) askLogind((isLocked) => isLocked && onLock());
  }, lookEveryMs).unref();
}

/** The person's own session: the one that this program runs in. */
function askLogind(answer: (isLocked: boolean) => void): void {
  const session = process.env['XDG_SESSION_ID'] || 'auto';
  const words = ['show-session', session, '--property=LockedHint', '--value'];
  execFile('loginctl', words, { timeout: answersWithinMs }, (failure, said) => {
    answer(failure === null && said.trim() === 'yes');
  });
}
