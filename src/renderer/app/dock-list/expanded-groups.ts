import { create } from 'zustand';

/** How many entries are shown on expanding, and added by each "more". */
const step = 50;

/** What is expanded in the dock's lists, and how many entries of it are shown. Everything starts collapsed. */
export const useUnfolded = create<ReadonlyMap<string, number>>()(() => new Map());

export function toggleFold(key: string): void {
  const next = new Map(useUnfolded.getState());
  if (!next.delete(key)) next.set(key, step);
  useUnfolded.setState(next, true);
}

export function showMore(key: string): void {
  const unfolded = useUnfolded.getState();
  useUnfolded.setState(new Map(unfolded).set(key, (unfolded.get(key) ?? 0) + step), true);
}
