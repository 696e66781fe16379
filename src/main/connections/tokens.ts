import { z } from 'zod';
import { AppFailure } from '../../shared/app-failure.ts';
import { parseStored, type CredentialStore } from './credential-store.ts';

const entrySchema = z.object({ version: z.literal(2), route: z.string(), token: z.string() });

/**
 * The tokens of the services. Each is stored with the settings it was entered for (`routeOf`), and is read only for these: whatever
 * happens between a change of the settings and that of the token, neither is used with the other's.
 */
export interface Tokens {
  /**
   * Loads the token from the keychain into memory.
   * @throws AppFailure keychain
   */
  load(serviceId: string): Promise<void>;
  /** The token in memory for this route; null: none. */
  read(serviceId: string, route: string): string | null;
  storedIn(serviceId: string, route: string): 'keychain' | 'session' | 'none';
  set(serviceId: string, route: string, token: string): Promise<void>;
  /** @throws AppFailure keychain, see `CredentialStore.remove` */
  remove(serviceId: string): Promise<void>;
}

export function createTokens(credentials: CredentialStore): Tokens {
  /** The last entries, since each request reads its own again. Only for the value that is in memory now. */
  const parsed = new Map<string, { value: string; entry: z.infer<typeof entrySchema> | null }>();

  function read(serviceId: string, route: string): string | null {
    const value = credentials.read(serviceId);
    if (value === null) return null;
    let known = parsed.get(serviceId);
    if (known?.value !== value) {
      known = { value, entry: parseStored(entrySchema, value) };
      parsed.set(serviceId, known);
    }
    return known.entry?.route === route ? known.entry.token : null;
  }

  return {
    load: (serviceId) => credentials.load(serviceId),
    read,
    storedIn: (serviceId, route) =>
      read(serviceId, route) === null ? 'none' : credentials.storedIn(serviceId),
    set: (serviceId, route, token) =>
      credentials.set(
        serviceId,
        JSON.stringify({ version: 2, route, token } satisfies z.infer<typeof entrySchema>),
      ),
    async remove(serviceId) {
      await credentials.remove(serviceId);
      parsed.delete(serviceId);
    },
  };
}

/** @throws AppFailure invalidInput for the built-in service, which makes its token itself */
export function requireOwnToken({ isLocal }: { isLocal: boolean }): void {
  if (isLocal) throw new AppFailure({ code: 'invalidInput', field: 'id', problem: 'local' });
}

/** Trims a pasted token. @throws AppFailure invalidInput for characters that a header cannot contain */
export function cleanToken(token: string): string {
  const clean = token.trim();
  if (!/^[\x21-\x7e]+$/.test(clean)) {
    throw new AppFailure({ code: 'invalidInput', field: 'token', problem: 'characters' });
  }
  return clean;
}
