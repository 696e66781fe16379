import { useEffect, useEffectEvent } from 'react';

type Taker = (files: File[]) => void;

let taker: Taker | null = null;

/** The open component that takes dropped or pasted files; null: they are uploaded. */
export function dropTaker(): Taker | null {
  return taker;
}

/** Receives all dropped and pasted files while the component is mounted and `isEnabled`. */
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
