import { createHash, randomBytes } from 'node:crypto';
import { basename, join } from 'node:path';
import { AppFailure } from '../../../shared/app-failure.ts';
import type { Documents } from '../../database/documents.ts';
import type { SecretStore } from '../../ports.ts';
import { mkdir, open, unlink } from '../../local-files/fs.ts';
import {
  codeOf,
  knowsNoSync,
  type OpenFile,
  targetFailureOf,
  writeAll,
} from '../../local-files/file-system.ts';
import type { SourceFile } from '../../local-files/source-file.ts';
import {
  createSealer,
  keyBytes,
  measureSealed,
  openSealed,
  pieceBytes,
  type VaultBytes,
  type VaultFile,
} from './sealed.ts';

/** The key of all undo copies of this data folder. */
export interface VaultKey {
  /** Made on first use. @throws AppFailure keychain; keptUnreadable (key) when the keychain has another one */
  readonly get: () => Promise<Uint8Array>;
  /** The last undo copy is gone: a lost key is no longer an error, and a new one is made on the next use. */
  readonly forgetLost: () => Promise<void>;
}

const collection = 'kept';
const documentKey = 'key';

/** @param installId of this data folder */
export function createVaultKey(deps: {
  keychain: SecretStore;
  documents: Pick<Documents, 'get' | 'put' | 'delete'>;
  installId: string;
}): VaultKey {
  const { keychain, documents, installId } = deps;
  const account = `kept/${installId}`;
  let held: Promise<Uint8Array> | null = null;

  async function load(): Promise<Uint8Array> {
    const known = await documents.get(collection, documentKey);
    const found = await keychain.get(account);
    if (found !== null) {
      const key = Buffer.from(found, 'base64url');
      if (key.length !== keyBytes || (typeof known === 'string' && known !== fingerprintOf(key)))
        throw new AppFailure({ code: 'keptUnreadable', problem: 'key' });
      if (known === undefined) await documents.put(collection, documentKey, fingerprintOf(key));
      return key;
    }
    // A locked keychain reads as empty, and another key would open none of the undo copies.
    if (typeof known === 'string') throw new AppFailure({ code: 'keychain', problem: 'locked' });
    const made = randomBytes(keyBytes);
    await keychain.set(account, made.toString('base64url'));
    if ((await keychain.get(account)) !== made.toString('base64url'))
      throw new AppFailure({ code: 'keychain', problem: 'locked' });
    await documents.put(collection, documentKey, fingerprintOf(made));
    return made;
  }

  function get(): Promise<Uint8Array> {
    held ??= load().catch((cause: unknown) => {
      held = null;
      throw cause;
    });
    return held;
  }

  return {
    get,
    async forgetLost() {
      if ((await documents.get(collection, documentKey)) === undefined) return;
      const isLost = await get().then(
        () => false,
        () => true,
      );
      if (isLost) await documents.delete(collection, documentKey);
    },
  };
}

function fingerprintOf(key: Uint8Array): string {
  return createHash('sha256').update('coffer kept key').update(key).digest('hex').slice(0, 16);
}

/** The file system operations that the vault needs. */
export interface VaultFiles {
  open(path: string, flags: string, mode?: number): Promise<VaultFile>;
  mkdir(path: string, options: { recursive: true; mode: number }): Promise<unknown>;
  unlink(path: string): Promise<void>;
}
const systemFiles: VaultFiles = { open, mkdir, unlink };

/** Files of one folder, 0700, each sealed with the key of the data folder, under random names. */
export interface Vault {
  newName(): string;
  /**
   * Durable with its name when it resolves; nothing is left when it rejects. @throws AppFailure diskFull,
   * folderReadOnly, keychain
   */
  write(name: string, pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<VaultBytes>;
  /** @throws AppFailure keptUnreadable, keychain */
  open(name: string, bytes: VaultBytes): Promise<SourceFile>;
  /**
   * The content of a file without a row, read to its end; null: its writing was not finished.
   * @throws AppFailure keptUnreadable, keychain, what the disk throws
   */
  measure(name: string): Promise<VaultBytes | null>;
  /** A missing file is no error. */
  remove(name: string): Promise<void>;
  readonly folder: string;
}

/** @param key of this data folder. @throws AppFailure keychain, keptUnreadable */
export function createVault(
  folder: string,
  key: () => Promise<Uint8Array>,
  files: VaultFiles = systemFiles,
): Vault {
  const pathOf = (name: string) => join(folder, basename(name));

  async function sync(handle: Pick<OpenFile, 'sync'>): Promise<void> {
    await handle.sync().catch((cause: unknown) => {
      if (!knowsNoSync(cause)) throw cause;
    });
  }

  /** Makes new names durable. Windows has no such operation. */
  async function syncNames(): Promise<void> {
    if (process.platform === 'win32') return;
    const handle = await files.open(folder, 'r');
    try {
      await sync(handle);
    } finally {
      await handle.close();
    }
  }

  async function remove(name: string): Promise<void> {
    await files.unlink(pathOf(name)).catch((cause: unknown) => {
      if (codeOf(cause) !== 'ENOENT') throw cause;
    });
  }

  async function seal(
    handle: VaultFile,
    pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  ): Promise<VaultBytes> {
    const sealer = createSealer(await key());
    const digest = createHash('sha256');
    const gathered = Buffer.allocUnsafe(pieceBytes);
    let gatheredBytes = 0;
    let lengthBytes = 0;
    let atBytes = 0;
    const put = async (sealed: Buffer) => {
      await writeAll(handle, sealed, atBytes);
      atBytes += sealed.length;
    };
    await put(sealer.header);
    for await (const piece of pieces) {
      digest.update(piece);
      lengthBytes += piece.length;
      for (let doneBytes = 0; doneBytes < piece.length;) {
        // A full piece is the last only when nothing follows it.
        if (gatheredBytes === pieceBytes) {
          await put(sealer.seal(gathered, false));
          gatheredBytes = 0;
        }
        const bytes = piece.subarray(doneBytes, doneBytes + pieceBytes - gatheredBytes);
        gathered.set(bytes, gatheredBytes);
        gatheredBytes += bytes.length;
        doneBytes += bytes.length;
      }
    }
    await put(sealer.seal(gathered.subarray(0, gatheredBytes), true));
    return { lengthBytes, sha256: digest.digest('hex') };
  }

  return {
    folder,
    newName: () => randomBytes(16).toString('hex'),
    async write(name, pieces) {
      try {
        await files.mkdir(folder, { recursive: true, mode: 0o700 });
        const handle = await files.open(pathOf(name), 'wx', 0o600);
        try {
          const bytes = await seal(handle, pieces);
          await sync(handle);
          await handle.close();
          await syncNames();
          return bytes;
        } catch (cause) {
          await handle.close().catch(() => undefined);
          await remove(name).catch(() => undefined);
          throw cause;
        }
      } catch (cause) {
        throw targetFailureOf(cause, basename(folder));
      }
    },
    async open(name, bytes) {
      const opened = await key();
      const handle = await files.open(pathOf(name), 'r').catch((cause: unknown) => {
        const problem = codeOf(cause) === 'ENOENT' ? 'gone' : 'damaged';
        throw new AppFailure({ code: 'keptUnreadable', problem }, { cause });
      });
      return openSealed(handle, opened, bytes);
    },
    async measure(name) {
      const opened = await key();
      const handle = await files.open(pathOf(name), 'r').catch((cause: unknown) => {
        if (codeOf(cause) !== 'ENOENT') throw cause;
        throw new AppFailure({ code: 'keptUnreadable', problem: 'gone' }, { cause });
      });
      return measureSealed(handle, opened);
    },
    remove,
  };
}
