import { z } from 'zod';
import { parseKept, type KeptSecrets } from './credential-store.ts';

const entrySchema = z.object({ version: z.literal(1), origin: z.string(), token: z.string() });

/**
 * The tokens of the profiles. Each is kept together with the origin it was entered for (`tokenOriginOf`), is read for
 * that origin only, and leaves for the service and for nothing else.
 */
export interface Tokens {
  /**
   * Takes the token from the keychain into memory.
   * @throws AppFailure keychain
   */
  load(profileId: string): Promise<void>;
  /** What is in memory for this origin; null: nothing. */
  read(profileId: string, origin: string): string | null;
  keptIn(profileId: string, origin: string): 'keychain' | 'session' | 'none';
  set(profileId: string, origin: string, token: string): Promise<void>;
  /** @throws AppFailure keychain, see `KeptSecrets.remove` */
  remove(profileId: string): Promise<void>;
}

export function createTokens(kept: KeptSecrets): Tokens {
  function read(profileId: string, origin: string): string | null {
    const entry = parseKept(entrySchema, kept.read(profileId));
    return entry?.origin === origin ? entry.token : null;
  }

  return {
    load: (profileId) => kept.load(profileId),
    read,
    keptIn: (profileId, origin) => (read(profileId, origin) === null ? 'none' : kept.keptIn(profileId)),
    set: (profileId, origin, token) =>
      kept.set(
        profileId,
        JSON.stringify({ version: 1, origin, token } satisfies z.infer<typeof entrySchema>),
      ),
    remove: (profileId) => kept.remove(profileId),
  };
}
