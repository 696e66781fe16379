import { toAppError, type AppErrorOf } from '../../shared/errors.ts';
import { probeKeychain } from '../keychain.ts';
import type { Log, SecretStore } from '../ports.ts';

/**
 * The tokens of the profiles, by keychain account. They lie in the keychain, or, where that is not usable, in memory
 * until Coffer ends; never on disk. They leave for the service and for nothing else.
 */
export interface Tokens {
  /** Why the keychain cannot be used; null when it can. */
  keychainError(): AppErrorOf<'keychain'> | null;
  /** Takes the value from the keychain into memory. @throws AppFailure keychain */
  load(account: string): Promise<void>;
  /** What is in memory; null: nothing was loaded or set. */
  read(account: string): string | null;
  keptIn(account: string): 'keychain' | 'session' | 'none';
  set(account: string, value: string): Promise<void>;
  /** @throws AppFailure keychain when it lies in the keychain and that does not give it up. */
  remove(account: string): Promise<void>;
}

export async function createTokens(secrets: SecretStore, log: Log): Promise<Tokens> {
  const held = new Map<string, { value: string; in: 'keychain' | 'session' }>();
  let keychainError = await probeKeychain(secrets);
  if (keychainError) log.warn('the keychain is not usable', { problem: keychainError.problem });

  /** Runs a call of the keychain and keeps what it shows of its state. */
  async function watch<T>(call: Promise<T>): Promise<T> {
    try {
      const value = await call;
      keychainError = null;
      return value;
    } catch (cause) {
      const error = toAppError(cause);
      if (error?.code === 'keychain') keychainError = error;
      throw cause;
    }
  }

  return {
    keychainError: () => keychainError,
    read: (account) => held.get(account)?.value ?? null,
    keptIn: (account) => held.get(account)?.in ?? 'none',
    async load(account) {
      if (held.has(account)) return;
      // A locked keychain reads as empty, so an empty answer says nothing of its state.
      const value = await secrets.get(account);
      if (value === null) return;
      keychainError = null;
      held.set(account, { value, in: 'keychain' });
    },
    async set(account, value) {
      try {
        await watch(secrets.set(account, value));
        held.set(account, { value, in: 'keychain' });
      } catch (cause) {
        if (toAppError(cause)?.code !== 'keychain') throw cause;
        log.warn('kept for this session only', { account, cause });
        held.set(account, { value, in: 'session' });
      }
    },
    async remove(account) {
      const inKeychain = held.get(account)?.in === 'keychain';
      try {
        await watch(secrets.delete(account));
      } catch (cause) {
        if (inKeychain) throw cause;
      }
      held.delete(account);
    },
  };
}
