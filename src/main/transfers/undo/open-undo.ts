import { join } from 'node:path';
import type { Documents } from '../../database/documents.ts';
import { openInstallId } from '../../database/install-id.ts';
import type { Ports } from '../../ports.ts';
import { openUndoCopies } from './undo-copies.ts';
import { createVault, createVaultKey } from './vault.ts';

/** Undo copies, sealed in the data folder by a key of the keychain. */
export async function openUndo(
  deps: Pick<Parameters<typeof openUndoCopies>[0], 'store' | 'settings' | 'log'> & {
    keychain: Ports['keychain'];
    documents: Documents;
    userDataFolder: string;
  },
) {
  const { store, settings, log, keychain, documents, userDataFolder } = deps;
  const key = createVaultKey({ keychain, documents, installId: await openInstallId(documents) });
  return openUndoCopies({
    store,
    vault: createVault(join(userDataFolder, 'kept'), key.get),
    settings,
    log,
    requireKey: key.get,
    onEmpty: key.forgetLost,
  });
}
