import type { Handlers } from '../shared/contract.ts';
import { isJobFinished } from '../shared/domain/job.ts';
import { isFinished } from '../shared/domain/transfer.ts';
import type { Database } from './catalogue/catalogue.ts';
import { createClassifications } from './classifications/classifications.ts';
import { coalesce } from './coalesce.ts';
import { createDrafts } from './drafts/drafts.ts';
import { createFileHandlers } from './files/handlers.ts';
import type { Grants } from './files/grants.ts';
import type { Jobs } from './jobs/jobs.ts';
import { createJobHandlers } from './jobs/handlers.ts';
import { createJobs } from './jobs/jobs.ts';
import { createLocalService } from './local/local-service.ts';
import { createNotices } from './notices.ts';
import { createExchange } from './objects/exchange.ts';
import { createObjects } from './objects/objects.ts';
import type { Ports } from './ports.ts';
import { createPreviews } from './preview/preview.ts';
import { openConnections } from './profiles/open-connections.ts';
import { shortenHome } from './profiles/download-folder.ts';
import { createKeptSecrets } from './profiles/kept-secrets.ts';
import { openProfileBook } from './profiles/profile-book.ts';
import { createProfiles } from './profiles/profiles.ts';
import { createTokens } from './profiles/tokens.ts';
import { createSecrets } from './secrets/secrets.ts';
import { createSettings } from './settings/settings.ts';
import { createTasks } from './tasks/tasks.ts';
import { createTransferHandlers } from './transfers/handlers.ts';
import { createPacer } from './transfers/pacing.ts';
import { createTransfers } from './transfers/transfers.ts';
import type { AppErrorOf } from '../shared/errors.ts';

export type ServiceHandlers = Omit<
  Handlers,
  'app.info' | 'app.open' | 'app.paneFailed' | 'catalogue.recover'
>;

/** Everything that works over an open database. */
export interface Services {
  readonly handlers: ServiceHandlers;
  keychain(): { error: AppErrorOf<'keychain'> | null; tokens: number };
  preview(ticket: string): Promise<Response>;
  /** The computer woke up, or the network is back. */
  wake(): void;
  /** What a person loses by quitting now. */
  atStake(): ReturnType<Jobs['atStake']>;
  /** Closing the window is no wish to quit while something is at stake. */
  keepsRunning(): boolean;
  close(): Promise<void>;
}

/** Wires the features over a database and starts what goes on by itself. */
export async function createServices(
  ports: Ports,
  database: Database,
  grants: Grants,
  localServiceWorker: URL,
): Promise<Services> {
  const { clock, desktop, dialogs, log, paths, publisher } = ports;
  const { catalogue, documents } = database;

  const notices = createNotices(desktop);
  const settings = await createSettings({ documents, appearance: ports.appearance, publisher });
  const keptSecrets = await createKeptSecrets(ports.secrets, log);
  const tokens = createTokens(keptSecrets);
  const book = await openProfileBook(documents, log);
  const localService = createLocalService({
    workerUrl: localServiceWorker,
    userDataFolder: paths.userData,
    keys: keptSecrets,
    tokens,
    log,
    onSetAside: (folder) => notices.localServiceSetAside(shortenHome(folder, paths.home)),
  });
  const connections = openConnections({
    book,
    tokens,
    localService,
    paths,
    clock,
    log,
    onChanged: () => profiles.publishChanged(),
  });
  const classifications = createClassifications({ book, connections, documents });
  const pacer = createPacer(clock);
  const jobs = await createJobs({
    catalogue,
    documents,
    connections,
    pacer,
    clock,
    log,
    settings: () => settings.current(),
  });
  const transfers = createTransfers({
    catalogue,
    connections,
    pacer,
    clock,
    log,
    settings: () => settings.current(),
    rowsElsewhere: jobs.rowsInWork,
  });
  const tasks = createTasks({ catalogue, connections, pacer, clock, log, publisher });
  const previews = createPreviews({ catalogue, connections, clock });
  const profiles = createProfiles({
    book,
    tokens,
    connections,
    localService,
    catalogue,
    grants,
    paths,
    clock,
    publisher,
    async onRemove(profileId) {
      await Promise.all([transfers.removeProfile(profileId), jobs.removeProfile(profileId)]);
      await tasks.cancelProfile(profileId);
      await classifications.forgetProfile(profileId);
      // An import ends here, and nothing that comes late brings the list back.
      await catalogue.closeProfile(profileId);
    },
    async unfinishedOf(profileId) {
      const { uploadsAndDownloads, deferred, running } = await unfinishedOf(profileId);
      return uploadsAndDownloads.length + deferred.length + running.length;
    },
    async cancelUnfinished(profileId) {
      const { uploadsAndDownloads, deferred } = await unfinishedOf(profileId);
      await Promise.all([transfers.cancel(uploadsAndDownloads), jobs.cancel(deferred)]);
      await tasks.cancelProfile(profileId);
    },
  });

  /** What would go to another service if the address of this one changed now. */
  async function unfinishedOf(profileId: string) {
    const all = { offset: 0, limit: Infinity, filter: '' };
    const { tasks: listed } = await tasks.handlers['tasks.list'](undefined);
    const isMeant = (work: { profileId: string }) => work.profileId === profileId;
    return {
      uploadsAndDownloads: transfers
        .page(all.offset, all.limit)
        .rows.filter((transfer) => isMeant(transfer) && !isFinished(transfer.state))
        .map(({ id }) => id),
      deferred: jobs
        .page(all)
        .rows.filter((job) => isMeant(job) && !isJobFinished(job.state))
        .map(({ id }) => id),
      running: listed.filter((task) => isMeant(task) && task.state === 'running'),
    };
  }
  const drafts = createDrafts({
    connections,
    grants,
    clock,
    log,
    publisher,
    enqueueUploads: (profileId, items, request) =>
      (request === 'deferred' ? jobs : transfers).enqueueUploads(profileId, items),
    async onUpload(profileId, { ifExists, request, classification }) {
      await profiles.rememberChoices(profileId, { ifExists, request });
      await classifications.rememberUsed(profileId, classification);
    },
  });
  const objects = createObjects({ catalogue, transfers, desktop });
  const exchange = createExchange({ catalogue, connections, transfers, dialogs, clock });

  const secrets = createSecrets({
    jobs,
    catalogue,
    connections,
    grants,
    dialogs,
    desktop,
    clock,
    log,
    publisher,
    onStored: (profileId, classification) => classifications.rememberUsed(profileId, classification),
  });

  const touched = new Set<string>();
  const tellObjects = coalesce(() => {
    const revision = objects.touch();
    for (const profileId of touched) publisher.publish('objects.changed', { profileId, revision });
    touched.clear();
  });
  function touchObjects(profileId: string): void {
    touched.add(profileId);
    tellObjects.request();
  }
  catalogue.onChanged(touchObjects);
  transfers.onChanged((summary) => {
    publisher.publish('transfers.changed', summary);
    notices.transfersChanged(summary, settings.current());
    // The rows of the window show how far their transfers are.
    const activeId = book.activeId();
    if (activeId !== null) touchObjects(activeId);
  });

  jobs.onChanged((summary) => {
    publisher.publish('jobs.changed', summary);
    notices.jobsChanged(summary);
  });
  jobs.onClosing((warning) => {
    publisher.publish('jobs.closing', warning);
    notices.jobClosing(warning);
  });

  profiles.start();
  for (const { id } of book.list()) {
    transfers.recover(id).catch((cause: unknown) => log.error('uploads were not looked after', { cause }));
    tasks.recover(id).catch((cause: unknown) => log.error('deletions were not looked after', { cause }));
  }

  return {
    handlers: {
      ...settings.handlers,
      ...profiles.handlers,
      ...createFileHandlers(dialogs, grants, paths.home),
      ...classifications.handlers,
      ...objects.handlers,
      ...exchange.handlers,
      ...tasks.handlers,
      ...previews.handlers,
      ...drafts.handlers,
      ...createTransferHandlers(transfers, desktop),
      ...createJobHandlers(jobs, catalogue, desktop),
      ...secrets.handlers,
    },
    keychain: () => ({ error: keptSecrets.keychainError(), tokens: profiles.countKeptTokens() }),
    preview: (ticket) => previews.respond(ticket),
    wake() {
      jobs.wake();
      secrets.wake();
    },
    atStake: () => jobs.atStake(),
    keepsRunning: () => settings.current().keepRunning,
    async close() {
      drafts.close();
      tellObjects.cancel();
      notices.close();
      await secrets.close();
      await Promise.all([transfers.close(), jobs.close(), tasks.close()]);
      await connections.close();
      await localService.stop();
      await database.close();
    },
  };
}
