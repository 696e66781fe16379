import { toAppError } from '../../../shared/app-failure.ts';
import { delayFor, remedyFor } from '../model/failure-policy.ts';
import { CircuitOpen, untilReady } from './circuit-breaker.ts';
import type { CircuitBreakers } from './circuit-breakers.ts';
import type { Clock } from '../../ports.ts';
import type { Connections } from '../../connections/connections.ts';
import { bindService, type BoundService, type Send } from './bound-service.ts';
import type { Priority } from './request-gate.ts';

/**
 * Asks a service until it gives a final answer: waits while the service is held, for a new token after 401, and asks again when it
 * was unreachable. For requests that may be sent again.
 * @throws AppFailure that no retry would change, the signal's reason
 */
export type RetryingRequest = <T>(
  serviceId: string,
  signal: AbortSignal,
  /** `origin`: of the service. */
  ask: (service: BoundService, origin: string) => Promise<T>,
) => Promise<T>;

/** Ids of these requests, unique and below those of transfers. */
let lastNumber = 0;

export function createRetryingRequest(deps: {
  connections: Pick<Connections, 'openFor'>;
  breakers: CircuitBreakers;
  clock: Clock;
  priority: Priority;
}): RetryingRequest {
  const { connections, breakers, clock, priority } = deps;
  return async (serviceId, signal, ask) => {
    const breaker = breakers.of(serviceId);
    const requesterId = (lastNumber -= 1);
    for (let tries = 0; ;) {
      await untilReady(breaker, clock, signal);
      try {
        const { client, origin } = await connections.openFor(serviceId).catch((cause: unknown) => {
          breaker.reportFailure(requesterId, cause);
          throw cause;
        });
        const send: Send = (one, run) => breaker.send({ ...one, requesterId, priority }, signal, run);
        return await ask(bindService(client, send, signal), origin);
      } catch (cause) {
        if (cause instanceof CircuitOpen) continue;
        signal.throwIfAborted();
        const error = toAppError(cause);
        if (!error) throw cause;
        const remedy = remedyFor(error, tries + 1, Math.random());
        if (remedy.kind === 'fail') throw cause;
        if (remedy.kind === 'retry') {
          tries += 1;
          await clock.delay(remedy.delayMs, signal);
        } else if (remedy.kind === 'hold' && breaker.isClosed()) {
          // The service refused this request and answers others.
          await clock.delay(delayFor(1, null, Math.random()), signal);
        }
      }
    }
  };
}
