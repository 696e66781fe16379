import { create } from 'zustand';
import { needsAnswer, type Edit } from '../../../shared/domain/edit.ts';
import type { Client } from '../../app/client.ts';
import { createRemoteStore } from '../../app/remote-store.ts';
import { useFeatureStore, useRemoteStore } from '../../app/stores.ts';

export const createEdits = (client: Client) =>
  createRemoteStore({
    subscribe: (changed) => client.on('edits.changed', ({ revision }) => changed(revision)),
    load: () => client.call('edits.list'),
    revisionOf: ({ revision }) => revision,
  });

const none: readonly Edit[] = [];

export function useEdits(): readonly Edit[] {
  return useRemoteStore(useFeatureStore(createEdits)).value?.edits ?? none;
}

/** Whether the panel of open edits is open. */
export const usePanel = create<{ isOpen: boolean }>(() => ({ isOpen: false }));

export function showEdits(isOpen: boolean): void {
  usePanel.setState({ isOpen });
}

/** Sorted: those that need attention first, among them those with a save, then the newest. */
export function useOpenEdits(): readonly Edit[] {
  return useEdits().toSorted((a, b) => urgency(b) - urgency(a) || b.startedAtMs - a.startedAtMs);
}

function urgency(edit: Edit): number {
  if (!needsAnswer(edit)) return 0;
  return edit.mine === null ? 1 : 2;
}
