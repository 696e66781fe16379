import { createStore } from 'zustand/vanilla';
import type { TransferSummary } from '../../shared/domain/transfer-summary.ts';
import type { RemoteStore } from './remote-store.ts';

/**
 * The open conflict prompt (409: the identifier exists). Prompts open automatically; after closing one its upload
 * keeps waiting, and none opens until more uploads wait or the person asks.
 */
export const conflictPromptStore = createStore<{ transferId: number | null; quietUpTo: number }>(() => ({
  transferId: null,
  quietUpTo: 0,
}));

export function openConflictPrompt(transferId: number): void {
  conflictPromptStore.setState({ transferId });
}

/**
 * Suppresses the prompts of all uploads that wait by now. The summary may not include all of them yet: without asking
 * main, their prompt would open a moment later, over whatever the person has turned to.
 */
export async function closeConflictPrompt({ refresh, store }: RemoteStore<TransferSummary>): Promise<void> {
  conflictPromptStore.setState({ transferId: null, quietUpTo: Infinity });
  await refresh();
  conflictPromptStore.setState({ quietUpTo: store.getState().value?.transfers.promptsToOpen ?? 0 });
}

/**
 * Fewer uploads wait than when the prompt was closed, so an additional one counts as new.
 * @param toOpen number of uploads whose prompt opens automatically
 */
export function lowerQuiet(toOpen: number): void {
  const { quietUpTo } = conflictPromptStore.getState();
  if (quietUpTo !== Infinity && toOpen < quietUpTo) conflictPromptStore.setState({ quietUpTo: toOpen });
}
