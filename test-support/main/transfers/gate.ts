import { AdaptiveLimit } from '../../../src/main/transfers/queue/limits/adaptive-limit.ts';
import { RequestGate, type GatedRequest } from '../../../src/main/transfers/queue/request-gate.ts';
import type { Clock } from '../../../src/main/ports.ts';

/** A gate without a limit of the user's. */
export function openGate(clock: Clock): RequestGate {
  return new RequestGate(
    new AdaptiveLimit(() => clock.monotonicMs()),
    clock,
    () => Infinity,
    () => undefined,
  );
}

export function smallRequest(requesterId: number): GatedRequest {
  return { requesterId, priority: 'begun', kind: 'HEAD', bodyBytes: 0 };
}
