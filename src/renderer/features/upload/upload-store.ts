import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { UploadPlan } from '../../../shared/domain/upload-plan.ts';
import type { AppError } from '../../../shared/errors.ts';

/** The open sheet (null: none), and what could not be added to it. */
export type UploadState = {
  plan: UploadPlan | null;
  refused: readonly { name: string; error: AppError }[];
  /** Whether dropped files are still being added. */
  isTaking: boolean;
  /** How often another program has handed over files for this sheet. */
  handedOver: number;
};

export const uploadStore = createStore<UploadState>(() => ({
  plan: null,
  refused: [],
  isTaking: false,
  handedOver: 0,
}));

let lastTurn: Promise<unknown> = Promise.resolve();

/**
 * Runs tasks in order: files that arrive while a sheet opens are added to it, and files that arrive while an upload is
 * enqueued wait for its end.
 */
export function takeTurn<T>(work: () => Promise<T>): Promise<T> {
  const mine = lastTurn.then(work);
  lastTurn = mine.catch(() => undefined);
  return mine;
}

export function useIsSheetOpen(): boolean {
  return useStore(uploadStore, ({ plan }) => plan !== null);
}

/** Keeps the newest version of the open sheet. */
export function takePlan(next: UploadPlan): void {
  uploadStore.setState(({ plan }) =>
    plan !== null && plan.id === next.id && plan.revision <= next.revision ? { plan: next } : {},
  );
}

export function openSheet(plan: UploadPlan): void {
  uploadStore.setState({ plan });
}

export function closeSheet(): void {
  uploadStore.setState({ plan: null, refused: [], handedOver: 0 });
}
