import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { Draft } from '../../../shared/domain/upload-draft.ts';
import type { AppError } from '../../../shared/errors.ts';

/** The sheet that is open, null when there is none; and what could not be taken into it. */
export type UploadState = {
  draft: Draft | null;
  refused: readonly { name: string; error: AppError }[];
  /** Files of a drop are still on their way into the sheet. */
  isTaking: boolean;
};

export const uploadStore = createStore<UploadState>(() => ({ draft: null, refused: [], isTaking: false }));

let lastTurn: Promise<unknown> = Promise.resolve();

/**
 * One after the other: what comes while a sheet is being opened joins it, and what comes while one is uploaded waits until
 * that is through.
 */
export function takeTurn<T>(work: () => Promise<T>): Promise<T> {
  const mine = lastTurn.then(work);
  lastTurn = mine.catch(() => undefined);
  return mine;
}

export function useIsSheetOpen(): boolean {
  return useStore(uploadStore, ({ draft }) => draft !== null);
}

/** Keeps the newest of what main says of the open sheet. */
export function takeDraft(next: Draft): void {
  uploadStore.setState(({ draft }) =>
    draft !== null && draft.id === next.id && draft.revision <= next.revision ? { draft: next } : {},
  );
}

export function openSheet(draft: Draft): void {
  uploadStore.setState({ draft });
}

export function closeSheet(): void {
  uploadStore.setState({ draft: null, refused: [] });
}
