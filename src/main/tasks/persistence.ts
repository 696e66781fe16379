import { toAppError } from '../../shared/errors.ts';
import type { Clock } from '../ports.ts';
import type { Connections } from '../profiles/connections.ts';
import type { ServiceClient } from '../service/client.ts';
import type { Pacer } from '../transfers/pacing.ts';
import { remedyFor } from '../transfers/retry.ts';
import { untilAborted } from '../transfers/until-aborted.ts';

/**
 * Sends a small request (HEAD, DELETE: repeating it does no harm) until it is answered for good: at the profile's
 * pace, with a new token after 401, and again when the service was not there. @throws AppFailure that no further try
 * would change, the signal's reason
 */
export type Persist = <T>(
  profileId: string,
  signal: AbortSignal,
  send: (client: ServiceClient, signal: AbortSignal) => Promise<T>,
) => Promise<T>;

export function createPersist(deps: {
  connections: Connections;
  pacer: Pacer;
  clock: Clock;
  /** The profile is held back. */
  onHeldBack: () => void;
}): Persist {
  const { connections, pacer, clock, onHeldBack } = deps;
  /** Held back because nobody was there. */
  const unreachable = new Set<string>();
  connections.onReady((profileId) => {
    if (unreachable.delete(profileId)) pacer.release(profileId);
  });

  async function waitForToken(profileId: string, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    // Before the report: what that finds out may come at once.
    const stop = connections.onReady((readyId) => readyId === profileId && resolve());
    try {
      connections.report(profileId, 'tokenRefused');
      await untilAborted(promise, signal);
    } finally {
      stop();
    }
  }

  return async (profileId, signal, send) => {
    let tries = 0;
    let troubles = 0;
    for (;;) {
      await pacer.turn(profileId, signal);
      try {
        return await send(await connections.clientOf(profileId), signal);
      } catch (cause) {
        signal.throwIfAborted();
        const error = toAppError(cause);
        if (!error) throw cause;
        const next = { tries: tries + 1, troubles: troubles + 1, random: Math.random() };
        const remedy = remedyFor(error, next);
        if (remedy.kind === 'fail') throw cause;
        if (remedy.kind === 'awaitToken') {
          await waitForToken(profileId, signal);
        } else if (remedy.everyone) {
          ({ troubles } = next);
          pacer.holdBack(profileId, remedy.delayMs);
          if (error.code === 'unreachable') {
            unreachable.add(profileId);
            connections.report(profileId, 'unreachable');
          }
          onHeldBack();
        } else {
          ({ tries } = next);
          await clock.delay(remedy.delayMs, signal);
        }
      }
    }
  };
}
