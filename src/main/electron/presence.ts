import { net, powerMonitor, type BrowserWindow } from 'electron';

export type PresenceListeners = {
  /** Nobody looks at the window now. */
  onAway: () => void;
  /** The computer woke up, or it is connected again. */
  onBack: () => void;
};

/** Electron tells nobody when the network comes back. */
const networkEveryMs = 5_000;

/**
 * After `ready`. The lock of the screen is told on macOS and Windows only; elsewhere the window loses the focus, which the
 * page hears itself (docs/api/power-monitor.md).
 */
export function followPresence(window: BrowserWindow, { onAway, onBack }: PresenceListeners): void {
  window.on('minimize', onAway);
  window.on('hide', onAway);
  powerMonitor.on('suspend', onAway);
  powerMonitor.on('lock-screen', onAway);
  powerMonitor.on('resume', onBack);
  powerMonitor.on('unlock-screen', onBack);
  let wasOnline = net.isOnline();
  setInterval(() => {
    const isOnline = net.isOnline();
    if (isOnline && !wasOnline) onBack();
    wasOnline = isOnline;
  }, networkEveryMs).unref();
}
