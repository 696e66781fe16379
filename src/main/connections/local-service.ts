import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { AppFailure, toAppError } from '../../shared/app-failure.ts';
import type { WorkerCommand, WorkerMessage, WorkerOptions } from '../../local-service/worker.ts';
import {
  identifierTemplateDefault,
  separatorDefault,
  versionMarkDefault,
} from '../../shared/domain/service.ts';
import { existsSync, rm } from '../local-files/fs.ts';
import { startThread } from '../lib/start-thread.ts';
import type { Log } from '../ports.ts';
import { mainTexts } from '../texts.ts';
import type { CredentialStore } from './credential-store.ts';
import { localOrigin } from './origins.ts';
import type { Tokens } from './tokens.ts';
import type { StoredService } from './service-repository.ts';

/** Fixed, so that stored data is found again when the service is added again. */
export const localServiceId = 'local';
const masterKeyAccount = `${localServiceId}/master-key`;

/** The built-in service in a worker thread, started on first use. */
export interface LocalService {
  /** Starts it if necessary and stores its token under `localServiceId`. @throws AppFailure localService, keychain */
  ensure(): Promise<{ baseAddress: string }>;
  stop(): Promise<void>;
  /** Stops it and deletes all its data and keys. */
  erase(): Promise<void>;
}

type Running = { readonly worker: Worker; readonly port: number; readonly ended: Promise<void> };

export function createLocalService(deps: {
  /** The worker's entry. */
  workerUrl: URL;
  /** Absolute; the data is in `local-service` below it. */
  userDataFolder: string;
  /** Stores the master key. */
  keys: CredentialStore;
  tokens: Tokens;
  log: Log;
  /** Its database was missing or damaged: all files were moved to this folder, and it starts empty. */
  onSetAside: (folder: string) => void;
}): LocalService {
  const { workerUrl, keys, tokens, log } = deps;
  const lastingFolder = join(deps.userDataFolder, 'local-service');
  /** Data of a run without a keychain; after a crash it is unreadable. */
  const sessionFolder = join(deps.userDataFolder, 'local-service-session');
  let isSession = false;
  let running: Promise<Running> | null = null;
  let restarts = 0;

  /** The data folder and its keys. */
  async function prepare(): Promise<WorkerOptions> {
    const hasData = existsSync(lastingFolder);
    try {
      await tokens.load(localServiceId);
      await keys.load(masterKeyAccount);
    } catch (cause) {
      if (hasData || toAppError(cause)?.code !== 'keychain') throw cause;
    }
    // A locked keychain reads as empty. Do not replace a key it may hold: the data would be lost.
    if (hasData && keys.read(masterKeyAccount) === null) {
      throw new AppFailure(keys.keychainError() ?? { code: 'keychain', problem: 'locked' });
    }
    const token = await readOrMake(tokens.read(localServiceId, localOrigin), (made) =>
      tokens.set(localServiceId, localOrigin, made),
    );
    const key = await readOrMake(keys.read(masterKeyAccount), (made) => keys.set(masterKeyAccount, made));
    const masterKey = Buffer.from(key, 'base64url');
    // Data encrypted with a session key must not outlive the session.
    if (keys.storedIn(masterKeyAccount) === 'session') {
      if (!isSession) await rm(sessionFolder, { recursive: true, force: true });
      isSession = true;
    }
    return { dataFolder: isSession ? sessionFolder : lastingFolder, token, masterKey };
  }

  async function start(port: number): Promise<Running> {
    const options = await prepare();
    const worker = startThread(workerUrl, { workerData: { ...options, port } });
    // From the start: a busy thread hears of the answer and of the end in one go.
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    const answer = await new Promise<WorkerMessage>((resolve) => {
      worker.once('message', resolve);
      worker.once('error', (cause) => {
        log.error('the local service crashed', { cause });
        resolve({ type: 'failed', problem: 'unknown' });
      });
      void ended.then(() => resolve({ type: 'failed', problem: 'unknown' }));
    });
    if (answer.type === 'failed') {
      await worker.terminate();
      throw new AppFailure({ code: 'localService', problem: answer.problem });
    }
    if (answer.setAside !== null) {
      log.warn('what the local service stored was set aside', { folderName: answer.setAside });
      deps.onSetAside(join(options.dataFolder, answer.setAside));
    }
    void ended.then(() => {
      if (running !== current) return;
      running = null;
      log.error('the local service ended by itself', { restarts });
      if (restarts++ === 0)
        launch(answer.port).catch((cause) => log.error('it did not start again', { cause }));
    });
    const current = running;
    return { worker, port: answer.port, ended };
  }

  function launch(port: number): Promise<Running> {
    const started = start(port);
    running = started;
    started.catch(() => {
      if (running === started) running = null;
    });
    return started;
  }

  async function stop(): Promise<void> {
    const service = await running?.catch(() => null);
    running = null;
    if (!service) return;
    service.worker.postMessage({ type: 'close' } satisfies WorkerCommand);
    const tooLong = setTimeout(() => void service.worker.terminate(), 5000);
    await service.ended;
    clearTimeout(tooLong);
    await rm(sessionFolder, { recursive: true, force: true });
    isSession = false;
  }

  return {
    async ensure() {
      const { port } = await (running ?? launch(0));
      return { baseAddress: `http://127.0.0.1:${port}` };
    },
    stop,
    async erase() {
      await stop();
      await rm(lastingFolder, { recursive: true, force: true });
      await keys.remove(masterKeyAccount);
    },
  };
}

async function readOrMake(known: string | null, keep: (made: string) => Promise<void>): Promise<string> {
  if (known !== null) return known;
  const made = randomBytes(32).toString('base64url');
  await keep(made);
  return made;
}

/** The entry of the built-in service, under a unique name. */
export function makeLocalService(baseAddress: string, others: readonly StoredService[]): StoredService {
  return {
    id: localServiceId,
    name: freeName(others),
    baseAddress,
    isLocal: true,
    insecureAllowed: false,
    maxObjectBytes: null,
    maxSecretBytes: null,
    allowsParts: true,
    proxy: { kind: 'none' },
    clientCertificate: null,
    authority: null,
    downloadFolder: null,
    // Relative to the base address, whose port changes.
    classificationSource: { kind: 'address', address: '/api/classifications' },
    identifierTemplate: identifierTemplateDefault,
    separator: separatorDefault,
    versionMark: versionMarkDefault,
  };
}

function freeName(others: readonly StoredService[]): string {
  const taken = new Set(others.map((service) => service.name.toLowerCase()));
  let name = mainTexts.localService;
  for (let number = 2; taken.has(name.toLowerCase()); number += 1)
    name = mainTexts.localServiceNumber({ number });
  return name;
}
