import { createStore } from 'zustand/vanilla';

/** The secret that is being given a new value, by its identifier; null: none. */
export const newVersionStore = createStore<{ of: string | null }>(() => ({ of: null }));

export function startNewVersion(identifier: string | null): void {
  newVersionStore.setState({ of: identifier });
}
