import { create } from 'zustand';
import type { Task } from '../../../shared/domain/task.ts';

/** The *Add known* whose progress and result are shown, as it was when it began or ended; null: none. */
export const useShownKnown = create<{ task: Task | null }>(() => ({ task: null }));

export function showKnown(task: Task | null): void {
  useShownKnown.setState({ task });
}
