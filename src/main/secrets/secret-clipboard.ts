import { createHmac, randomBytes } from 'node:crypto';
import { clipboardMs, type ClipboardState } from '../../shared/domain/secret.ts';
import { Alarm } from '../lib/timers.ts';
import type { Clock, Desktop, Log } from '../ports.ts';

/** Holds the value of one secret on the clipboard, for 45 seconds. */
export interface SecretClipboard {
  copy(objectId: number, text: string): Promise<ClipboardState>;
  state(): ClipboardState;
  /** Removes the value if it is still on the clipboard. Never rejects; failures are retried later. */
  clear(): Promise<void>;
  /** Clears the clipboard without reading it, if it may hold a value: there is no time to check. */
  clearUnseen(): void;
  /** Call after sleep, during which timers stood still. */
  wake(): void;
}

interface Held {
  readonly objectId: number;
  readonly clearsAtMs: number;
  /** Recognises the copied text without storing it. */
  readonly isOurs: (text: string) => boolean;
}

export function createSecretClipboard(deps: {
  desktop: Pick<Desktop, 'readClipboardText' | 'writeSecretToClipboard' | 'clearClipboard'>;
  clock: Clock;
  log: Log;
  onChanged: (state: ClipboardState) => void;
}): SecretClipboard {
  const { desktop, clock, log, onChanged } = deps;
  let held: Held | null = null;
  const alarm = new Alarm(clock, () => void clear());

  const state = () => ({ objectId: held?.objectId ?? null, clearsAtMs: held?.clearsAtMs ?? null });

  function hold(next: Held | null): void {
    held = next;
    if (next) alarm.setAfter(clipboardMs);
    else alarm.cancel();
    onChanged(state());
  }

  async function clear(): Promise<void> {
    const mine = held;
    if (!mine) return;
    try {
      if (mine.isOurs(await desktop.readClipboardText())) await desktop.clearClipboard();
      if (held === mine) hold(null);
    } catch (cause) {
      log.warn('the clipboard could not be cleared', { cause });
      if (held === mine && !alarm.isSet) alarm.setAfter(clipboardMs);
    }
  }

  return {
    state,
    clear,
    clearUnseen() {
      if (!held) return;
      desktop
        .clearClipboard()
        .catch((cause: unknown) => log.warn('the clipboard could not be cleared', { cause }));
      hold(null);
    },
    async copy(objectId, text) {
      await desktop.writeSecretToClipboard(text);
      const clearsAtMs = clock.nowMs() + clipboardMs;
      hold({ objectId, clearsAtMs, isOurs: recognize(text) });
      return state();
    },
    wake() {
      if (held && clock.nowMs() >= held.clearsAtMs) void clear();
    },
  };
}

/** By a digest with its own key, so that the digest itself reveals nothing. */
function recognize(text: string): (other: string) => boolean {
  const key = randomBytes(32);
  // The system may have converted line ends.
  const digest = (of: string) => createHmac('sha256', key).update(of.replaceAll('\r\n', '\n')).digest();
  const known = digest(text);
  return (other) => known.equals(digest(other));
}
