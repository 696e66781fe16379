import { toAppError, AppFailure } from '../../../shared/app-failure.ts';
import type { Settings } from '../../../shared/domain/settings.ts';
import { freeBytesForNew } from '../../local-files/free-space.ts';
import { Emitter } from '../../lib/emitter.ts';
import type { Log } from '../../ports.ts';
import type { SourceFile } from '../../local-files/source-file.ts';
import type { UndoRole, UndoCopy, UndoStore, UndoSummary } from './undo-store.ts';
import type { OwnFolder } from './unknown-files.ts';
import type { VaultBytes } from './sealed.ts';
import type { Vault } from './vault.ts';

/** A file of the vault and its content. */
export interface VaultEntry extends VaultBytes {
  readonly file: string;
}

/** The object whose bytes are kept. */
export interface CopiedObject {
  readonly id: number;
  readonly serviceId: string;
  readonly origin: string;
  readonly identifier: string;
  readonly classification: string | null;
  readonly sourceName: string | null;
}

/** Keeps both versions during a Replace, the old and the new bytes, on the disk before anything is deleted. */
export interface UndoCopyStore {
  /** Called before anything begins. @throws AppFailure keychain, keptUnreadable (key), noRoomToKeep */
  requireRoom(neededBytes: number): Promise<void>;
  /**
   * Durable when it resolves; replaces what this transfer had kept in this role. @throws AppFailure, what `pieces`
   * throws
   */
  keep(of: CopiedObject, role: UndoRole, pieces: AsyncIterable<Uint8Array>): Promise<VaultEntry>;
  /** @throws AppFailure keptUnreadable, keychain */
  open(entry: VaultEntry): Promise<SourceFile>;
  /** Drops everything this transfer has kept. */
  drop(transferId: number): Promise<void>;
  /**
   * Whether an undo copy is needed, also for an unfinished transfer. false only once its row is marked for removal,
   * never because the file is missing: on false, what the service stores only for it is deleted.
   */
  readonly has: (file: string) => Promise<boolean>;
  /** The undo copies changed. @returns stops listening */
  onChanged(listener: () => void): () => void;
  /** Turns what the transfer has kept into versions, which stay until they expire. @param role null: both */
  release(transferId: number, role: UndoRole | null): Promise<void>;
  /**
   * Ends a Replace: the old bytes stay for Undo; the new ones, now on the service, are dropped.
   * @param replacedBy the new file, which is stored as it is or as a manifest
   */
  finish(transferId: number, stored: VaultBytes, replacedBy: VaultBytes): Promise<void>;
}

/** All undo copies: their files in the vault and their rows. */
export interface UndoCopies extends UndoCopyStore {
  readonly get: UndoStore['get'];
  readonly ofObject: UndoStore['ofObject'];
  summary(): Promise<UndoSummary>;
  clear(): Promise<void>;
  /** Identifiers of objects whose bytes are kept by a Replace that did not come to its end. */
  onlyHere(serviceId: string): Promise<string[]>;
  removeService(serviceId: string): Promise<void>;
  readonly own: OwnFolder;
  /**
   * The content of a file without a row; null: its writing was not finished. @throws AppFailure keptUnreadable,
   * keychain
   */
  measure: Vault['measure'];
  /** Removes what has expired or is over the limit; also called after a change of settings. */
  trim(): Promise<void>;
}

type UndoSettings = Pick<Settings, 'keepReplacedDays' | 'keepReplacedBytes'>;

const dayMs = 24 * 3_600_000;
/** Must be free beyond the bytes themselves: other programs use the disk too. */
const marginBytes = 64 * 1024 * 1024;

/** Opens the undo copies, and cleans up after an earlier run. */
export async function openUndoCopies(deps: {
  store: UndoStore;
  vault: Vault;
  settings: () => UndoSettings;
  log: Log;
  /** Of the vault's disk; null: unknown. The first undo copy makes the folder. */
  freeBytes?: () => Promise<number | null>;
  /** Makes sure that the key exists, or can be made. @throws AppFailure keychain, keptUnreadable */
  requireKey: () => Promise<unknown>;
  /** The last undo copy was removed. */
  onEmpty?: () => Promise<void>;
  /** These versions were removed: what else was stored only for them may go too. */
  onForgotten?: (versions: readonly UndoCopy[]) => void;
}): Promise<UndoCopies> {
  const { store, vault, settings, log, requireKey, onEmpty, onForgotten } = deps;
  const { freeBytes = () => freeBytesForNew(vault.folder) } = deps;
  const changes = new Emitter<[]>();
  const keepMs = () => settings().keepReplacedDays * dayMs;

  async function remove(files: readonly string[]): Promise<void> {
    const gone: string[] = [];
    for (const file of files)
      try {
        await vault.remove(file);
        gone.push(file);
      } catch (cause) {
        // Its row stays, and the next start tries again.
        log.warn('a kept file could not be removed', { cause });
      }
    if (gone.length > 0) await store.removed(gone);
    if (files.length > 0) changes.fire();
  }

  /**
   * Files without a row stay: they may be newer than the database, and the only copy of what was replaced. For the
   * same reason a whole file whose row says that it is unfinished becomes a version.
   */
  async function takeUp(): Promise<void> {
    const { going, unfinished } = await store.reconcile();
    await remove(going);
    for (const file of unfinished)
      try {
        const bytes = await vault.measure(file);
        if (bytes) await store.adopt(file, bytes);
        else await remove([file]);
      } catch (cause) {
        const error = toAppError(cause);
        const problem = error?.code === 'keptUnreadable' ? error.problem : null;
        // The database may be the wrong one: without a row the file stays, and a person decides.
        if (problem === 'damaged') await store.removed([file]);
        // A disk that is not mounted looks the same: the row stays until it expires.
        else if (problem !== 'gone')
          log.warn('a kept file that is not whole could not be looked at', { cause });
      }
  }

  async function forget(versions: readonly UndoCopy[]): Promise<void> {
    await remove(versions.map(({ file }) => file));
    if (versions.length > 0) onForgotten?.(versions);
  }

  async function trim(): Promise<void> {
    await forget(await store.trim(settings().keepReplacedBytes));
  }

  await takeUp();
  await trim();

  return {
    async requireRoom(neededBytes) {
      await requireKey();
      const free = await freeBytes();
      if (free !== null && free < neededBytes + marginBytes)
        throw new AppFailure({
          code: 'noRoomToKeep',
          neededBytes: neededBytes + marginBytes,
          freeBytes: free,
        });
    },
    async keep({ id, ...of }, role, pieces) {
      await remove(await store.drop(id, role, null));
      const file = vault.newName();
      await store.add({ ...of, file, transferId: id, role, keepMs: keepMs() });
      const bytes = await vault.write(file, pieces);
      await store.complete(file, bytes);
      changes.fire();
      return { file, ...bytes };
    },
    open: ({ file, lengthBytes, sha256 }) => vault.open(file, { lengthBytes, sha256 }),
    async drop(transferId) {
      await remove(await store.drop(transferId, null, null));
    },
    async release(transferId, role) {
      await store.release(transferId, role);
      changes.fire();
    },
    async finish(transferId, stored, replacedBy) {
      const { sha256 } = stored;
      await remove(await store.finish(transferId, { keepMs: keepMs(), sha256, replacedBy }));
      await trim();
      changes.fire();
    },
    has: (file) => store.has(file),
    get: (file) => store.get(file),
    ofObject: (serviceId, identifier) => store.ofObject(serviceId, identifier),
    summary: () => store.summary(),
    async clear() {
      await forget(await store.clear());
      if ((await store.summary()).count === 0) await onEmpty?.();
      changes.fire();
    },
    onlyHere: (serviceId) => store.unreplaced(serviceId),
    async removeService(serviceId) {
      await remove(await store.removeService(serviceId));
    },
    own: {
      folder: vault.folder,
      async unknownOf(names) {
        const known = new Set(await store.files());
        return names.filter((name) => !known.has(name));
      },
      isSealed: true,
    },
    measure: (file) => vault.measure(file),
    trim,
    onChanged: changes.event,
  };
}
