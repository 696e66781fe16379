import { setTimeout } from 'node:timers/promises';
import { app, clipboard, ClipboardItem, type BrowserWindow } from 'electron';
import { AppFailure, toAppError } from '../../shared/app-failure.ts';
import { clearBuffers, type ClipboardBuffer } from '../secrets/clipboard-buffers.ts';
import type { ClipboardAccess } from '../secrets/clipboard-programs.ts';
import { secretMarks } from './secret-marks.ts';

/**
 * How long GNOME may take to give the focus and to report the clipboard's content, in ms: each is a message of its own, and until
 * they arrive Chromium reads the old state.
 */
const settleMs = 300;

/**
 * Electron's clipboard. On Wayland a window without the focus must not touch it: GNOME ignores what such a window copies
 * (mutter, `data_device_set_selection`). By then Chromium has withdrawn its own offer, and GNOME's clipboard manager offers the
 * copy that it keeps (meta-clipboard-manager.c). Neither is reported: `readText` returns what Chromium meant to offer
 * (clipboard_ozone.cc). In that case `programs` are used, if installed.
 */
export function createSystemClipboard(
  getWindow: () => Pick<BrowserWindow, 'isFocused'> | null,
  programs: ClipboardAccess,
  settle: () => Promise<unknown> = () => setTimeout(settleMs),
): ClipboardAccess {
  const mayNotTouch = () => isWayland() && !getWindow()?.isFocused();
  // Once Chromium has no offer of its own, it reads the real content.
  const cleared = async (clear: () => void) => {
    clear();
    if (isWayland()) await settle();
  };
  const buffers = (): ClipboardBuffer[] => [
    { read: () => clipboard.readText(), clear: () => cleared(() => clipboard.clear()) },
    // With a text Chromium sets the primary selection too, and `clear` leaves it there (clipboard_ozone.cc).
    ...(process.platform === 'linux'
      ? [
          {
            read: () => clipboard.selection.readText(),
            clear: () => cleared(() => clipboard.selection.clear()),
          },
        ]
      : []),
  ];
  return {
    readClipboardText: () =>
      mayNotTouch()
        ? unlessMissing(programs.readClipboardText(), () => clipboard.readText())
        : clipboard.readText(),
    async writeSecretToClipboard(text) {
      if (mayNotTouch())
        return unlessMissing(programs.writeSecretToClipboard(text), () => {
          throw new AppFailure({ code: 'clipboardRefused', problem: 'unfocused' });
        });
      // All formats of one `write` are committed together.
      return clipboard.write([new ClipboardItem({ 'text/plain': text, ...secretMarks(process.platform) })]);
    },
    async removeFromClipboard(isOurs) {
      if (mayNotTouch())
        return unlessMissing(programs.removeFromClipboard(isOurs), async () => {
          // Reading is harmless, and shows whether another program has copied something since.
          const texts = await Promise.all(buffers().map((buffer) => buffer.read()));
          return !texts.some(isOurs);
        });
      await clearBuffers(buffers(), isOurs);
      return true;
    },
    clearClipboard: async () => clipboard.clear(),
  };
}

/** Chromium writes its choice into the switch before the application is loaded (`SetOzonePlatformForLinuxIfNeeded`). */
export function isWayland(): boolean {
  return app.commandLine.getSwitchValue('ozone-platform') === 'wayland';
}

async function unlessMissing<T>(work: Promise<T>, otherwise: () => Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    if (toAppError(cause)?.code !== 'clipboardRefused') throw cause;
    return otherwise();
  }
}
