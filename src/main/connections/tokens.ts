import { z } from 'zod';
import { parseStored, type CredentialStore } from './credential-store.ts';

const entrySchema = z.object({ version: z.literal(1), origin: z.string(), token: z.string() });

/**
 * The tokens of the services. Each is stored with the origin it was entered for (`tokenOriginOf`), is read only for
 * that origin, and is sent only to that service.
 */
export interface Tokens {
  /**
   * Loads the token from the keychain into memory.
   * @throws AppFailure keychain
   */
  load(serviceId: string): Promise<void>;
  /** The token in memory for this origin; null: none. */
  read(serviceId: string, origin: string): string | null;
  storedIn(serviceId: string, origin: string): 'keychain' | 'session' | 'none';
  set(serviceId: string, origin: string, token: string): Promise<void>;
  /** @throws AppFailure keychain, see `CredentialStore.remove` */
  remove(serviceId: string): Promise<void>;
}

export function createTokens(credentials: CredentialStore): Tokens {
  function read(serviceId: string, origin: string): string | null {
    const entry = parseStored(entrySchema, credentials.read(serviceId));
    return entry?.origin === origin ? entry.token : null;
  }

  return {
    load: (serviceId) => credentials.load(serviceId),
    read,
    storedIn: (serviceId, origin) =>
      read(serviceId, origin) === null ? 'none' : credentials.storedIn(serviceId),
    set: (serviceId, origin, token) =>
      credentials.set(
        serviceId,
        JSON.stringify({ version: 1, origin, token } satisfies z.infer<typeof entrySchema>),
      ),
    remove: (serviceId) => credentials.remove(serviceId),
  };
}
