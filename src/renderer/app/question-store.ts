import { createStore } from 'zustand/vanilla';
import type { TransferSummary } from '../../shared/domain/transfer-summary.ts';
import type { RemoteStore } from './remote-store.ts';

/**
 * The open conflict question (409: the identifier exists). Questions open automatically; after closing one its upload
 * keeps waiting, and none opens until more uploads wait or the person asks.
 */
export const questionStore = createStore<{ transferId: number | null; quietUpTo: number }>(() => ({
  transferId: null,
  quietUpTo: 0,
}));

export function askQuestion(transferId: number): void {
  questionStore.setState({ transferId });
}

/**
 * Suppresses questions of all uploads that wait by now. The summary may not include all of them yet: without asking
 * main, their prompt would open a moment later, over whatever the person has turned to.
 */
export async function closeQuestion({ refresh, store }: RemoteStore<TransferSummary>): Promise<void> {
  questionStore.setState({ transferId: null, quietUpTo: Infinity });
  await refresh();
  questionStore.setState({ quietUpTo: store.getState().value?.transfers.questionsToOpen ?? 0 });
}

/**
 * Fewer uploads wait than when the question was closed, so an additional one counts as new.
 * @param toOpen number of uploads whose prompt opens automatically
 */
export function lowerQuiet(toOpen: number): void {
  const { quietUpTo } = questionStore.getState();
  if (quietUpTo !== Infinity && toOpen < quietUpTo) questionStore.setState({ quietUpTo: toOpen });
}
