import { createHmac, randomBytes } from 'node:crypto';
import { clipboardMs, type ClipboardState } from '../../shared/domain/secret.ts';
import { Alarm } from '../lib/timers.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import type { Clock, Log } from '../ports.ts';
import type { ClipboardAccess } from './clipboard-programs.ts';

/** Holds the value of one secret, or an invitation to a team, on the clipboard, for 45 seconds. */
export interface SecretClipboard {
  /** @param objectId whose value it is; null: an invitation */
  copy(objectId: number | null, text: string): Promise<ClipboardState>;
  state(): ClipboardState;
  /** Removes the value if it is still on the clipboard. Never rejects; failures are retried later. */
  clear(): Promise<void>;
  /** Clears the clipboard without reading it, if it may hold a value: there is no time to check. */
  clearUnseen(): void;
  /** Call after sleep, during which timers stood still. */
  wake(): void;
  /** Call when the window gets the focus: clears a value that could not be cleared without it. */
  focused(): void;
}

interface Held {
  readonly objectId: number | null;
  readonly clearsAtMs: number;
  readonly waitsForFocus: boolean;
  /** Recognises the copied text without storing it. */
  readonly isOurs: (text: string) => boolean;
}

export function createSecretClipboard(deps: {
  desktop: ClipboardAccess;
  clock: Clock;
  log: Log;
  onChanged: (state: ClipboardState) => void;
}): SecretClipboard {
  const { desktop, clock, log, onChanged } = deps;
  let held: Held | null = null;
  const alarm = new Alarm(clock, () => void clear());

  const state = () => ({
    objectId: held?.objectId ?? null,
    clearsAtMs: held?.clearsAtMs ?? null,
    waitsForFocus: held?.waitsForFocus ?? false,
  });

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
      const isGone = await desktop.removeFromClipboard(mine.isOurs);
      if (held !== mine) return;
      if (isGone) return hold(null);
      // Checks again later, too: another program may have copied something else by then.
      if (mine.waitsForFocus) return alarm.setAfter(clipboardMs);
      log.warn('the secret stays on the clipboard until the window has the focus');
      hold({ ...mine, waitsForFocus: true });
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
      const isOurs = recognize(text);
      await desktop.writeSecretToClipboard(text);
      if (!isOurs(await desktop.readClipboardText()))
        throw new AppFailure({ code: 'clipboardRefused', problem: 'notKept' });
      const clearsAtMs = clock.nowMs() + clipboardMs;
      hold({ objectId, clearsAtMs, isOurs, waitsForFocus: false });
      return state();
    },
    focused() {
      if (held?.waitsForFocus) void clear();
    },
    wake() {
      if (held && clock.nowMs() >= held.clearsAtMs) void clear();
    },
  };
}

/** Compares keyed digests: a digest without its key reveals nothing. */
function recognize(text: string): (other: string) => boolean {
  const key = randomBytes(32);
  // The system may have converted line ends.
  const digest = (of: string) => createHmac('sha256', key).update(of.replaceAll('\r\n', '\n')).digest();
  const known = digest(text);
  return (other) => known.equals(digest(other));
}
