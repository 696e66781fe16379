import { useEffect, useEffectEvent } from 'react';

type Taker = (files: File[]) => void;

let taker: Taker | null = null;

/** Who takes files that are dropped or pasted while it is open; null: they are to be uploaded. */
export function dropTaker(): Taker | null {
  return taker;
}

/** A dialog that takes files takes all of them while it is there. */
export function useDropTaker(take: Taker): void {
  const onFiles = useEffectEvent(take);
  useEffect(() => {
    const mine: Taker = (files) => onFiles(files);
    taker = mine;
    return () => {
      if (taker === mine) taker = null;
    };
  }, []);
}
