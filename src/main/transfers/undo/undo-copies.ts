import { toAppError, AppFailure } from '../../../shared/app-failure.ts';
import type { Settings } from '../../../shared/domain/settings.ts';
import { freeBytesIn } from '../../local-files/free-space.ts';
import { Emitter } from '../../lib/emitter.ts';
import type { Log } from '../../ports.ts';
import type { SourceFile } from '../../local-files/source-file.ts';
import type { UndoRole, UndoCopy, UndoStore, UndoSummary } from './undo-store.ts';
import type { OwnFolder } from './unknown-files.ts';
import type { VaultBytes } from './sealed-source.ts';
import type { Vault } from './vault.ts';

/** A file of the vault and what is in it. */
export interface VaultEntry extends VaultBytes {
  readonly file: string;
}

/** Whose bytes are kept. */
export interface KeptFor {
  readonly id: number;
  readonly serviceId: string;
  readonly origin: string;
  readonly identifier: string;
  readonly classification: string | null;
  readonly sourceName: string | null;
}

/** What transfers keep here while they replace an object: its bytes and theirs, both on the disk before anything is deleted. */
export interface Keeper {
  /** Before anything is begun. @throws AppFailure keychain, keptUnreadable (key), noRoomToKeep */
  requireRoom(neededBytes: number): Promise<void>;
  /** On the disk when it resolves; what this transfer had kept before in this role is gone then. @throws AppFailure, what `pieces` throws */
  keep(of: KeptFor, role: UndoRole, pieces: AsyncIterable<Uint8Array>): Promise<VaultEntry>;
  /** @throws AppFailure keptUnreadable, keychain */
  open(kept: VaultEntry): Promise<SourceFile>;
  /** Nothing of it is needed. */
  drop(transferId: number): Promise<void>;
  /**
   * A file of the vault is kept; those of unfinished transfers too. false from when its row is marked to be removed, and never because
   * the file cannot be found: what is stored for it alone on the service is deleted then.
   */
  readonly has: (file: string) => Promise<boolean>;
  /** Something of what is kept changed. Answers how to stop listening. */
  onChanged(listener: () => void): () => void;
  /** What it has kept stays as versions, until their time is over. @param role null: all of it */
  release(transferId: number, role: UndoRole | null): Promise<void>;
  /**
   * What was replaced stays, to undo it with; the bytes that are on the service now need not.
   * @param replacedBy the file that these bytes are, or whose list of parts
   */
  finish(transferId: number, stored: VaultBytes, replacedBy: VaultBytes): Promise<void>;
}

/** Everything that is kept: bytes of the vault and their rows. */
export interface UndoCopies extends Keeper {
  readonly get: UndoStore['get'];
  readonly ofObject: UndoStore['ofObject'];
  summary(): Promise<UndoSummary>;
  clear(): Promise<void>;
  removeService(serviceId: string): Promise<void>;
  readonly own: OwnFolder;
  /** What is in a file that no row describes; null: nothing that was written to its end. @throws AppFailure keptUnreadable, keychain */
  measure: Vault['measure'];
  /** Beyond its time, or the limit; also after the settings changed. */
  trim(): Promise<void>;
}

type KeptSettings = Pick<Settings, 'keepReplacedDays' | 'keepReplacedBytes'>;

const dayMs = 24 * 3_600_000;
/** More than the bytes themselves must be free: the disk is not ours alone. */
const marginBytes = 64 * 1024 * 1024;

/** Takes over what an earlier run has left. */
export async function openUndoCopies(deps: {
  store: UndoStore;
  vault: Vault;
  settings: () => KeptSettings;
  log: Log;
  /** Of the disk of the vault; null: it cannot say. */
  freeBytes?: () => Promise<number | null>;
  /** The key is there, or can be made. @throws AppFailure keychain, keptUnreadable */
  requireKey: () => Promise<unknown>;
  /** Nothing is kept any more. */
  onEmpty?: () => Promise<void>;
  /** These versions are gone for good: what else was stored for them alone may go too. */
  onForgotten?: (versions: readonly UndoCopy[]) => void;
}): Promise<UndoCopies> {
  const { store, vault, settings, log, requireKey, onEmpty, onForgotten } = deps;
  const { freeBytes = () => freeBytesIn(vault.folder) } = deps;
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
   * Files that no row knows stay: they may be newer than the database, and then all there is of what was replaced. For the same reason
   * one that is whole although its row says that it is not becomes a version.
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
        // It may be this database that is wrong: without a row it stays, and a person decides.
        if (problem === 'damaged') await store.removed([file]);
        // A disk that is not there looks the same: its row stays until its time is over.
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
