import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import type { Input, Output, ProcedureName } from '../../shared/contract.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import type { CofferClient } from '../../main/agent/agent-client.ts';
import { createApp, type App, type AppOptions } from '../../main/app.ts';
import { createClipboardPrograms } from '../../main/secrets/clipboard-programs.ts';
import type { Desktop, Dialogs, Log, Ports, SecretStore } from '../../main/ports.ts';
import { readCrash } from '../../main/crashes/crash-notes.ts';
import type { CommandIo } from '../terminal/io.ts';
import { openCopy } from './open-copy.ts';

const noWindow = (): never => {
  throw new AppFailure({ code: 'senderRefused' });
};

const desktopOf = (io: CommandIo): Desktop => ({
  showInFolder: noWindow,
  openFile: (path) => openCopy(path, io),
  openFolder: async () => noWindow(),
  openExternal: async () => false,
  nameUndos: noWindow,
  setDragFiles: noWindow,
  checkFileClipboard: noWindow,
  writeFilesToClipboard: async () => noWindow(),
  writeClipboardText: async () => noWindow(),
  ...createClipboardPrograms(io),
  notify: () => undefined,
  setProgress: () => undefined,
  setBadge: () => undefined,
});

const dialogs: Dialogs = {
  openFiles: async () => noWindow(),
  openFolders: async () => noWindow(),
  openFile: async () => noWindow(),
  saveFile: async () => noWindow(),
};

/** Runs the engine in this process. @throws AppFailure why the list cannot be opened */
export async function openEngine(
  own: {
    io: CommandIo;
    userDataFolder: string;
    version: string;
    log: Log;
    closeLog: () => void;
    keychain: SecretStore;
  },
  options: AppOptions,
  makeWay?: AbortSignal,
): Promise<CofferClient> {
  const { io, userDataFolder, version, log, closeLog, keychain } = own;
  const events = new EventEmitter().setMaxListeners(0);
  const ports: Ports = {
    keychain,
    clock: io.clock,
    dialogs,
    desktop: desktopOf(io),
    appearance: { setTheme: () => undefined },
    systemProxy: { resolve: async () => 'DIRECT' },
    environment: io.env,
    systemLanguages: [],
    paths: { userData: userDataFolder, downloads: join(io.homeFolder, 'Downloads'), home: io.homeFolder },
    log,
    publisher: { publish: (event, payload) => void events.emit(event, payload) },
  };
  const app = createApp(
    ports,
    {
      version,
      platform: 'other',
      shell: 'chromium',
      files: { log: join(userDataFolder, 'logs', 'coffer.log'), licences: '' },
      // Only the app's window offers and dismisses a crash report.
      crashes: { earlier: () => readCrash(join(userDataFolder, 'logs')), dismiss: () => undefined },
      commandFiles: [],
      localServiceWorker: new URL('./local-service.cjs', import.meta.url),
      updates: null,
    },
    options,
  );
  const call = callOf(app);
  const closeAll = () => app.close().finally(closeLog);
  try {
    await call('services.list', undefined);
  } catch (cause) {
    await closeAll().catch(() => undefined);
    throw cause;
  }
  return {
    call,
    gone: new Promise(() => undefined),
    grant: async (paths) => app.grant([...paths]),
    async follow(event, listener) {
      events.on(event, listener);
    },
    async close() {
      // Serve other commands to their end, unless the app takes over.
      await Promise.race([app.commandsGone(), aborted(makeWay)]);
      await closeAll();
    },
  };
}

function aborted(signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) resolve();
    signal?.addEventListener('abort', () => resolve());
  });
}

function callOf(app: App) {
  return async function call<N extends ProcedureName>(name: N, input: Input<N>): Promise<Output<N>> {
    const reply = await app.router(name, input);
    if (reply.ok) return reply.value as Output<N>;
    throw new AppFailure(reply.error);
  };
}
