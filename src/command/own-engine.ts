import { join } from 'node:path';
import { homedir } from 'node:os';
import type { EventName, EventPayload, Input, Output, ProcedureName, Reply } from '../shared/contract.ts';
import { AppFailure } from '../shared/errors.ts';
import type { CofferClient } from '../main/agent/agent-client.ts';
import { createApp, type App } from '../main/app.ts';
import { systemClock } from '../main/clock.ts';
import { makePrivateFolder } from '../main/files/private-folder.ts';
import { createKeychain } from '../main/keychain.ts';
import { createLog } from '../main/log.ts';
import type { Desktop, Dialogs, Ports, Publisher } from '../main/ports.ts';

/** A command has no window: what needs one says so. */
const noWindow = (): never => {
  throw new AppFailure({ code: 'senderRefused' });
};

const desktop: Desktop = {
  showInFolder: noWindow,
  openFile: async () => false,
  openExternal: async () => false,
  readClipboardText: async () => noWindow(),
  writeClipboardText: async () => noWindow(),
  writeSecretToClipboard: async () => noWindow(),
  clearClipboard: async () => undefined,
  notify: () => undefined,
  setProgress: () => undefined,
  setBadge: () => undefined,
};

const dialogs: Dialogs = {
  openFiles: async () => noWindow(),
  openFolders: async () => noWindow(),
  openFile: async () => noWindow(),
  saveFile: async () => noWindow(),
};

type Listener = (payload: never) => void;

/**
 * Does the work of the app in this process, while no app has the data folder, and answers other commands meanwhile.
 * @throws AppFailure dataFolderInUse, catalogueTooNew and what else keeps the list from being opened
 */
export async function openOwnEngine(userDataFolder: string, version: string): Promise<CofferClient> {
  makePrivateFolder(userDataFolder);
  const { log, path: logPath } = createLog(join(userDataFolder, 'logs'));
  const listeners = new Map<EventName, Listener[]>();
  const publisher: Publisher = {
    publish<N extends EventName>(event: N, payload: EventPayload<N>) {
      for (const listener of listeners.get(event) ?? []) listener(payload as never);
    },
  };
  const ports: Ports = {
    keychain: createKeychain(),
    clock: systemClock,
    dialogs,
    desktop,
    appearance: { setTheme: () => undefined },
    systemProxy: { resolve: async () => 'DIRECT' },
    environment: process.env,
    systemLanguages: [],
    paths: { userData: userDataFolder, downloads: join(homedir(), 'Downloads'), home: homedir() },
    log,
    publisher,
  };
  const app = createApp(ports, {
    version,
    platform: 'other',
    shell: 'chromium',
    files: { log: logPath, licences: '' },
    localServiceWorker: new URL('./local-service.js', import.meta.url),
    updates: null,
  });
  const call = callOf(app);
  try {
    await call('profiles.list', undefined);
  } catch (cause) {
    await app.close().catch(() => undefined);
    throw cause;
  }
  return {
    call,
    grant: async (paths) => app.grant([...paths]),
    async follow(event, listener) {
      listeners.set(event, [...(listeners.get(event) ?? []), listener]);
    },
    async close() {
      // Others that came meanwhile are served to their end.
      await app.commandsGone();
      await app.close();
    },
  };
}

function callOf(app: App) {
  return async function call<N extends ProcedureName>(name: N, input: Input<N>): Promise<Output<N>> {
    const reply: Reply = await app.router(name, input);
    if (reply.ok) return reply.value as Output<N>;
    throw new AppFailure(reply.error);
  };
}
