import { create } from 'zustand';

/** Rows whose files are being dragged by the system. */
export type TakenOut = {
  serviceId: string;
  count: number;
  /** Moves them into a folder, '' for the top; null: they cannot be moved. */
  move: ((folder: string) => void) | null;
};

/**
 * The window's latest drag, whose files may be dropped on it again, and whether the mouse button is still down. The system does not report
 * the end of its drag, and the page gets no pointer events until then.
 */
export const useTakenOut = create<{ rows: TakenOut | null; isHeld: boolean }>()(() => ({
  rows: null,
  isHeld: false,
}));

/** The rows whose files are dragged over the window; null: other files, or another service's. */
export function heldRows(fileCount: number, serviceId: string | null): TakenOut | null {
  const { rows, isHeld } = useTakenOut.getState();
  return isHeld && rows?.count === fileCount && rows.serviceId === serviceId ? rows : null;
}

/** Call when the system takes over: `isHeld` until the first pointer event without a pressed button. */
export function holdTakenOut(rows: TakenOut): void {
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
        if (buttons === 0) end();
      },
      { signal },
    );
  }
  // A drag of another program moves no pointer over the page.
  window.addEventListener('drop', end, { signal });
}
