import { useCallback, useSyncExternalStore } from 'react';

/** Interval while nothing on screen shows elapsed time, in ms. */
const idleStepMs = 60_000;

/**
 * The current time for "5 min ago" and "Waiting 12 s", rounded to whole steps.
 * @param everyMs null: nothing on screen needs it
 */
export function useNow(everyMs: number | null = 1000): number {
  const stepMs = everyMs ?? idleStepMs;
  const subscribe = useCallback(
    (tick: () => void) => {
      if (everyMs === null) return () => {};
      const timer = setInterval(tick, everyMs);
      return () => clearInterval(timer);
    },
    [everyMs],
  );
  return useSyncExternalStore(subscribe, () => Math.floor(Date.now() / stepMs) * stepMs);
}
