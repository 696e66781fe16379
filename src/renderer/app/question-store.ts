import { createStore } from 'zustand/vanilla';
import type { TransferSummary } from '../../shared/domain/transfer.ts';
import type { RemoteStore } from './remote-store.ts';

/**
 * Which question is open (409: the identifier exists already). Questions open by themselves; closing one leaves its
 * upload waiting and keeps quiet until more uploads come to wait, or the person asks for it.
 */
export const questionStore = createStore<{ transferId: number | null; quietUpTo: number }>(() => ({
  transferId: null,
  quietUpTo: 0,
}));

export function askQuestion(transferId: number): void {
  questionStore.setState({ transferId });
}

/**
 * Keeps quiet about all that wait for an answer by now. The summary may not tell of some of them yet: without asking main, their
 * question would open a moment later, over what the person turned to.
 */
export async function closeQuestion({ refresh, store }: RemoteStore<TransferSummary>): Promise<void> {
  questionStore.setState({ transferId: null, quietUpTo: Infinity });
  await refresh();
  questionStore.setState({ quietUpTo: store.getState().value?.transfers.unanswered ?? 0 });
}

/** Fewer wait than were closed: one more than these is new. @param unanswered how many uploads wait for an answer now */
export function lowerQuiet(unanswered: number): void {
  const { quietUpTo } = questionStore.getState();
  if (quietUpTo !== Infinity && unanswered < quietUpTo) questionStore.setState({ quietUpTo: unanswered });
}
