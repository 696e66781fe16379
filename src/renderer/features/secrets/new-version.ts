import { createStore } from 'zustand/vanilla';

/** The secret that gets a new value. */
export type VersionedSecret = { identifier: string; classification: string | null };

/** null: none. */
export const newVersionStore = createStore<{ of: VersionedSecret | null }>(() => ({ of: null }));

export function startNewVersion(of: VersionedSecret | null): void {
  newVersionStore.setState({ of });
}
