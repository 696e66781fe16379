import { randomUUID } from 'node:crypto';
import type { SecretStore } from './ports.ts';

/** Prefix of an entry that refers to several. Not printable, so no token starts with it. */
const mark = '\u0001parts ';

/**
 * A keychain for values of any length, on top of one that accepts at most `maxBytes` (UTF-8): Windows' Credential Manager
 * accepts 2,560 (CRED_MAX_CREDENTIAL_BLOB_SIZE), and a token or a certificate may be longer. A longer value is stored in
 * parts beside its entry, which names them. New parts are written before the entry, and old ones deleted after it, so that
 * an interruption leaves the old value or the new one.
 */
export function takeLongValues(store: SecretStore, maxBytes: number): SecretStore {
  const partOf = (account: string, id: string, index: number) => `${account}/part/${id}/${index}`;

  async function partsOf(account: string): Promise<string[]> {
    return accountsOf(account, await store.get(account));
  }
  function accountsOf(account: string, entry: string | null): string[] {
    const [id, count] = entry?.startsWith(mark) ? entry.slice(mark.length).split(' ') : [];
    if (id === undefined) return [];
    return Array.from({ length: Number(count) }, (_, index) => partOf(account, id, index));
  }
  async function removeAll(accounts: readonly string[]): Promise<void> {
    for (const account of accounts) await store.delete(account);
  }

  return {
    async get(account) {
      const entry = await store.get(account);
      if (!entry?.startsWith(mark)) return entry;
      const parts: string[] = [];
      for (const part of accountsOf(account, entry)) {
        const text = await store.get(part);
        if (text === null) return null; // deleted from outside: the value is lost
        parts.push(text);
      }
      return Buffer.from(parts.join(''), 'base64').toString();
    },
    async set(account, value) {
      const before = await partsOf(account);
      if (Buffer.byteLength(value) <= maxBytes) {
        await store.set(account, value);
      } else {
        const id = randomUUID();
        const text = Buffer.from(value).toString('base64');
        const count = Math.ceil(text.length / maxBytes);
        for (let index = 0; index < count; index += 1) {
          await store.set(partOf(account, id, index), text.slice(index * maxBytes, (index + 1) * maxBytes));
        }
        await store.set(account, `${mark}${id} ${count}`);
      }
      await removeAll(before);
    },
    async delete(account) {
      const before = await partsOf(account);
      await store.delete(account);
      await removeAll(before);
    },
  };
}
