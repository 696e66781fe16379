import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from './ports.ts';

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  async delay(delayMs, signal) {
    await delay(delayMs, undefined, signal && { signal }).catch((cause: unknown) => {
      throw signal?.aborted ? signal.reason : cause;
    });
  },
};
