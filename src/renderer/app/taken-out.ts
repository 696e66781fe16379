import { create } from 'zustand';

/** Rows whose files the system has dragged. */
export type TakenOut = {
  count: number;
  /** Moves them into a folder, '' for the top; null: they cannot be moved. */
  move: ((folder: string) => void) | null;
};

/**
 * The latest of this window, whose files may be dropped on it again, and whether the mouse button is still down. The system does not say when
 * its drag ends: no pointer moves over the page until then.
 */
export const useTakenOut = create<{ rows: TakenOut | null; isHeld: boolean }>()(() => ({
  rows: null,
  isHeld: false,
}));

export function holdTakenOut(rows: TakenOut): void {
  useTakenOut.setState({ rows, isHeld: true });
  const over = new AbortController();
  window.addEventListener(
    'pointermove',
    ({ buttons }) => {
      if (buttons !== 0) return;
      over.abort();
      if (useTakenOut.getState().rows === rows) useTakenOut.setState({ isHeld: false });
    },
    { signal: over.signal },
  );
}
