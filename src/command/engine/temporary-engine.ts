import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CofferClient } from '../../main/agent/agent-client.ts';
import { freeBytesIn } from '../../main/local-files/free-space.ts';
import type { Log, SecretStore } from '../../main/ports.ts';
import { openDatabase } from '../../main/storage/open-database.ts';
import { hostOf } from '../../shared/domain/service.ts';
import { formatSize } from '../../shared/i18n/format.ts';
import { draftOf } from '../services/draft.ts';
import { Usage } from '../errors/errors.ts';
import type { CommandIo } from '../terminal/io.ts';
import { holdsReplace, makeTemporaryFolder, noSpaceIn, plainAddress } from '../files/temporary-folder.ts';
import { commandTexts as texts } from '../texts.ts';

/** From COFFER_ADDRESS and COFFER_TOKEN. */
export interface Account {
  readonly address: string;
  readonly token: string;
}

export interface TemporaryEngine {
  readonly coffer: CofferClient;
  /** Absolute. Removed when the client closes, unless a Replace is unfinished: then only it has the old bytes. */
  readonly folder: string;
}

const log: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
/** What a short list takes, with its write-ahead log. */
const listBytes = 1_000_000;
const keysName = 'keys.json';

/**
 * For build machines: one service, given by address and token, with its list in a private folder that is removed at the end.
 * Does not use the keychain or store the token. @throws AppFailure badAddress or another failure of `services.add`
 */
export async function openTemporaryEngine(
  { address, token }: Account,
  version: string,
  io: CommandIo,
): Promise<TemporaryEngine> {
  const freeBytes = await freeBytesIn(io.temporaryFolder);
  if (freeBytes !== null && freeBytes < listBytes)
    throw await noSpaceIn(io.temporaryFolder, formatSize(listBytes));
  const folder = await makeTemporaryFolder(io);
  let coffer: CofferClient | null = null;
  try {
    coffer = await openIn(folder, version, io);
    await coffer.call('services.add', { draft: draftOf(hostOf(address), address), token });
    return { coffer, folder };
  } catch (cause) {
    // It may be unable to say what is left in the folder, where nothing has been done yet.
    await coffer?.close().catch(() => undefined);
    await rm(folder, { recursive: true, force: true });
    throw cause;
  }
}

/**
 * Opens the folder that an interrupted command has left, and continues its work with the token.
 * @throws Usage if it holds the work of another service; AppFailure dataFolderInUse
 */
export async function reopenTemporaryEngine(
  folder: string,
  { address }: Account,
  version: string,
  io: CommandIo,
): Promise<TemporaryEngine> {
  if (!holdsReplace(folder)) throw new Usage(texts.nothingToRecover({ folder }));
  const coffer = await openIn(folder, version, io);
  try {
    const { services } = await coffer.call('services.list', undefined);
    const [service] = services;
    if (!service) throw new Usage(texts.nothingToRecover({ folder }));
    if (plainAddress(address) !== plainAddress(service.baseAddress))
      throw new Usage(texts.recoversAnother({ folder, address: service.baseAddress }));
    return { coffer, folder };
  } catch (cause) {
    await coffer.close();
    throw cause;
  }
}

async function openIn(folder: string, version: string, io: CommandIo): Promise<CofferClient> {
  const keychain = keychainIn(folder);
  // On another thread, while the engine's modules load here.
  const database = openDatabase({ folder, nowMs: io.clock.nowMs });
  // The engine reports it.
  database.catch(() => undefined);
  const { openEngine } = await import('./open-engine.ts');
  const engine = await openEngine(
    { io, userDataFolder: folder, version, log, closeLog: () => undefined, keychain },
    { open: () => database, answersCommands: false, asks: 'nobody', checksServices: false },
  );
  async function close(): Promise<void> {
    let isLeft = true;
    try {
      const { count, clearableCount } = await engine.call('undo.summary', undefined);
      isLeft = count > clearableCount;
      // While the folder is in use: afterwards another command could take it for an abandoned one.
      if (!isLeft) await rm(join(folder, 'kept'), { recursive: true, force: true });
    } finally {
      await engine.close();
    }
    if (!isLeft) await rm(folder, { recursive: true, force: true });
  }
  let closing: Promise<void> | null = null;
  return { ...engine, close: () => (closing ??= close()) };
}

/** Entries are in memory, except the key of undo copies, which is a file beside them: they must be readable after a kill. */
function keychainIn(folder: string): SecretStore {
  const path = join(folder, keysName);
  const held = new Map<string, string>();
  const isKept = (account: string) => account.startsWith('kept/');
  const read = async (): Promise<Record<string, string>> =>
    JSON.parse(await readFile(path, 'utf8').catch(() => '{}')) as Record<string, string>;
  return {
    get: async (account) =>
      isKept(account) ? ((await read())[account] ?? null) : (held.get(account) ?? null),
    async set(account, value) {
      held.set(account, value);
      if (isKept(account))
        await writeFile(path, JSON.stringify({ ...(await read()), [account]: value }), {
          mode: 0o600,
          flush: true,
        });
    },
    delete: async (account) => void held.delete(account),
  };
}
