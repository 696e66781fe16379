import { createStore } from 'zustand/vanilla';

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

/** @param unanswered how many uploads wait for an answer now */
export function closeQuestion(unanswered: number): void {
  questionStore.setState({ transferId: null, quietUpTo: unanswered });
}
