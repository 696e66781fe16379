import { net, powerMonitor, type BrowserWindow } from 'electron';

export type PresenceListeners = {
  /** The window lost the person's attention. */
  onAway: () => void;
  /** The computer woke up, or is connected again. */
  onBack: () => void;
};

/** Polling interval: Electron has no event for the network. */
const networkEveryMs = 5_000;

/** Electron and Chromium both listen to logind, so a sleep may be told twice at once. In ms. */
const sameSleepMs = 1_000;

/**
 * Call after `ready`. Electron reports a locked screen only on macOS and Windows; elsewhere the window loses focus,
 * which the page notices itself (docs/api/power-monitor.md). It also notices a minimised window, which Wayland does not report.
 */
export function followPresence(window: BrowserWindow, { onAway, onBack }: PresenceListeners): void {
  window.on('minimize', onAway);
  window.on('hide', onAway);
  powerMonitor.on('suspend', oncePerSleep(onAway));
  powerMonitor.on('lock-screen', onAway);
  powerMonitor.on('resume', oncePerSleep(onBack));
  powerMonitor.on('unlock-screen', onBack);
  let wasOnline = net.isOnline();
  setInterval(() => {
    const isOnline = net.isOnline();
    if (isOnline && !wasOnline) onBack();
    wasOnline = isOnline;
  }, networkEveryMs).unref();
}

function oncePerSleep(listener: () => void): () => void {
  let lastMs = -Infinity;
  return () => {
    const nowMs = performance.now();
    if (nowMs - lastMs < sameSleepMs) return;
    lastMs = nowMs;
    listener();
  };
}
