import { toAppError } from '../../../shared/app-failure.ts';
import { remedyFor } from '../model/failure-policy.ts';
import { CircuitOpen, untilReady } from './circuit-breaker.ts';
import type { CircuitBreakers } from './circuit-breakers.ts';
import type { Clock } from '../../ports.ts';
import type { Connections } from '../../connections/connections.ts';
import type { ServiceClient } from '../../service/client.ts';

/**
 * Sends a small request that changes nothing (HEAD) until it is answered for good: when the service's breaker is open, with a
 * new token after 401, and again when the service was not there. @throws AppFailure that no further try would change, the signal's reason
 */
export type RetryingRequest = <T>(
  serviceId: string,
  signal: AbortSignal,
  /** `origin`: where the client leads to now. */
  send: (client: ServiceClient, signal: AbortSignal, origin: string) => Promise<T>,
) => Promise<T>;

/** Names of requests, below those of transfers; no two have the same. */
let lastNumber = 0;

export function createRetryingRequest(deps: {
  connections: Pick<Connections, 'openFor'>;
  breakers: CircuitBreakers;
  clock: Clock;
}): RetryingRequest {
  const { connections, breakers, clock } = deps;
  return async (serviceId, signal, send) => {
    const breaker = breakers.of(serviceId);
    const requesterId = (lastNumber -= 1);
    for (let tries = 0; ;) {
      await untilReady(breaker, clock, signal);
      try {
        return await breaker.send(requesterId, signal, async () => {
          const { client, origin } = await connections.openFor(serviceId);
          return send(client, signal, origin);
        });
      } catch (cause) {
        if (cause instanceof CircuitOpen) continue;
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
