import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import { applyLanguage, chooseLanguage } from '../../shared/i18n/language.ts';
import type { AppInfo, Output } from '../../shared/contract.ts';
import type { Service } from '../../shared/domain/service.ts';
import type { ClipboardState } from '../../shared/domain/secret.ts';
import { settingsDefault, type Settings } from '../../shared/domain/settings.ts';
import type { TransferSummary } from '../../shared/domain/transfer-summary.ts';
import type { Client } from './client.ts';
import { createRemoteStore, type RemoteStore, type RemoteState } from './remote-store.ts';
import { createProgress, type Progress } from './progress.ts';

/** Makes a store of an optional feature, and is the key by which the feature finds it. */
export type CreateStore = (client: Client) => Pick<RemoteStore<unknown>, 'start'>;

/** State shared by all parts of the window, and stores of optional features. */
type Stores = {
  info: RemoteStore<AppInfo>;
  settings: RemoteStore<Settings>;
  services: RemoteStore<Output<'services.list'>>;
  transfers: RemoteStore<TransferSummary>;
  clipboard: RemoteStore<ClipboardState>;
  progress: Progress;
  ofFeatures: ReadonlyMap<CreateStore, ReturnType<CreateStore>>;
};

export function createStores(client: Client, ofFeatures: readonly CreateStore[]): Stores {
  return {
    info: createRemoteStore({
      // The number of tokens in the keychain changes with the services.
      subscribe: (changed) => {
        const stops = [
          client.on('app.changed', () => changed()),
          client.on('services.changed', () => changed()),
        ];
        return () => stops.forEach((stop) => stop());
      },
      load: () => client.call('app.info'),
    }),
    settings: createRemoteStore({
      subscribe: (changed) => client.on('settings.changed', () => changed()),
      load: () => client.call('settings.get'),
    }),
    services: createRemoteStore({
      subscribe: (changed) => client.on('services.changed', ({ revision }) => changed(revision)),
      load: () => client.call('services.list'),
      revisionOf: ({ revision }) => revision,
    }),
    transfers: createRemoteStore({
      subscribe: (changed) => client.on('transfers.changed', ({ revision }) => changed(revision)),
      load: async () =>
        (await client.call('transfers.page', { tab: 'transfers', offset: 0, limit: 1 })).summary,
      revisionOf: ({ revision }) => revision,
    }),
    clipboard: createRemoteStore({
      subscribe: (changed) => client.on('secrets.clipboardChanged', () => changed()),
      load: () => client.call('secrets.clipboard'),
    }),
    progress: createProgress(client),
    ofFeatures: new Map(ofFeatures.map((create) => [create, create(client)])),
  };
}

/** Applies the language setting, or until it is known the system's. */
function followLanguage({ info, settings }: Stores): () => void {
  const follow = () => {
    const systemLanguages = info.store.getState().value?.systemLanguages;
    if (systemLanguages === undefined) return;
    const choice = settings.store.getState().value?.language ?? 'system';
    void applyLanguage(chooseLanguage(choice, systemLanguages));
  };
  const stops = [info.store.subscribe(follow), settings.store.subscribe(follow)];
  return () => stops.forEach((stop) => stop());
}

/** @returns stops them */
export function startStores(stores: Stores): () => void {
  const { ofFeatures, ...shared } = stores;
  const all = [...Object.values(shared), ...ofFeatures.values()];
  const stops = [followLanguage(stores), ...all.map((store) => store.start())];
  return () => stops.forEach((stop) => stop());
}

const StoresContext = createContext<Stores | null>(null);
export const StoresProvider = StoresContext.Provider;

export function useStores(): Stores {
  const stores = useContext(StoresContext);
  if (stores === null) throw new Error('A component needs a StoresProvider above it');
  return stores;
}

/** @param create listed in the feature's `stores` */
export function useFeatureStore<T>(create: (client: Client) => RemoteStore<T>): RemoteStore<T> {
  const store = useStores().ofFeatures.get(create);
  if (store === undefined)
    throw new Error('A store of a feature needs the feature in the list of the window');
  return store as RemoteStore<T>;
}

export function useRemoteStore<T>(remote: RemoteStore<T>): RemoteState<T> {
  return useStore(remote.store);
}

export function useSettings(): Settings {
  return useRemoteStore(useStores().settings).value ?? settingsDefault;
}

/** All services, and the active one; null: none. */
export function useServices(): { services: readonly Service[]; active: Service | null } {
  const { value } = useRemoteStore(useStores().services);
  const services = value?.services ?? [];
  return { services, active: services.find(({ id }) => id === value?.activeId) ?? null };
}

export function useActiveService(): Service | null {
  return useServices().active;
}

export function useTransferSummary(): TransferSummary | null {
  return useRemoteStore(useStores().transfers).value;
}

/** The secret on the clipboard; null until known. */
export function useClipboard(): ClipboardState | null {
  return useRemoteStore(useStores().clipboard).value;
}
