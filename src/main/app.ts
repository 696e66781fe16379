import { dirname } from 'node:path';
import type { AppInfo, Handlers } from '../shared/contract.ts';
import type { OpenedDatabase, Database } from './storage/database.ts';
import { keepTokensSafe } from './agent/keep-tokens-safe.ts';
import { serveAgent, type Agent } from './agent/serve-agent.ts';
import { createBackground, type Background } from './background.ts';
import { openDatabase } from './storage/open-database.ts';
import { createGrants } from './local-files/grants.ts';
import { createRouter, type Router } from './ipc/router.ts';
import type { Ports, Publisher } from './ports.ts';
import type { CrashNotes } from './crashes/crash-notes.ts';
import { createReports } from './report/reports.ts';
import { createFeatures, type FeatureHandlers, type Features } from './features.ts';
import type { AboutHost, Asks } from './host.ts';

export interface About extends AboutHost, Pick<AppInfo, 'platform' | 'shell'> {
  /** Absolute paths of files that the user can open from the window. */
  readonly files: { readonly log: string; readonly licences: string };
  readonly crashes: Pick<CrashNotes, 'earlier' | 'dismiss'>;
}

export interface AppOptions {
  /** Opens the database. */
  readonly open?: typeof openDatabase;
  readonly answersCommands?: boolean;
  /** Who asks the user before a program gets secrets. */
  readonly asks?: Asks;
  /** Checks each service at the start and when it is added, for whoever sees the states of connections. Default true. */
  readonly checksServices?: boolean;
  /** For a command: the app is starting and needs the data folder. Omitted by the app itself. */
  readonly onMakeWay?: () => void;
}

export interface App {
  readonly router: Router;
  /** One opaque grant for each absolute path, in the same order. */
  readonly grant: (paths: string[]) => string[];
  readonly preview: (ticket: string, range: string | null) => Promise<Response>;
  /** Call when the computer wakes up or the network is back. */
  readonly wake: Features['wake'];
  /** Call when the window gets the focus. */
  readonly focused: Features['focused'];
  /** What quitting now would lose; nothing before the database is open. */
  readonly atStake: Features['atStake'];
  /** Objects that are being edited. */
  readonly openEdits: Features['openEdits'];
  /** The work that continues without the window. */
  readonly background: Background;
  /** Pauses or resumes everything, as the window does. */
  readonly setPaused: (isPaused: boolean) => Promise<void>;
  /** Call with absolute paths of files that were dropped outside the window, which takes them when it is ready. */
  readonly dropFiles: Features['dropFiles'];
  /** Whether a command is connected. */
  readonly servesCommands: () => boolean;
  /** Resolves once no command is connected. */
  readonly commandsGone: () => Promise<void>;
  readonly holdsApprovals: Features['holdsApprovals'];
  /** Call when the screen was locked. */
  readonly lock: () => void;
  readonly close: () => Promise<void>;
  /** Call with a link that the system asks to open; the window takes it when it is ready. */
  readonly openLink: Features['openLink'];
  /** Call when the user's session ends: there is no time for anything asynchronous. */
  readonly sessionEnds: () => void;
}

/**
 * The whole application, without a window. Usable at once: calls wait until the database is open. A broken database
 * is set aside; until `catalogue.recover`, all other calls fail with `notReady`.
 */
export function createApp(
  ports: Ports,
  about: About,
  {
    open = openDatabase,
    answersCommands = true,
    asks = 'window',
    checksServices = true,
    onMakeWay,
  }: AppOptions = {},
): App {
  const grants = createGrants();
  let services: Features | null = null;
  let agent: Agent | null = null;
  const publisher: Publisher = {
    publish(event, payload) {
      ports.publisher.publish(event, payload);
      agent?.publish(event, payload);
    },
  };
  const background = createBackground(() => void router('settings.update', { backgroundTold: true }));
  let waitsForCommand = false;
  let broken: Extract<OpenedDatabase, { state: 'broken' }> | null = null;
  let handlers: Promise<Partial<Handlers>> = open({
    folder: ports.paths.userData,
    nowMs: ports.clock.nowMs,
    onCopyMade: (elapsedMs, bytes) =>
      ports.log.info('the daily copy of the list was made', { elapsedMs, bytes }),
    onCopyFailed: (cause) => ports.log.warn('the daily copy of the list failed', { cause }),
    onThreadDied: (cause) => ports.log.error('the thread of the list died', { cause }),
    onSlowStatement: (sql, elapsedMs) => ports.log.warn('slow SQL', { sql, elapsedMs }),
    onWaitsForCommand() {
      if (waitsForCommand) return;
      waitsForCommand = true;
      ports.log.info('a command uses the list: waiting until it has made way');
      publisher.publish('app.changed', undefined);
    },
  }).then((opened) => {
    waitsForCommand = false;
    if (opened.state === 'ready') return start(opened.database);
    broken = opened;
    ports.log.error('the list of objects is broken and was set aside', { name: opened.setAsideName });
    return ownHandlers;
  });
  handlers.catch((cause: unknown) => ports.log.error('Coffer did not start', { cause }));

  async function start(database: Database): Promise<Partial<Handlers>> {
    services = await createFeatures({
      ports: { ...ports, publisher },
      database,
      grants,
      background,
      about,
      asks,
      checksServices,
    });
    // The process that has the database open serves commands.
    if (answersCommands)
      agent = await serveAgent({
        userDataFolder: ports.paths.userData,
        version: about.version,
        router: keepTokensSafe(router),
        asksPerson: asks === 'window',
        grant: (paths) => grants.grant(paths),
        makeWay: onMakeWay ?? null,
        log: ports.log,
      });
    return { ...ownHandlers, ...services.handlers } satisfies Handlers;
  }

  const reports = createReports({
    about: {
      version: about.version,
      shell: asks === 'window' ? about.shell : 'command',
      userData: ports.paths.userData,
      logFolder: dirname(about.files.log),
      environment: ports.environment,
    },
    handlers: () => handlers,
    crashes: about.crashes,
    dialogs: ports.dialogs,
    clock: ports.clock,
    log: ports.log,
  });
  const atOnce = {
    'app.opening': () => ({ waitsForCommand }),
    ...reports,
    async 'app.dismissCrash'() {
      await reports['app.dismissCrash'](undefined);
      publisher.publish('app.changed', undefined);
      return undefined;
    },
  } satisfies Partial<Handlers>;
  const ownHandlers: Omit<Handlers, keyof FeatureHandlers> = {
    ...atOnce,
    'app.info': () => {
      const { version, platform, shell } = about;
      const crash = about.crashes.earlier();
      const { error, tokens } = services?.keychain() ?? { error: null, tokens: 0 };
      return {
        version,
        platform,
        shell,
        systemLanguages: [...ports.systemLanguages],
        keychain: { usable: error === null, error, tokens },
        catalogue: broken
          ? { state: 'broken', setAsideName: broken.setAsideName, copies: [...broken.copies] }
          : { state: 'ready' },
        crash: crash && { atMs: crash.atMs, what: crash.what },
      };
    },
    'app.nameUndos': ({ names }) => {
      ports.desktop.nameUndos(names);
      return undefined;
    },
    'app.open': ({ what }) => {
      ports.desktop.showInFolder(about.files[what]);
      return undefined;
    },
    'app.paneFailed': (failure) => {
      ports.log.error('a part of the window could not be drawn', failure);
      return undefined;
    },
    'catalogue.recover': async ({ copyId }) => {
      if (!broken) return undefined;
      const database = await broken.recover(copyId);
      broken = null;
      handlers = start(database);
      await handlers;
      publisher.publish('app.changed', undefined);
      return undefined;
    },
  };

  let closing: Promise<void> | null = null;
  /** Closes once, however often it is called. */
  function close(): Promise<void> {
    closing ??= (async () => {
      await handlers.catch(() => undefined);
      await agent?.close();
      await services?.close();
    })();
    return closing;
  }

  const router = createRouter(() => handlers, ports.log, atOnce);

  return {
    router,
    grant: (paths) => grants.grant(paths),
    async preview(ticket, range) {
      await handlers;
      return services?.preview(ticket, range) ?? new Response(null, { status: 404 });
    },
    wake: () => services?.wake(),
    focused: () => services?.focused(),
    atStake: () => services?.atStake() ?? [],
    openEdits: () => services?.openEdits() ?? [],
    background,
    async setPaused(isPaused) {
      const reply = await router(isPaused ? 'transfers.pause' : 'transfers.resume', { which: 'all' });
      if (!reply.ok) ports.log.warn('pausing by the icon failed', { isPaused, error: reply.error });
    },
    dropFiles(paths) {
      void handlers.then(
        () => services?.dropFiles(paths),
        () => undefined,
      );
    },
    servesCommands: () => agent?.isIdle() === false,
    commandsGone: async () => agent?.idle(),
    holdsApprovals: () => services?.holdsApprovals() ?? false,
    lock: () => services?.lock(),
    openLink(link) {
      // A broken list is recovered first; the link can be opened again.
      void handlers.then(
        () => services?.openLink(link),
        () => undefined,
      );
    },
    close,
    sessionEnds() {
      services?.clearClipboard();
      close().catch((cause: unknown) => ports.log.error('Not everything closed in order', { cause }));
    },
  };
}
