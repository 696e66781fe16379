import type { Clock } from './ports.ts';

/**
 * Time until a stored moment of the wall clock. Writers never wait longer than `longestMs`: a moment that is
 * further away was written while the clock was ahead, so it is due.
 */
export function leftMs(untilMs: number, nowMs: number, longestMs: number): number {
  const waitMs = untilMs - nowMs;
  return waitMs > longestMs ? 0 : Math.max(waitMs, 0);
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  // Not Node's own, which creates an error with a stack for each cancelled delay: there are many for each small file.
  delay(delayMs, signal) {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const onAbort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      }, delayMs);
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  },
};
