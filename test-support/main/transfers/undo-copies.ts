import { join } from 'node:path';
import { openUndoCopies, type UndoCopies } from '../../../src/main/transfers/undo/undo-copies.ts';
import type { UndoStore } from '../../../src/main/transfers/undo/undo-store.ts';
import { keyBytes } from '../../../src/main/transfers/undo/sealed.ts';
import { createVault, type VaultFiles } from '../../../src/main/transfers/undo/vault.ts';
import type { Log } from '../../../src/main/ports.ts';
import { settingsDefault } from '../../../src/shared/domain/settings.ts';

/** The encryption key of all tests. */
export const testKey: Uint8Array = Buffer.alloc(keyBytes, 'kept');

/** Opens the undo store in a test's folder, on a disk with free space. */
export function openTestUndoCopies(deps: {
  store: UndoStore;
  folder: string;
  log: Log;
  files?: VaultFiles;
  freeBytes?: () => Promise<number | null>;
  requireKey?: () => Promise<unknown>;
}): Promise<UndoCopies> {
  const { store, folder, log, files, freeBytes = async () => 1e12, requireKey } = deps;
  return openUndoCopies({
    store,
    vault: createVault(join(folder, 'kept'), async () => testKey, files),
    settings: () => settingsDefault,
    log,
    freeBytes,
    requireKey: requireKey ?? (async () => testKey),
  });
}
