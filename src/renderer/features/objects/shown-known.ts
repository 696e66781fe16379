import { create } from 'zustand';
import type { Task } from '../../../shared/domain/task.ts';

/** The *Add known* being shown, as of its start or its end; null: none. */
export const useShownKnown = create<{ task: Task | null }>(() => ({ task: null }));

export function showKnown(task: Task | null): void {
  useShownKnown.setState({ task });
}
