import { randomUUID } from 'node:crypto';
import { type AppError, type AppErrorOf } from '../shared/errors.ts';
import { toAppError, AppFailure } from '../shared/app-failure.ts';
import { takeLongValues } from './keychain-parts.ts';
import { loadKeytar, type Keytar } from './keytar.ts';
import { Mutex } from './lib/async.ts';
import type { SecretStore } from './ports.ts';

const service = 'coffer';

/**
 * The operating system's keychain, under the service `coffer`. Calls run one at a time and time out after `limitMs`.
 * A keychain that does not answer blocks one thread, and further calls fail at once until it does.
 * Throws keychain. A locked Secret Service reads as null.
 */
export function createKeychain(limitMs = 3000, load = loadKeytar): SecretStore {
  const mutex = new Mutex();
  let stuck = false;

  async function call<T>(use: (keytar: Keytar) => Promise<T>): Promise<T> {
    if (stuck) throw new AppFailure({ code: 'keychain', problem: 'timeout' });
    const answer = mutex.runExclusive(async () => {
      try {
        return await use(await load());
      } finally {
        stuck = false;
      }
    });
    let timer: NodeJS.Timeout | undefined;
    let turn: NodeJS.Immediate | undefined;
    const limit = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        // An answer that came while this thread was busy is processed after the timers; it is not late.
        turn = setImmediate(() => {
          stuck = true;
          reject(new AppFailure({ code: 'keychain', problem: 'timeout' }));
        });
      }, limitMs);
    });
    try {
      return await Promise.race([answer, limit]);
    } catch (cause) {
      throw toAppError(cause) ? cause : new AppFailure({ code: 'keychain', problem: problemOf(cause) });
    } finally {
      clearTimeout(timer);
      clearImmediate(turn);
    }
  }

  const store: SecretStore = {
    get: (account) => call((keytar) => keytar.getPassword(service, account)),
    set: (account, value) => call((keytar) => keytar.setPassword(service, account, value)),
    delete: async (account) => {
      await call((keytar) => keytar.deletePassword(service, account));
    },
  };
  return process.platform === 'win32' ? takeLongValues(store, windowsMostBytes) : store;
}

/** Somewhat less than Credential Manager's 2,560. */
const windowsMostBytes = 2_500;

/**
 * The app and commands may probe at the same time and delete each other's value, even during a call. So each process uses its own
 * account; there are only a few, so that a later probe removes what a failed one has left.
 */
const probeAccount = `probe-${process.pid % 16}`;
const maxTries = 5;

/** Checks that the keychain stores values, by a round trip of a throw-away one. @returns why not; null: it does */
export async function probeKeychain(secrets: SecretStore): Promise<AppErrorOf<'keychain'> | null> {
  let error: AppErrorOf<'keychain'> | null = null;
  for (let tries = 0; tries < maxTries; tries += 1) {
    error = await tryKeychain(secrets);
    if (error?.problem !== 'unavailable' && error?.problem !== 'locked') break;
  }
  return error;
}

async function tryKeychain(secrets: SecretStore): Promise<AppErrorOf<'keychain'> | null> {
  try {
    const value = randomUUID();
    await secrets.set(probeAccount, value);
    const read = await secrets.get(probeAccount);
    await removeProbe(secrets);
    return read === value ? null : { code: 'keychain', problem: 'locked' };
  } catch (cause) {
    const error: AppError | undefined = toAppError(cause);
    if (error?.code !== 'keychain') throw cause;
    return error;
  }
}

/** Removes what a failed probe left behind, once the keychain works again. @throws AppFailure keychain */
export function removeProbe(secrets: SecretStore): Promise<void> {
  return secrets.delete(probeAccount);
}

/** Recognises the error texts of libsecret, macOS and Windows, which are never shown. */
function problemOf(cause: unknown): AppErrorOf<'keychain'>['problem'] {
  const text = cause instanceof Error ? cause.message : '';
  if (/locked/i.test(text)) return 'locked';
  if (/denied|dismissed|cancel|not allowed|passphrase/i.test(text)) return 'refused';
  return 'unavailable';
}
