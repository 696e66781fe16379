import { createServiceGate, type ServiceGate } from './circuit-breaker.ts';

export interface Gates {
  of(profileId: string): ServiceGate;
  all(): Iterable<[string, ServiceGate]>;
}

type GateDeps = Parameters<typeof createServiceGate>[0];

/** The gate of each service, made when it is first asked for. */
export function createGates({
  report,
  ...deps
}: Pick<GateDeps, 'clock' | 'limits' | 'random'> & {
  readonly report: (profileId: string, ...shown: Parameters<GateDeps['report']>) => void;
}): Gates & { onChanged(listener: (profileId: string) => void): void } {
  const known = new Map<string, ServiceGate>();
  const listeners = new Set<(profileId: string) => void>();
  return {
    all: () => known,
    of(profileId) {
      const gate =
        known.get(profileId) ??
        createServiceGate({
          ...deps,
          profileId,
          report: (...shown) => report(profileId, ...shown),
          onChanged() {
            for (const listener of listeners) listener(profileId);
          },
        });
      known.set(profileId, gate);
      return gate;
    },
    onChanged(listener) {
      listeners.add(listener);
    },
  };
}
