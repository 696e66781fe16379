import { expect, test } from 'vitest';
import type { SecretStore } from '../../ports.ts';
import { toAppError, AppFailure } from '../../../shared/app-failure.ts';
import { createVaultKey } from './vault.ts';

function world() {
  const entries = new Map<string, string>();
  const found = new Map<string, unknown>();
  const keychain: SecretStore & { isLocked: boolean } = {
    isLocked: false,
    get: async (account) => (keychain.isLocked ? null : (entries.get(account) ?? null)),
    set: async (account, value) => {
      if (keychain.isLocked) throw new AppFailure({ code: 'keychain', problem: 'locked' });
      entries.set(account, value);
    },
    delete: async (account) => void entries.delete(account),
  };
  const documents = {
    get: async (collection: string, key: string) => found.get(`${collection} ${key}`),
    put: async (collection: string, key: string, value: unknown) =>
      void found.set(`${collection} ${key}`, value),
    delete: async (collection: string, key: string) => void found.delete(`${collection} ${key}`),
  };
  const start = (installId = 'one') => createVaultKey({ keychain, documents, installId });
  return { entries, keychain, start };
}

const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (cause: unknown) => toAppError(cause),
  );

test('makes one key for a data folder, and stores that only in the keychain', async () => {
  const { entries, start } = world();
  const made = await start().get();
  expect(made).toHaveLength(32);
  expect(await start().get()).toEqual(made);
  expect([...entries.keys()]).toEqual(['kept/one']);
});

test('a locked keychain reads as empty, and no other key is made', async () => {
  const { entries, keychain, start } = world();
  await start().get();
  const before = [...entries];
  keychain.isLocked = true;
  expect(await errorOf(start().get())).toEqual({ code: 'keychain', problem: 'locked' });
  const key = start();
  expect(await errorOf(key.get())).toEqual({ code: 'keychain', problem: 'locked' });
  keychain.isLocked = false;
  expect(await errorOf(key.get())).toBeNull();
  expect([...entries]).toEqual(before);
});

test('forgets nothing when nothing was ever kept', async () => {
  const { entries, start } = world();
  const { forgetLost } = start();
  await forgetLost();
  expect(entries.size).toBe(0);
});

test('reports a missing keychain', async () => {
  const { keychain, start } = world();
  keychain.isLocked = true;
  expect(await errorOf(start().get())).toEqual({ code: 'keychain', problem: 'locked' });
});

test('rejects another key in its place; with nothing kept a new one is made', async () => {
  const { entries, keychain, start } = world();
  await start().get();
  await keychain.set('kept/one', Buffer.alloc(32, 7).toString('base64url'));
  expect(await errorOf(start().get())).toEqual({ code: 'keptUnreadable', problem: 'key' });
  entries.clear();
  const key = start();
  expect(await errorOf(key.get())).toEqual({ code: 'keychain', problem: 'locked' });
  await key.forgetLost();
  expect(await key.get()).toHaveLength(32);
});
