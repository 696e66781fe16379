import { createHash, randomBytes } from 'node:crypto';
import { AppFailure } from '../../../shared/app-failure.ts';
import type { Documents } from '../../database/documents.ts';
import type { SecretStore } from '../../ports.ts';
import { keyBytes } from './sealed.ts';

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
