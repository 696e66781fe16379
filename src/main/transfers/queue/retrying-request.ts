import { toAppError } from '../../../shared/app-failure.ts';
import { remedyFor } from '../model/failure-policy.ts';
import { CircuitOpen, untilReady } from './circuit-breaker.ts';
import type { CircuitBreakers } from './circuit-breakers.ts';
import type { Clock } from '../../ports.ts';
import type { Connections } from '../../connections/connections.ts';
import type { ServiceClient } from '../../service/client.ts';

/**
 * Sends a small request without side effects (HEAD) until it gets a final answer: waits while the service is held,
 * for a new token after 401, and repeats it when the service was unreachable.
 * @throws AppFailure that no retry would change, the signal's reason
 */
export type RetryingRequest = <T>(
  serviceId: string,
  signal: AbortSignal,
  /** `origin`: of the client. */
  send: (client: ServiceClient, signal: AbortSignal, origin: string) => Promise<T>,
) => Promise<T>;

/** Ids of these requests, unique and below those of transfers. */
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
