import { execFile } from 'node:child_process';
import { outsideAppImage } from '../lib/start-program.ts';
import type { Environment } from '../ports.ts';

/** An icon in the notification area needs the first (StatusNotifierItem, which is all that Chromium speaks), a notification the second. */
const names = ['org.kde.StatusNotifierWatcher', 'org.freedesktop.Notifications'];
const answersWithinMs = 2_000;

/**
 * Whether the desktop shows an icon or a notification of a program without a window. On Linux some show neither (a window manager
 * alone), and Electron does not tell: `new Tray` succeeds, and `Notification.isSupported()` is true once libnotify is there. true also
 * where nobody can be asked.
 */
export async function showsSigns(environment: Environment, platform = process.platform): Promise<boolean> {
  if (platform !== 'linux') return true;
  // A service for notifications may not run before the first one.
  const lists = await Promise.all(
    ['ListNames', 'ListActivatableNames'].map((list) => ask(list, environment)),
  );
  return (
    lists.includes(null) || names.some((name) => lists.some((said) => said?.split(/\s+/).includes(name)))
  );
}

/** @returns '': there is no session bus; null: dbus-send is not installed, or has not answered */
function ask(list: string, environment: Environment): Promise<string | null> {
  const bus = ['--dest=org.freedesktop.DBus', '/org/freedesktop/DBus', `org.freedesktop.DBus.${list}`];
  const options = { timeout: answersWithinMs, env: outsideAppImage(environment) };
  return new Promise((resolve) => {
    execFile('dbus-send', ['--session', '--print-reply=literal', ...bus], options, (failure, said) => {
      if (failure === null) resolve(said);
      else resolve(typeof failure.code === 'number' ? '' : null);
    });
  });
}
