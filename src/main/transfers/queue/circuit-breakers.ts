import { Emitter } from '../../lib/emitter.ts';
import { createCircuitBreaker, type CircuitBreaker } from './circuit-breaker.ts';
import { AdaptiveLimit } from './limits/adaptive-limit.ts';
import type { Limits } from './limits/limits.ts';
import { RequestGate } from './request-gate.ts';

export interface CircuitBreakers {
  of(serviceId: string): CircuitBreaker;
  gateOf(serviceId: string): RequestGate;
  /** How many requests at once each service used so far answers well, as learned. */
  learned(): ReadonlyMap<string, number>;
  /** The user's limits have changed: more requests may go. */
  limitsChanged(): void;
  all(): Iterable<[string, CircuitBreaker]>;
}

type CircuitBreakerDeps = Parameters<typeof createCircuitBreaker>[0];

/** One breaker and one gate per service, created on first use. */
export function createCircuitBreakers({
  report,
  remembered,
  ...deps
}: Pick<CircuitBreakerDeps, 'clock' | 'random'> & {
  readonly limits: CircuitBreakerDeps['limits'] & Pick<Limits, 'transfersAtOnce'>;
  /** How many requests at once a service has answered well before. */
  readonly remembered?: (serviceId: string) => number | undefined;
  readonly report: (serviceId: string, ...shown: Parameters<CircuitBreakerDeps['report']>) => void;
}): CircuitBreakers & {
  onChanged: Emitter<[serviceId: string]>['event'];
  /** More requests to a service may begin. */
  onRoom: Emitter<[]>['event'];
} {
  const known = new Map<string, CircuitBreaker>();
  const gates = new Map<string, RequestGate>();
  const changed = new Emitter<[serviceId: string]>();
  const room = new Emitter<[]>();
  const { clock, limits } = deps;

  function gateOf(serviceId: string): RequestGate {
    const gate =
      gates.get(serviceId) ??
      new RequestGate(
        new AdaptiveLimit(() => clock.monotonicMs(), remembered?.(serviceId)),
        clock,
        () => limits.transfersAtOnce(),
        () => room.fire(),
      );
    gates.set(serviceId, gate);
    return gate;
  }

  return {
    all: () => known,
    gateOf,
    learned: () => new Map([...gates].map(([serviceId, gate]) => [serviceId, gate.learned])),
    of(serviceId) {
      const breaker =
        known.get(serviceId) ??
        createCircuitBreaker({
          ...deps,
          serviceId,
          gate: gateOf(serviceId),
          report: (...shown) => report(serviceId, ...shown),
          onChanged: () => changed.fire(serviceId),
        });
      known.set(serviceId, breaker);
      return breaker;
    },
    onChanged: changed.event,
    onRoom: room.event,
    limitsChanged() {
      for (const gate of gates.values()) gate.wake();
    },
  };
}
