import { useEffect, useEffectEvent } from 'react';

type Taker = (files: File[]) => void;

let taker: Taker | null = null;

/** Who takes files that are dropped or pasted while it is open; null: they are to be uploaded. */
export function dropTaker(): Taker | null {
  return taker;
}

/** Takes all files that come into the window, while the component is there and `isEnabled`. */
export function useDropTaker(take: Taker, isEnabled = true): void {
  const onFiles = useEffectEvent(take);
  useEffect(() => {
    if (!isEnabled) return undefined;
    const mine: Taker = (files) => onFiles(files);
    taker = mine;
    return () => {
      if (taker === mine) taker = null;
    };
  }, [isEnabled]);
}
