import { useEffect, useState } from 'react';

/** The moment, renewed for "5 min ago" and "Waiting 12 s"; null: it stands still, nothing on screen counts. */
export function useNow(everyMs: number | null = 1000): number {
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    if (everyMs === null) return undefined;
    setNowMs(Date.now());
    const timer = setInterval(() => setNowMs(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return nowMs;
}
