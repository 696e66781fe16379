import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { UploadPlan } from '../../../shared/domain/upload-plan.ts';
import type { AppError } from '../../../shared/errors.ts';

/** The sheet that is open, null when there is none; and what could not be taken into it. */
export type UploadState = {
  plan: UploadPlan | null;
  refused: readonly { name: string; error: AppError }[];
  /** Files of a drop are still on their way into the sheet. */
  isTaking: boolean;
};

export const uploadStore = createStore<UploadState>(() => ({ plan: null, refused: [], isTaking: false }));

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
  return useStore(uploadStore, ({ plan }) => plan !== null);
}

/** Keeps the newest of what main says of the open sheet. */
export function takePlan(next: UploadPlan): void {
  uploadStore.setState(({ plan }) =>
    plan !== null && plan.id === next.id && plan.revision <= next.revision ? { plan: next } : {},
  );
}

export function openSheet(plan: UploadPlan): void {
  uploadStore.setState({ plan });
}

export function closeSheet(): void {
  uploadStore.setState({ plan: null, refused: [] });
}
