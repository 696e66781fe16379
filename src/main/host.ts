import type { Handlers, Output } from '../shared/contract.ts';
import type { Settings } from '../shared/domain/settings.ts';
import type { Background } from './background.ts';
import { createCommandLimits } from './command-limits.ts';
import { openConnected, type Connected } from './connections/open-connected.ts';
import { createDesktopNotifications, type DesktopNotifications } from './desktop-notifications.ts';
import { createHooks, type Hooks } from './hooks.ts';
import type { Started } from './lib/started.ts';
import { throttle } from './lib/timers.ts';
import { retainFileWorkers } from './local-files/file-workers.ts';
import type { Grants } from './local-files/grants.ts';
import { openLocalCopies, type LocalCopies } from './local-files/local-copies.ts';
import { shortenHome } from './local-files/shorten-home.ts';
import type { Ports, UpdateSource } from './ports.ts';
import { createSettings, type SettingsService } from './settings/settings.ts';
import type { Database } from './storage/database.ts';
import { createEngine, type Engine } from './transfers/engine.ts';
import { openUndo } from './transfers/undo/open-undo.ts';
import type { UndoCopies } from './transfers/undo/undo-copies.ts';

/**
 * Who asks the person: the window; the command on its own terminal; nobody, because the command brought the token
 * itself.
 */
export type Asks = Output<'command.introduce'>['asks'];

export interface AboutHost {
  readonly version: string;
  /** Real paths of the command's executable and script, by which a command that asks for secrets is recognised. */
  readonly commandFiles: readonly string[];
  /** Entry file of the built-in service's thread. */
  readonly localServiceWorker: URL;
  /** Where to check for newer versions; null: nowhere. */
  readonly updates: UpdateSource | null;
}

interface Given {
  readonly database: Database;
  readonly grants: Grants;
  readonly background: Background;
  readonly about: AboutHost;
  readonly asks: Asks;
  /** Checks each service at the start and when it is added. */
  readonly checksServices: boolean;
}

export interface HostInput extends Given {
  readonly ports: Ports;
}

/** What a feature may use, and take part in. */
export interface Host extends Ports, Given, Connected, Hooks, Pick<Database, 'catalogue' | 'documents'> {
  /** false: a command, which has the database open only for a moment. Nothing starts by itself. */
  readonly isApp: boolean;
  readonly localCopies: LocalCopies;
  readonly notifications: DesktopNotifications;
  readonly engine: Engine;
  readonly undoCopies: UndoCopies;
  readonly settings: () => Settings;
  readonly onSettingsChanged: SettingsService['onChanged'];
  /** Call when rows of a service, or the transfers and edits that are shown with them, have changed. */
  readonly touch: (serviceId: string) => void;
  /** Counts the `objects.changed` that were sent. */
  readonly objectsRevision: () => number;
  readonly handlers: Pick<Handlers, 'settings.get' | 'settings.update' | 'command.limit'>;
}

/** Delay and minimum interval of `objects.changed`: each time the window requests its rows, folders and counts again. */
const objectsChangedMs = [100, 250] as const;

/** Opens what features share over a database. What has started is closed by `started`, also after a failure. */
export async function openHost(started: Started, { ports, ...given }: HostInput): Promise<Host> {
  const { about, asks, background, database } = given;
  const { desktop, log, paths, publisher } = ports;
  const { catalogue, documents } = database;
  const localCopies = openLocalCopies();
  // Last: while a drive hangs, its thread does not end.
  started.add(localCopies.close);
  started.add(() => database.close());
  started.add(retainFileWorkers());

  const notifications = createDesktopNotifications(desktop);
  started.add(() => notifications.close());
  const isApp = asks === 'window';
  const settings = await createSettings({ ...ports, documents });
  background.settingsChanged(settings.current());
  const limits = createCommandLimits({ settings: () => settings.current(), isApp });
  const connected = await openConnected(started, {
    ports,
    documents,
    localServiceWorker: about.localServiceWorker,
    onLocalServiceSetAside: (folder) => notifications.localServiceSetAside(shortenHome(folder, paths.home)),
  });
  const undoCopies = await openUndo({
    ...ports,
    store: database.undoStore,
    documents,
    userDataFolder: paths.userData,
    settings: () => settings.current(),
  });
  const engine = await createEngine({
    ...ports,
    store: database.transfers,
    catalogue,
    documents,
    connections: connected.connections,
    clientName: `Coffer ${about.version}`,
    settings: () => limits.current(),
    undoCopies,
  });
  started.add(() => engine.close());
  const hooks = createHooks(started, { ...ports, background });
  hooks.onWake(() => engine.wake());
  hooks.ownFolders.push(undoCopies.own);
  limits.onChanged(() => engine.limitsChanged());
  settings.onChanged(() => {
    engine.limitsChanged();
    undoCopies.trim().catch((cause: unknown) => log.error('what is kept was not trimmed', { cause }));
    background.settingsChanged(settings.current());
  });

  let revision = 0;
  const touched = new Set<string>();
  const tellSoon = throttle(
    () => {
      revision += 1;
      for (const serviceId of touched) {
        publisher.publish('objects.changed', { serviceId, revision });
        hooks.signals.objectsChanged(serviceId);
      }
      touched.clear();
    },
    ...objectsChangedMs,
  );
  started.add(() => tellSoon.cancel());

  return {
    ...ports,
    ...given,
    ...connected,
    ...hooks,
    catalogue,
    documents,
    isApp,
    localCopies,
    notifications,
    engine,
    undoCopies,
    settings: () => settings.current(),
    onSettingsChanged: settings.onChanged,
    touch(serviceId) {
      touched.add(serviceId);
      tellSoon();
    },
    objectsRevision: () => revision,
    handlers: { ...settings.handlers, ...limits.handlers },
  };
}
