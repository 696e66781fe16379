import { create } from 'zustand';

/** How many entries are shown on expanding, and added by each "more". */
const step = 50;

/** What is expanded in the dock's lists, and how many entries of it are shown. Everything starts collapsed. */
export const useExpandedGroups = create<ReadonlyMap<string, number>>()(() => new Map());

export function toggleFold(key: string): void {
  const next = new Map(useExpandedGroups.getState());
  if (!next.delete(key)) next.set(key, step);
  useExpandedGroups.setState(next, true);
}

export function showMore(key: string): void {
  const unfolded = useExpandedGroups.getState();
  useExpandedGroups.setState(new Map(unfolded).set(key, (unfolded.get(key) ?? 0) + step), true);
}
