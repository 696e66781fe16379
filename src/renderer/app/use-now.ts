import { useCallback, useSyncExternalStore } from 'react';

/** While nothing on screen counts. */
const idleStepMs = 60_000;

/** The moment, renewed for "5 min ago" and "Waiting 12 s", in whole steps; null: nothing on screen counts. */
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
