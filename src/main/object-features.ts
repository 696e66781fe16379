import type { Settings } from '../shared/domain/settings.ts';
import type { Connections } from './connections/connections.ts';
import type { ServiceRepository } from './connections/service-repository.ts';
import { createEdits } from './edits/edits.ts';
import { watchFolder } from './edits/follow-file.ts';
import { createTakeOut } from './edits/take-out.ts';
import { Revision } from './lib/revision.ts';
import type { Started } from './lib/started.ts';
import { throttle } from './lib/timers.ts';
import type { Grants } from './local-files/grants.ts';
import { createObjectActions } from './object-handlers/object-actions.ts';
import { createObjects } from './object-handlers/object-handlers.ts';
import type { Ports } from './ports.ts';
import type { LocalCopies } from './local-files/local-copies.ts';
import { createPreviews } from './preview/preview.ts';
import type { Database } from './storage/database.ts';
import type { Engine } from './transfers/engine.ts';
import { createMakeCurrent } from './versions/make-current.ts';
import { createVersions } from './versions/versions.ts';

/** Delay and minimum interval of `objects.changed`: each time the window requests its rows, folders and counts again. */
const objectsChangedMs = [100, 250] as const;

/** The list of objects, and everything that opens, edits, previews, fetches or stores them. */
export async function createObjectFeatures(
  started: Started,
  given: {
    ports: Pick<Ports, 'clock' | 'desktop' | 'dialogs' | 'log' | 'paths' | 'publisher'>;
    database: Pick<Database, 'catalogue' | 'documents'>;
    grants: Grants;
    repository: ServiceRepository;
    connections: Connections;
    engine: Engine;
    isApp: boolean;
    localCopies: LocalCopies;
    settings: () => Settings;
    rememberUsed: (serviceId: string, classification: string | null) => Promise<void>;
    /** Called when an import or an export has begun or ended. */
    onExchange: () => void;
    /** Called when the person's files stay in this folder although no edit refers to them any more. */
    onEditLeft: (folder: string) => void;
    /** Called no more often than `objects.changed` is sent. */
    onObjectsChanged: (serviceId: string) => void;
  },
) {
  const { engine, localCopies } = given;
  const { catalogue, documents } = given.database;
  const { paths, publisher } = given.ports;
  const deps = { ...given, ...given.ports, catalogue, documents };
  let revision = 0;
  const touched = new Set<string>();
  const tellSoon = throttle(
    () => {
      revision += 1;
      for (const serviceId of touched) {
        publisher.publish('objects.changed', { serviceId, revision });
        given.onObjectsChanged(serviceId);
      }
      touched.clear();
    },
    ...objectsChangedMs,
  );
  started.add(() => tellSoon.cancel());
  /** Call when rows of a service, or the transfers and edits that are shown with them, have changed. */
  function touch(serviceId: string): void {
    touched.add(serviceId);
    tellSoon();
  }

  const editRevision = new Revision((current) => publisher.publish('edits.changed', { revision: current }));
  started.add(() => editRevision.cancel());
  const edits = await createEdits({
    ...deps,
    userData: paths.userData,
    onRowsChanged: (listener) => catalogue.onChanged(listener),
    readLocal: (object) => localCopies.read(object, (id) => engine.localFilesOf(id)),
    watchFolder,
    onLeft: given.onEditLeft,
    revision: () => editRevision.current,
    onChanged(serviceIds) {
      editRevision.increase();
      for (const serviceId of serviceIds) touch(serviceId);
    },
  });
  started.add(() => edits.close());
  const { copies } = edits;
  const previews = createPreviews({ ...deps, copies });
  started.add(() => previews.close());
  const makeCurrent = createMakeCurrent({ ...deps, userDataFolder: paths.userData });
  started.add(() => makeCurrent.close());
  const versions = createVersions({ ...deps, makeCurrent });
  started.add(() => versions.close());
  const objects = createObjects({ ...deps, edits, revision: () => revision });
  const actions = createObjectActions(deps);
  return {
    handlers: {
      ...objects.handlers,
      ...actions.handlers,
      ...versions.handlers,
      ...previews.handlers,
      ...edits.handlers,
      ...createTakeOut({ ...deps, copies }).handlers,
    },
    touch,
    edits,
    overlaid: objects.overlaid,
    importList: actions.importList,
    exchanging: actions.goingOn,
    openLink: actions.openLink,
    preview: previews.respond,
    /** Coffer's own folders, to be checked for unknown files. */
    ownFolders: [...edits.folders, makeCurrent.own],
  };
}
