import type { z } from 'zod';
import { type AppErrorOf } from '../../shared/errors.ts';
import { toAppError } from '../../shared/app-failure.ts';
import { probeKeychain, removeProbe } from '../keychain.ts';
import type { Clock, Log, SecretStore } from '../ports.ts';
import { KeyedMutex } from '../lib/async.ts';

const firstRetryMs = 2_000;
const lastRetryMs = 60_000;

/**
 * Secrets by keychain account. They are in the keychain or, if it cannot be used, in memory until Coffer ends; never on
 * disk.
 */
export interface CredentialStore {
  /** Why the keychain cannot be used; null when it can. */
  keychainError(): AppErrorOf<'keychain'> | null;
  /** Takes the value from the keychain into memory. @throws AppFailure keychain */
  load(account: string): Promise<void>;
  /** What is in memory; null: nothing was loaded or set. */
  read(account: string): string | null;
  storedIn(account: string): 'keychain' | 'session' | 'none';
  set(account: string, value: string): Promise<void>;
  /** @throws AppFailure keychain if an entry that is or may be there could not be deleted; nothing is lost then */
  remove(account: string): Promise<void>;
  /** Stops retrying values that the keychain was too slow to store. */
  close(): void;
}

interface Held {
  readonly value: string;
  readonly in: 'keychain' | 'session';
}

export async function createCredentialStore(deps: {
  secrets: SecretStore;
  clock: Clock;
  log: Log;
  /** A value held for the session has reached the keychain. */
  onStored: () => void;
}): Promise<CredentialStore> {
  const { secrets, clock, log, onStored } = deps;
  const held = new Map<string, Held>();
  const mutex = new KeyedMutex<string>();
  const closed = new AbortController();
  let keychainError = await probeKeychain(secrets);
  if (keychainError) log.warn('the keychain is not usable', { problem: keychainError.problem });

  function noteUsable(): void {
    if (keychainError === null) return;
    keychainError = null;
    // The failed probe may have left its entry.
    removeProbe(secrets).catch((cause: unknown) => log.warn('the probe stays in the keychain', { cause }));
  }

  /** Runs a keychain call and updates `keychainError`. An empty answer proves nothing: a locked keychain reads as empty. */
  async function watch<T>(call: Promise<T>): Promise<T> {
    try {
      const answer = await call;
      if (answer !== null) noteUsable();
      return answer;
    } catch (cause) {
      const error = toAppError(cause);
      if (error?.code === 'keychain') keychainError = error;
      throw cause;
    }
  }

  /** Retries until the value is stored: a keychain that asks for a password outlasts a call's timeout, so its answer is lost. */
  async function keepLater(account: string, session: Held): Promise<void> {
    let isLate = true;
    for (let delayMs = firstRetryMs; isLate; delayMs = Math.min(delayMs * 2, lastRetryMs)) {
      await clock.delay(delayMs, closed.signal);
      isLate = await mutex
        .runExclusive(account, async () => {
          if (held.get(account) === session) await keep(account, session.value);
        })
        .then(() => false, isTimeout);
    }
    if (held.get(account)?.in === 'keychain') onStored();
  }

  async function keep(account: string, value: string): Promise<void> {
    await watch(secrets.set(account, value));
    held.set(account, { value, in: 'keychain' });
  }

  return {
    keychainError: () => keychainError,
    read: (account) => held.get(account)?.value ?? null,
    storedIn: (account) => held.get(account)?.in ?? 'none',
    load: (account) =>
      mutex.runExclusive(account, async () => {
        if (held.has(account)) return;
        const value = await watch(secrets.get(account));
        if (value !== null) held.set(account, { value, in: 'keychain' });
      }),
    set: (account, value) =>
      mutex.runExclusive(account, async () => {
        try {
          await keep(account, value);
        } catch (cause) {
          if (toAppError(cause)?.code !== 'keychain') throw cause;
          log.warn('kept for this session only', { account, cause });
          const session: Held = { value, in: 'session' };
          held.set(account, session);
          if (isTimeout(cause)) keepLater(account, session).catch(() => undefined); // closed
        }
      }),
    remove: (account) =>
      mutex.runExclusive(account, async () => {
        try {
          await watch(secrets.delete(account));
        } catch (cause) {
          const error = toAppError(cause);
          const isNowhere = error?.code === 'keychain' && error.problem === 'unavailable';
          // Without a keychain there can be no entry; a locked one may have an entry that was never read.
          if (!isNowhere || held.get(account)?.in === 'keychain') throw cause;
        }
        held.delete(account);
      }),
    close: () => closed.abort(),
  };
}

function isTimeout(cause: unknown): boolean {
  const error = toAppError(cause);
  return error?.code === 'keychain' && error.problem === 'timeout';
}

/** Parses an entry; null: none, or not in this form. */
export function parseStored<T>(schema: z.ZodType<T>, value: string | null): T | null {
  try {
    return value === null ? null : (schema.safeParse(JSON.parse(value)).data ?? null);
  } catch {
    return null;
  }
}
