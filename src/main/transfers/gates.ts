import type { Gates } from './context.ts';
import { createServiceGate, type ServiceGate } from './service-gate.ts';

type GateDeps = Parameters<typeof createServiceGate>[0];

/** The gate of each service, made when it is first asked for. */
export function createGates({
  report,
  onChanged,
  ...deps
}: Pick<GateDeps, 'clock' | 'limits' | 'random'> & {
  readonly report: (profileId: string, ...shown: Parameters<GateDeps['report']>) => void;
  readonly onChanged: (profileId: string) => void;
}): Gates {
  const known = new Map<string, ServiceGate>();
  return {
    all: () => known,
    of(profileId) {
      const gate =
        known.get(profileId) ??
        createServiceGate({
          ...deps,
          profileId,
          report: (...shown) => report(profileId, ...shown),
          onChanged: () => onChanged(profileId),
        });
      known.set(profileId, gate);
      return gate;
    },
  };
}
