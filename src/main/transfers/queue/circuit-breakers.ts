import { Emitter } from '../../lib/emitter.ts';
import { createCircuitBreaker, type CircuitBreaker } from './circuit-breaker.ts';

export interface CircuitBreakers {
  of(serviceId: string): CircuitBreaker;
  all(): Iterable<[string, CircuitBreaker]>;
}

type CircuitBreakerDeps = Parameters<typeof createCircuitBreaker>[0];

/** One breaker per service, created on first use. */
export function createCircuitBreakers({
  report,
  ...deps
}: Pick<CircuitBreakerDeps, 'clock' | 'limits' | 'random'> & {
  readonly report: (serviceId: string, ...shown: Parameters<CircuitBreakerDeps['report']>) => void;
}): CircuitBreakers & { onChanged: Emitter<[serviceId: string]>['event'] } {
  const known = new Map<string, CircuitBreaker>();
  const changed = new Emitter<[serviceId: string]>();
  return {
    all: () => known,
    of(serviceId) {
      const breaker =
        known.get(serviceId) ??
        createCircuitBreaker({
          ...deps,
          serviceId,
          report: (...shown) => report(serviceId, ...shown),
          onChanged: () => changed.fire(serviceId),
        });
      known.set(serviceId, breaker);
      return breaker;
    },
    onChanged: changed.event,
  };
}
