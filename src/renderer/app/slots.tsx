import { createContext, use, type ComponentType, type ReactNode } from 'react';
import type { ObjectRow } from '../../shared/contract.ts';
import type { Service } from '../../shared/domain/service.ts';
import type { Settings } from '../../shared/domain/settings.ts';
import type { MenuEntry } from '../ui/Menu.tsx';
import type { PaletteEntry } from './palette-entry.ts';
import type { ServicePart } from './service-part.tsx';
import type { Setting } from './setting.ts';
import type { CreateStore } from './stores.ts';
import type { Act } from './use-act.ts';

/** Where a feature can show something of its own, with the props that it gets there. */
type Places = {
  banner: object;
  statusStart: object;
  statusEnd: object;
  navItem: { serviceId: string; isMarkOnly: boolean };
  /** The middle of the window. The feature looks at the place whether it is its turn. */
  view: { service: Service };
  /** Dialogs of the window of a service, and of any screen. */
  windowDialogs: { service: Service };
  appDialogs: object;
  emptyList: { serviceId: string };
  details: { object: ObjectRow; nowMs: number };
  secretDetails: { object: ObjectRow; nowMs: number };
  uploadHint: { serviceId: string };
  transfersStart: object;
  /** Before a service is removed: above and below the choice of what stays. */
  removeStart: { serviceId: string; act: Act };
  removeEnd: { serviceId: string };
  settingsOfServices: { search: string };
  serviceSettings: ServicePart;
  settingsOfPrograms: { search: string };
};

/** Entries of the command palette, by where they stand. */
export type PaletteFacts = Partial<
  Record<'actions' | 'goTo' | 'help' | 'settings' | 'settingsOfService', readonly PaletteEntry[]>
>;

/** What the window asks of a feature, to show it itself. All are hooks; null or nothing: the feature has no answer. */
type Facts = {
  /** The names of the others who share the list of a service; null: nobody can. */
  sharedWith: (serviceId: string | null) => readonly string[] | null;
  /** How many changes would be lost with a service. */
  unshared: (serviceId: string) => number;
  /** How many things wait for the person, other than transfers and jobs. */
  needs: () => number;
  /** Shown instead of the state of an object. */
  objectState: (object: ObjectRow) => ReactNode;
  uploadMenu: () => MenuEntry;
  palette: () => PaletteFacts;
  aboutLink: () => { label: string; run: () => void };
  aboutSetting: (settings: Settings, onChange: (change: Partial<Settings>) => void) => Setting | null;
};

/** A feature that the window can do without: what it keeps, shows and says. */
export type WindowFeature = {
  /** Started with the window. */
  stores?: readonly CreateStore[];
  slots?: { [N in keyof Places]?: ComponentType<Places[N]> };
  facts?: { [N in keyof Facts]?: Facts[N] };
};

const FeaturesContext = createContext<readonly WindowFeature[]>([]);
/** The list must never change: hooks are called in its order. */
export const FeaturesProvider = FeaturesContext.Provider;

/** What the features show at a place, in the order of their list. */
export function Slot<N extends keyof Places>({ name, ...props }: { name: N } & Places[N]) {
  return use(FeaturesContext).map(({ slots }, at) => {
    const Part: ComponentType<Places[N]> | undefined = slots?.[name];
    // oxlint-disable-next-line react/no-array-index-key -- the list never changes
    return Part && <Part key={at} {...(props as unknown as Places[N])} />;
  });
}

/** What the features say, in the order of their list. */
export function useFacts<N extends keyof Facts>(
  name: N,
  ...of: Parameters<Facts[N]>
): NonNullable<ReturnType<Facts[N]>>[] {
  return use(FeaturesContext).flatMap(({ facts }) => {
    const fact = facts?.[name] as ((...of: unknown[]) => ReturnType<Facts[N]>) | undefined;
    const said = fact?.(...of);
    return said == null ? [] : [said];
  });
}

/** The names of the others who share the list of a service; null: nobody can. */
export function useSharedWith(serviceId: string | null): readonly string[] | null {
  return useFacts('sharedWith', serviceId)[0] ?? null;
}
