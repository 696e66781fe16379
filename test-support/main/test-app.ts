import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createApp, type App } from '../../src/main/app.ts';
import { openDatabase } from '../../src/main/storage/open-database.ts';
import type { CrashNotes } from '../../src/main/crashes/crash-notes.ts';
import { systemClock } from '../../src/main/clock.ts';
import type { Clock, Desktop, Dialogs } from '../../src/main/ports.ts';
import {
  createTestClipboard,
  createTestLog,
  createTestPublisher,
  createTestSecrets,
  makeTestFolder,
} from './test-ports.ts';
import './retain-file-workers.ts';

const sources = ['src/command/index.ts', 'out/main/command.js'];
const commandFiles = [
  ...sources.map((path) => join(import.meta.dirname, '..', '..', path)),
  // The program of a package under test.
  ...(process.env['COFFER_PROGRAM'] ? [realpathSync(process.env['COFFER_PROGRAM'])] : []),
];

/** What a test can replace: by default dialogs are cancelled, and the desktop does nothing. */
export interface AppOptions {
  prepare?: (userData: string) => void;
  dialogs?: Partial<Dialogs>;
  desktop?: Partial<Desktop>;
  clock?: Clock;
  open?: typeof openDatabase;
  crashes?: Pick<CrashNotes, 'earlier' | 'dismiss'>;
}

/** Opens the whole application in its own folder. Closed after the test at the latest. */
export async function openApp({
  prepare,
  dialogs,
  desktop,
  clock = systemClock,
  open = openDatabase,
  crashes = { earlier: () => null, dismiss: () => undefined },
}: AppOptions = {}) {
  const folder = await makeTestFolder();
  const userData = join(folder, 'user data');
  mkdirSync(userData);
  prepare?.(userData);
  const log = createTestLog();
  const publisher = createTestPublisher();
  const app: App = createApp(
    {
      keychain: createTestSecrets(),
      clock,
      dialogs: {
        openFiles: async () => [],
        openFolders: async () => [],
        openFile: async () => null,
        saveFile: async () => null,
        ...dialogs,
      },
      desktop: {
        showInFolder: () => undefined,
        openFile: async () => true,
        openFolder: async () => true,
        nameUndos: () => undefined,
        setDragFiles: () => undefined,
        checkFileClipboard: () => undefined,
        writeFilesToClipboard: async () => undefined,
        openExternal: async () => false,
        ...createTestClipboard(),
        writeClipboardText: async () => undefined,
        notify: () => undefined,
        setProgress: () => undefined,
        setBadge: () => undefined,
        ...desktop,
      },
      appearance: { setTheme: () => undefined },
      systemProxy: { resolve: async () => 'DIRECT' },
      environment: {},
      systemLanguages: ['en'],
      paths: { userData, downloads: join(folder, 'Downloads'), home: folder },
      log,
      publisher,
    },
    {
      version: '1.0.0',
      platform: 'linux',
      shell: 'chromium',
      files: { log: join(userData, 'logs', 'coffer.log'), licences: join(folder, 'licences.txt') },
      crashes,
      commandFiles,
      localServiceWorker: new URL('../../src/local-service/worker.ts', import.meta.url),
      updates: null,
    },
    { open },
  );
  let closed: Promise<void> | null = null;
  const close = () => (closed ??= app.close());
  onTestFinished(close);
  return { app, folder, userData, log, publisher, close };
}
