import type { Handlers, Input } from '../shared/contract.ts';
import type { Settings } from '../shared/domain/settings.ts';
import { AppFailure } from '../shared/app-failure.ts';
import { Emitter } from './lib/emitter.ts';

export interface CommandLimits {
  readonly handlers: Pick<Handlers, 'command.limit'>;
  /** The settings, with the limits of the command. */
  readonly current: () => Settings;
  readonly onChanged: (listener: () => void) => () => void;
}

/**
 * Limits that a command sets for the transfers of its own process, until it ends. They apply on top of the settings and are never
 * stored: the bytes per second can only be lowered, and a scheduled pause stays.
 * @param isApp rejects limits of commands: in the app only the person's settings count
 */
export function createCommandLimits(deps: { settings: () => Settings; isApp: boolean }): CommandLimits {
  const { settings, isApp } = deps;
  const changed = new Emitter<[]>();
  let limits: Input<'command.limit'> = {};
  let limited: { readonly given: Settings; readonly current: Settings } | null = null;

  function limit(given: Settings): Settings {
    const { transfersAtOnce, bytesPerSecond } = limits;
    const atMost = (bytes: number | null) => Math.min(bytes ?? Infinity, bytesPerSecond ?? Infinity);
    return {
      ...given,
      ...(transfersAtOnce !== undefined && { transfersAtOnce }),
      ...(bytesPerSecond !== undefined && {
        uploadBytesPerSecond: atMost(given.uploadBytesPerSecond),
        downloadBytesPerSecond: atMost(given.downloadBytesPerSecond),
        hours: given.hours.map((hour) => (hour === 'full' ? 'limited' : hour)),
      }),
    };
  }

  return {
    current() {
      const given = settings();
      if (isApp) return given;
      // Cached, because it is read for each piece of a file.
      if (limited?.given !== given) limited = { given, current: limit(given) };
      return limited.current;
    },
    onChanged: changed.event,
    handlers: {
      'command.limit': (wanted) => {
        if (isApp) throw new AppFailure({ code: 'senderRefused' });
        limits = wanted;
        limited = null;
        changed.fire();
        return undefined;
      },
    },
  };
}
