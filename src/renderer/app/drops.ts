import { useEffect, useEffectEvent } from 'react';
import { create } from 'zustand';

declare global {
  interface Window {
    /** Set by public/early.js: whether drops are being held, and the held files. */
    cofferDrops?: { isEarly: boolean; held: File[] };
  }
}

/** Returns files dropped before anything could handle them. */
export function takeHeldDrops(): File[] {
  endEarlyDrops();
  return window.cofferDrops?.held.splice(0) ?? [];
}

/** From now on files can only be dropped on components that accept them. */
export function endEarlyDrops(): void {
  if (window.cofferDrops) window.cofferDrops.isEarly = false;
}

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

/** The folder under a drag, '' for the top; null: none, so files go to the current folder. */
export const useDropFolder = create<{ folder: string | null }>()(() => ({ folder: null }));

/** Whether a drag is over this folder. */
export function useIsOver(path: string | undefined): boolean {
  return useDropFolder(({ folder }) => folder !== null && folder === path);
}

/** The folder of the link or button that an event came from. */
export function folderUnder({ target }: Event): string | undefined {
  return target instanceof Element ? folderOfElement(target) : undefined;
}

/** The folder of the link or button at a point of the window; null: there is none. */
export function folderAt({ x, y }: { x: number; y: number }): string | null {
  const element = document.elementFromPoint(x, y);
  return (element && folderOfElement(element)) ?? null;
}

function folderOfElement(element: Element): string | undefined {
  return element.closest<HTMLElement>('[data-folder]')?.dataset['folder'];
}
