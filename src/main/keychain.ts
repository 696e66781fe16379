import { randomUUID } from 'node:crypto';
import { type AppError, type AppErrorOf } from '../shared/errors.ts';
import { toAppError, AppFailure } from '../shared/app-failure.ts';
import { takeLongValues } from './keychain-parts.ts';
import { loadKeytar, type Keytar } from './keytar.ts';
import { Mutex } from './lib/async.ts';
import type { SecretStore } from './ports.ts';

const service = 'coffer';

/**
 * The operating system's keychain, under the service `coffer`. Calls go one at a time, and each is waited for at most
 * `limitMs`: a keychain that does not answer holds one thread, and everything asked meanwhile is told so at once.
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
        // An answer that came while this thread was busy is seen after the timers, and is not late.
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
 * The app and commands may probe at the same time, and take each other's value away, in the middle of a call too: one account for a
 * process, of a few, so that what a probe that failed has left over is taken away by a later one.
 */
const probeAccount = `probe-${process.pid % 16}`;
const maxTries = 5;

/** Whether the keychain keeps things: a round trip of a throw-away value. null: it does, else why not. */
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

/** Error texts of libsecret, macOS and Windows; never shown. */
function problemOf(cause: unknown): AppErrorOf<'keychain'>['problem'] {
  const text = cause instanceof Error ? cause.message : '';
  if (/locked/i.test(text)) return 'locked';
  if (/denied|dismissed|cancel|not allowed|passphrase/i.test(text)) return 'refused';
  return 'unavailable';
}
