import { join } from 'node:path';
import type { Handlers } from '../shared/contract.ts';
import type { Database } from './storage/database.ts';
import { createBulkOperations } from './bulk-operations/bulk-operations.ts';
import { createClassifications } from './classifications/classifications.ts';
import type { Edits } from './edits/edits.ts';
import { createUploadPlans } from './upload-plan/upload-plans.ts';
import { createTeams } from './team/teams.ts';
import { createWatchedFolders } from './watch/watched-folders.ts';
import { createEngine, type Engine } from './transfers/engine.ts';
import { retainFileWorkers } from './local-files/file-workers.ts';
import { createTransferHandlers } from './transfers/handlers.ts';
import { createDroppedFiles, createFileHandlers } from './file-handlers.ts';
import { createStreams } from './command-streams.ts';
import type { Grants } from './local-files/grants.ts';
import { createUndoHandlers } from './transfers/undo-handlers.ts';
import { openUndo } from './transfers/undo/open-undo.ts';
import { createUnknownFiles } from './transfers/undo/unknown-files.ts';
import { KeyedMutex } from './lib/async.ts';
import { Revision } from './lib/revision.ts';
import { Started } from './lib/started.ts';
import { everyHour, gather } from './lib/timers.ts';
import { createFinishedCheck } from './unfinished-work.ts';
import { createWorkTally, type Background } from './background.ts';
import { createDesktopNotifications } from './desktop-notifications.ts';
import { createObjectFeatures } from './object-features.ts';
import type { Ports, UpdateSource } from './ports.ts';
import { createPreviewChoices } from './preview/preview-choices.ts';
import { openLocalCopies } from './local-files/local-copies.ts';
import { shortenHome } from './local-files/shorten-home.ts';
import { openConnected } from './connections/open-connected.ts';
import { createServices } from './connections/services.ts';
import { createProxyHandlers } from './connections/proxy-handlers.ts';
import { createApprovals } from './approvals/approvals.ts';
import { createProgramSecrets, type Asks } from './approvals/program-secrets.ts';
import { createCommandHandlers } from './command-handlers.ts';
import { createCommandLimits } from './command-limits.ts';
import { createRenewals } from './secrets/renewals.ts';
import { createSecrets } from './secrets/secrets.ts';
import { createSettings } from './settings/settings.ts';
import { createUpdates } from './updates/updates.ts';
import type { AppErrorOf } from '../shared/errors.ts';

export type FeatureHandlers = Omit<Handlers, `app.${string}` | 'catalogue.recover'>;

/** All features over an open database. */
export interface Features {
  readonly handlers: FeatureHandlers;
  keychain(): { error: AppErrorOf<'keychain'> | null; tokens: number };
  preview(ticket: string, range: string | null): Promise<Response>;
  /** Call when the computer wakes up or the network is back. */
  wake(): void;
  /** Call when the window gets the focus. */
  focused(): void;
  /** Call with absolute paths of files that were dropped outside the window. */
  readonly dropFiles: (paths: string[]) => void;
  /** Call with a link that the system asks to open. */
  readonly openLink: (link: string) => void;
  /** What quitting now would lose. */
  atStake(): ReturnType<Engine['atStake']>;
  /** Objects that are being edited. */
  openEdits(): ReturnType<Edits['open']>;
  /** Programs hold or request approvals, which end when the screen is locked. */
  holdsApprovals(): boolean;
  /** Call when the screen was locked: ends all approvals. */
  lock(): void;
  /** Call when the user's session ends: clears secrets from the clipboard. */
  clearClipboard(): void;
  close(): Promise<void>;
}

interface AboutFeatures {
  readonly version: string;
  readonly commandFiles: readonly string[];
  readonly localServiceWorker: URL;
  readonly updates: UpdateSource | null;
  readonly asks: Asks;
  readonly checksServices: boolean;
  readonly background: Background;
}

/** Wires the features over a database and starts background work. On failure closes everything, including the database. */
export async function createFeatures(
  ports: Ports,
  database: Database,
  grants: Grants,
  about: AboutFeatures,
): Promise<Features> {
  const started = new Started();
  try {
    const features = await startFeatures(started, ports, database, grants, about);
    return { ...features, close: () => started.close() };
  } catch (cause) {
    await started
      .close()
      .catch((failed: unknown) =>
        ports.log.error('what was started did not close in order', { cause: failed }),
      );
    throw cause;
  }
}

async function startFeatures(
  started: Started,
  ports: Ports,
  database: Database,
  grants: Grants,
  about: AboutFeatures,
): Promise<Omit<Features, 'close'>> {
  const { background } = about;
  const { clock, desktop, dialogs, log, paths, publisher } = ports;
  const { catalogue, documents } = database;
  const localCopies = openLocalCopies();
  // Last: while a drive hangs, its thread does not end.
  started.add(localCopies.close);
  started.add(() => database.close());
  started.add(retainFileWorkers());

  const notifications = createDesktopNotifications(desktop);
  started.add(() => notifications.close());
  const settings = await createSettings({
    documents,
    appearance: ports.appearance,
    systemLanguages: ports.systemLanguages,
    publisher,
  });
  background.settingsChanged(settings.current());
  const limits = createCommandLimits({
    settings: () => settings.current(),
    isApp: about.asks === 'window',
  });
  const updates = await createUpdates({
    source: about.updates,
    version: about.version,
    documents,
    clock,
    log,
    publisher,
    desktop,
    isWanted: () => settings.current().tellOfUpdates,
  });
  started.add(() => updates.close());
  const {
    credentials,
    tokens,
    passphrases,
    proxies,
    repository,
    localService,
    connections,
    onServicesChanged,
  } = await openConnected(started, {
    ports,
    documents,
    localServiceWorker: about.localServiceWorker,
    onLocalServiceSetAside: (folder) => notifications.localServiceSetAside(shortenHome(folder, paths.home)),
  });
  const classifications = await createClassifications({ repository, connections, documents });
  const undoCopies = await openUndo({
    store: database.undoStore,
    keychain: ports.keychain,
    documents,
    userDataFolder: paths.userData,
    settings: () => settings.current(),
    log,
  });
  const engine = await createEngine({
    store: database.transfers,
    catalogue,
    documents,
    connections,
    clock,
    log,
    clientName: `Coffer ${about.version}`,
    settings: () => limits.current(),
    undoCopies,
  });
  started.add(() => engine.close());
  const work = createWorkTally(background);
  const bulk = createBulkOperations({
    catalogue,
    connections,
    engine,
    clock,
    log,
    publisher,
    onChanged: work.changed,
  });
  started.add(() => bulk.close());
  work.add(bulk.goingOn);
  const previewChoices = await createPreviewChoices({ repository, documents });
  // Serialises changes of a service: its address must not change while it joins a team.
  const serviceLock = new KeyedMutex<string>();
  const teams = createTeams({
    copy: database.team,
    repository,
    credentials,
    grants,
    clock,
    log,
    publisher,
    serviceLock,
    setNote: (id, note) => catalogue.update([{ id, patch: { note }, history: { action: 'noteChanged' } }]),
    follows: about.asks === 'window',
  });
  started.add(() => teams.close());
  const uploadPlans = createUploadPlans({
    documents,
    catalogue,
    connections,
    grants,
    clock,
    log,
    publisher,
    enqueueUploads: engine.enqueue.uploads,
    onUploading: work.changed,
    onUpload: (serviceId, folder, { classification, classificationChosen }) =>
      classifications.rememberUsed(serviceId, classification, classificationChosen ? folder : undefined),
  });
  started.add(() => uploadPlans.close());
  work.add(() => (uploadPlans.isUploading() ? ['prepare'] : []));
  const objects = await createObjectFeatures(started, {
    ports,
    database,
    grants,
    repository,
    connections,
    engine,
    isApp: about.asks === 'window',
    localCopies,
    settings: () => settings.current(),
    rememberUsed: (serviceId, classification) => classifications.rememberUsed(serviceId, classification),
    onEditLeft: (folder) => notifications.filesLeft(shortenHome(folder, paths.home)),
    onExchange: work.changed,
    onObjectsChanged: (serviceId) => teams.objectsChanged(serviceId),
  });
  work.add(objects.exchanging);
  const watchRevision = new Revision((current) => publisher.publish('watch.changed', { revision: current }));
  started.add(() => watchRevision.cancel());
  const watches = await createWatchedFolders({
    documents,
    watched: database.watched,
    catalogue,
    connections,
    engine,
    grants,
    desktop,
    paths,
    clock,
    log,
    publisher,
    onChanged: () => watchRevision.increase(),
    revision: () => watchRevision.current,
    follows: about.asks === 'window',
  });
  started.add(() => watches.close());
  const droppedFiles = createDroppedFiles(grants, publisher);

  const secrets = createSecrets({
    engine,
    catalogue,
    connections,
    grants,
    dialogs,
    desktop,
    clock,
    log,
    publisher,
    onStored: (serviceId, classification) => classifications.rememberUsed(serviceId, classification),
  });
  started.add(() => secrets.close());

  const streams = createStreams(join(paths.userData, 'streams'), (path) => engine.ofPath(path), log);
  await streams.tidy();
  const unknown = createUnknownFiles([undoCopies.own, ...objects.ownFolders, streams.own], log);
  const trimming = everyHour(
    clock,
    async () => {
      await streams.tidy();
      await undoCopies.trim();
      await objects.edits.copies.removeOld();
    },
    (cause) => log.error('what is kept was not trimmed', { cause }),
  );
  started.add(trimming.close);
  const renewals = createRenewals({
    catalogue,
    documents,
    clock,
    log,
    isSetUp: (serviceId) => repository.find(serviceId) !== undefined,
    onDue: (due) => notifications.secretsDue(due.map(({ identifier }) => identifier)),
  });
  started.add(() => renewals.close());
  const approvals = createApprovals({
    clock,
    publisher,
    home: paths.home,
    onAsked: (ask) => notifications.programAsks(ask),
  });

  const services = createServices({
    repository,
    lock: serviceLock,
    checks: about.checksServices,
    tokens,
    passphrases,
    proxies,
    connections,
    localService,
    catalogue,
    grants,
    paths,
    clock,
    publisher,
    log,
    async onRemove(serviceId) {
      await engine.removeService(serviceId);
      await undoCopies.removeService(serviceId);
      await objects.edits.removeService(serviceId);
      await watches.removeService(serviceId);
      await teams.removeService(serviceId);
      approvals.removeService(serviceId);
      await bulk.cancelService(serviceId);
      await classifications.forgetService(serviceId);
      await previewChoices.forgetService(serviceId);
      // Ends imports, so that late rows do not bring the list back.
      await catalogue.closeService(serviceId);
    },
    requireMovable: (serviceId) => teams.requireMovable(serviceId),
    requireShared: (serviceId) => teams.requireShared(serviceId),
    requireFinished: createFinishedCheck({ engine, undoCopies, edits: objects.edits }),
    unfinishedOf: engine.unfinishedOf,
    async cancelUnfinished(serviceId) {
      await bulk.cancelService(serviceId);
      await engine.actions.cancel({ kind: 'service', serviceId });
    },
  });
  onServicesChanged(() => services.publishChanged());

  const limitsChanged = () => engine.limitsChanged();
  limits.onChanged(limitsChanged);
  settings.onChanged(() => {
    limitsChanged();
    undoCopies.trim().catch((cause: unknown) => log.error('what is kept was not trimmed', { cause }));
    updates.settingsChanged();
    background.settingsChanged(settings.current());
  });
  catalogue.onChanged(objects.touch);
  engine.onChanged(({ summary, serviceIds }) => {
    publisher.publish('transfers.changed', summary);
    notifications.transfersChanged(summary, settings.current());
    background.summaryChanged(summary);
    // A token was refused or replaced.
    work.changed();
    // Rows of the window show the state of their transfers.
    for (const serviceId of serviceIds) objects.touch(serviceId);
  });
  undoCopies.onChanged(() => publisher.publish('undo.changed', undefined));
  const publishEnded = gather<number>((ids) => publisher.publish('transfers.ended', { ids }));
  engine.onEnded(({ id }) => publishEnded(id));
  engine.onProgress((progress) => {
    publisher.publish('transfers.progress', progress);
    background.progressed(progress);
  });
  engine.onClosing((warning) => {
    publisher.publish('transfers.closing', warning);
    notifications.windowCloses(warning);
  });

  services.start();
  // Do not wait for the first change: everything may be paused, or wait for an answer.
  if (about.asks === 'window')
    engine.summary().then(
      (summary) => background.summaryChanged(summary),
      (cause: unknown) => log.warn('the transfers were not counted', { cause }),
    );
  return {
    handlers: {
      ...settings.handlers,
      ...updates.handlers,
      ...services.handlers,
      ...createProxyHandlers({ proxies, repository, connections }),
      ...createFileHandlers(dialogs, grants, paths.home),
      ...droppedFiles.handlers,
      ...classifications.handlers,
      ...objects.handlers,
      ...bulk.handlers,
      ...previewChoices.handlers,
      ...uploadPlans.handlers,
      ...createTransferHandlers(engine, desktop, grants, paths.home),
      ...secrets.handlers,
      ...createCommandHandlers({
        catalogue,
        engine,
        bulk,
        grants,
        overlaid: objects.overlaid,
        put: (...upload) => uploadPlans.put(...upload),
        connections,
        importList: objects.importList,
      }),
      ...limits.handlers,
      ...approvals.handlers,
      ...createProgramSecrets({
        asks: about.asks,
        commandFiles: about.commandFiles,
        catalogue,
        connections,
        secrets,
        approvals,
      }),
      ...watches.handlers,
      ...teams.handlers,
      ...createUndoHandlers({
        undoCopies,
        catalogue,
        engine,
        connections,
        dialogs,
        desktop,
        unknown,
        onUnknownRemoved: () => publisher.publish('undo.changed', undefined),
      }),
    },
    keychain: () => ({ error: credentials.keychainError(), tokens: services.countStoredTokens() }),
    preview: objects.preview,
    wake() {
      engine.wake();
      watches.wake();
      teams.wake();
      secrets.wake();
    },
    focused() {
      secrets.focused();
      watches.wake();
    },
    dropFiles: droppedFiles.drop,
    openLink: objects.openLink,
    atStake: engine.atStake,
    openEdits: () => objects.edits.open(),
    holdsApprovals: () => approvals.holdsAny(),
    lock: () => approvals.lock(),
    clearClipboard: () => secrets.clearClipboard(),
  };
}
