import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import { chooseLanguage, setLanguage } from '../../shared/i18n/language.ts';
import type { AppInfo, Output } from '../../shared/contract.ts';
import type { Profile } from '../../shared/domain/service.ts';
import type { ClipboardState } from '../../shared/domain/secret.ts';
import { settingsDefault, type Settings } from '../../shared/domain/settings.ts';
import type { TransferSummary } from '../../shared/domain/transfer.ts';
import type { Client } from './client.ts';
import { createMirror, type Mirror, type MirrorState } from './remote-store.ts';
import { createProgress, type Progress } from './progress.ts';

/** What every part of the window reads. Features keep their own beside their components. */
type Stores = {
  info: Mirror<AppInfo>;
  settings: Mirror<Settings>;
  profiles: Mirror<Output<'profiles.list'>>;
  transfers: Mirror<TransferSummary>;
  clipboard: Mirror<ClipboardState>;
  updates: Mirror<Output<'updates.state'>>;
  edits: Mirror<Output<'edits.list'>>;
  approvals: Mirror<Output<'approvals.list'>>;
  progress: Progress;
};

export function createStores(client: Client): Stores {
  return {
    info: createMirror({
      // How many tokens the keychain holds changes with the profiles.
      subscribe: (changed) => {
        const stops = [
          client.on('app.changed', () => changed()),
          client.on('profiles.changed', () => changed()),
        ];
        return () => stops.forEach((stop) => stop());
      },
      load: () => client.call('app.info'),
    }),
    settings: createMirror({
      subscribe: (changed) => client.on('settings.changed', () => changed()),
      load: () => client.call('settings.get'),
    }),
    profiles: createMirror({
      subscribe: (changed) => client.on('profiles.changed', ({ revision }) => changed(revision)),
      load: () => client.call('profiles.list'),
      revisionOf: ({ revision }) => revision,
    }),
    transfers: createMirror({
      subscribe: (changed) => client.on('transfers.changed', ({ revision }) => changed(revision)),
      load: async () =>
        (await client.call('transfers.page', { tab: 'transfers', offset: 0, limit: 1 })).summary,
      revisionOf: ({ revision }) => revision,
    }),
    clipboard: createMirror({
      subscribe: (changed) => client.on('secrets.clipboardChanged', () => changed()),
      load: () => client.call('secrets.clipboard'),
    }),
    updates: createMirror({
      subscribe: (changed) => client.on('updates.changed', () => changed()),
      load: () => client.call('updates.state'),
    }),
    edits: createMirror({
      subscribe: (changed) => client.on('edits.changed', ({ revision }) => changed(revision)),
      load: () => client.call('edits.list'),
      revisionOf: ({ revision }) => revision,
    }),
    approvals: createMirror({
      subscribe: (changed) => client.on('approvals.changed', () => changed()),
      load: () => client.call('approvals.list'),
    }),
    progress: createProgress(client),
  };
}

/** The language is that of the setting; before the setting is known, of the system. */
function followLanguage({ info, settings }: Stores): () => void {
  const follow = () => {
    const systemLanguages = info.store.getState().value?.systemLanguages;
    if (systemLanguages === undefined) return;
    const choice = settings.store.getState().value?.language ?? 'system';
    setLanguage(chooseLanguage(choice, systemLanguages));
  };
  const stops = [info.store.subscribe(follow), settings.store.subscribe(follow)];
  return () => stops.forEach((stop) => stop());
}

/** Answers a function that stops them. */
export function startStores(stores: Stores): () => void {
  const stops = [followLanguage(stores), ...Object.values(stores).map((store) => store.start())];
  return () => stops.forEach((stop) => stop());
}

const StoresContext = createContext<Stores | null>(null);
export const StoresProvider = StoresContext.Provider;

export function useStores(): Stores {
  const stores = useContext(StoresContext);
  if (stores === null) throw new Error('A component needs a StoresProvider above it');
  return stores;
}

export function useMirror<T>(mirror: Mirror<T>): MirrorState<T> {
  return useStore(mirror.store);
}

export function useSettings(): Settings {
  return useMirror(useStores().settings).value ?? settingsDefault;
}

/** Every service, and the one that is shown; null where none is chosen. */
export function useProfiles(): { profiles: readonly Profile[]; active: Profile | null } {
  const { value } = useMirror(useStores().profiles);
  const profiles = value?.profiles ?? [];
  return { profiles, active: profiles.find(({ id }) => id === value?.activeId) ?? null };
}

export function useActiveProfile(): Profile | null {
  return useProfiles().active;
}

export function useTransferSummary(): TransferSummary | null {
  return useMirror(useStores().transfers).value;
}

/** Whether there is a newer version, and who is asked; null until it is known. */
export function useUpdates(): Output<'updates.state'> | null {
  return useMirror(useStores().updates).value;
}

/** Whose value lies on the clipboard; null until it is known. */
export function useClipboard(): ClipboardState | null {
  return useMirror(useStores().clipboard).value;
}
