import { dirname, join } from 'node:path';
import type { CofferClient } from '../../main/agent/agent-client.ts';
import { makePrivateFolder } from '../../main/local-files/private-folder.ts';
import { onThreadFailure } from '../../main/lib/start-thread.ts';
import { createLog } from '../../main/log.ts';
import { noteCrash } from '../../main/crashes/crash-notes.ts';
import { keychainMs, type CommandIo } from '../terminal/io.ts';
import { openEngine } from './open-engine.ts';

/**
 * Runs the engine in this process while no app holds the data folder, and serves other commands meanwhile.
 * @throws AppFailure dataFolderInUse, catalogueTooNew or another reason why the list cannot be opened
 */
export async function openOwnEngine(
  userDataFolder: string,
  version: string,
  io: CommandIo,
): Promise<OwnEngine> {
  makePrivateFolder(userDataFolder);
  const { log, path: logPath, close: closeLog } = createLog(join(userDataFolder, 'logs'));
  onThreadFailure((thread, cause) =>
    noteCrash(dirname(logPath), { atMs: io.clock.nowMs(), version, what: 'thread', thread }, cause),
  );
  const making = new AbortController();
  const makeWay = making.signal;
  const coffer = await openEngine(
    { io, userDataFolder, version, log, closeLog, keychain: await io.openKeychain(keychainMs) },
    { asks: 'terminal', onMakeWay: () => making.abort() },
    makeWay,
  );
  return { coffer, makeWay };
}

export interface OwnEngine {
  readonly coffer: CofferClient;
  /** Aborted when the app starts and waits for the data folder. */
  readonly makeWay: AbortSignal;
}
