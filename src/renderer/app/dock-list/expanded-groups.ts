import { create } from 'zustand';

/** So many are shown when something unfolds, and with each "more". */
const step = 50;

/** What of the dock's lists is unfolded, by key, and how many of it are shown. Nothing unfolds by itself. */
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
