import { create } from 'zustand';

/** Rows whose files the system has dragged. */
export type TakenOut = {
  serviceId: string;
  count: number;
  /** Moves them into a folder, '' for the top; null: they cannot be moved. */
  move: ((folder: string) => void) | null;
};

/**
 * The latest of this window, whose files may be dropped on it again, and whether the mouse button is still down. The system does not say when
 * its drag ends: the page is told nothing of the pointer until then.
 */
export const useTakenOut = create<{ rows: TakenOut | null; isHeld: boolean }>()(() => ({
  rows: null,
  isHeld: false,
}));

/** The rows whose files are dragged over the window; null: they are others, or those of another service. */
export function heldRows(fileCount: number, serviceId: string | null): TakenOut | null {
  const { rows, isHeld } = useTakenOut.getState();
  return isHeld && rows?.count === fileCount && rows.serviceId === serviceId ? rows : null;
}

/** @param onReleased the page is told of the pointer again, and no button is down */
export function holdTakenOut(rows: TakenOut, onReleased: () => void): void {
  useTakenOut.setState({ rows, isHeld: true });
  const over = new AbortController();
  const { signal } = over;
  function end(): void {
    over.abort();
    if (useTakenOut.getState().rows === rows) useTakenOut.setState({ isHeld: false });
  }
  for (const type of ['pointermove', 'pointerover', 'pointerup'] as const) {
    window.addEventListener(
      type,
      ({ buttons }) => {
        if (buttons !== 0) return;
        end();
        onReleased();
      },
      { signal },
    );
  }
  // Drags of other programs move no pointer over the page.
  window.addEventListener('drop', end, { signal });
}
