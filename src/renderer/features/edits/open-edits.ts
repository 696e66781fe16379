import { create } from 'zustand';
import { needsAnswer, type Edit } from '../../../shared/domain/edit.ts';
import { useRemoteStore, useStores } from '../../app/stores.ts';

/** Whether the panel of open edits is open. */
export const usePanel = create<{ isOpen: boolean }>(() => ({ isOpen: false }));

export function showEdits(isOpen: boolean): void {
  usePanel.setState({ isOpen });
}

/** Sorted: those that need attention first, among them those with a save, then the newest. */
export function useOpenEdits(): readonly Edit[] {
  const { value } = useRemoteStore(useStores().edits);
  return (value?.edits ?? []).toSorted((a, b) => urgency(b) - urgency(a) || b.startedAtMs - a.startedAtMs);
}

function urgency(edit: Edit): number {
  if (!needsAnswer(edit)) return 0;
  return edit.mine === null ? 1 : 2;
}
