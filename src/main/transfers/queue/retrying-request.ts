import { toAppError } from '../../../shared/errors.ts';
import { remedyFor } from '../model/failure-policy.ts';
import { GateClosed, untilOpen } from './circuit-breaker.ts';
import type { Gates } from './circuit-breakers.ts';
import type { Clock } from '../../ports.ts';
import type { Connections } from '../../connections/connections.ts';
import type { ServiceClient } from '../../service/client.ts';

/**
 * Sends a small request that changes nothing (HEAD) until it is answered for good: when the service's gate is open, with a
 * new token after 401, and again when the service was not there. @throws AppFailure that no further try would change, the signal's reason
 */
export type PatientRequest = <T>(
  profileId: string,
  signal: AbortSignal,
  /** `origin`: where the client leads to now. */
  send: (client: ServiceClient, signal: AbortSignal, origin: string) => Promise<T>,
) => Promise<T>;

/** Names of requests, below those of transfers; no two have the same. */
let lastNumber = 0;

export function createPatientRequest(deps: {
  connections: Pick<Connections, 'openFor'>;
  gates: Gates;
  clock: Clock;
}): PatientRequest {
  const { connections, gates, clock } = deps;
  return async (profileId, signal, send) => {
    const gate = gates.of(profileId);
    const who = (lastNumber -= 1);
    for (let tries = 0; ;) {
      await untilOpen(gate, clock, signal);
      try {
        return await gate.send(who, signal, async () => {
          const { client, origin } = await connections.openFor(profileId);
          return send(client, signal, origin);
        });
      } catch (cause) {
        if (cause instanceof GateClosed) continue;
        signal.throwIfAborted();
        const error = toAppError(cause);
        if (!error) throw cause;
        const remedy = remedyFor(error, tries + 1, Math.random());
        if (remedy.kind === 'fail') throw cause;
        if (remedy.kind !== 'retry') continue;
        tries += 1;
        await clock.delay(remedy.delayMs, signal);
      }
    }
  };
}
