import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { Draft } from '../../../shared/domain/upload-draft.ts';
import type { AppError } from '../../../shared/errors.ts';

/** The sheet that is open, null when there is none; and what could not be taken into it. */
export type UploadState = {
  draft: Draft | null;
  refused: readonly { name: string; error: AppError }[];
};

export const uploadStore = createStore<UploadState>(() => ({ draft: null, refused: [] }));

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
