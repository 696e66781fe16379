import { createHash, createHmac, pbkdf2, randomBytes } from 'node:crypto';
import { isDeepStrictEqual, promisify } from 'node:util';
import { z } from 'zod';
import { type CredentialStore, parseStored } from '../connections/credential-store.ts';
import type { Log } from '../ports.ts';
import type { TeamCredentials, TeamPlace } from './place.ts';

const derive = promisify(pbkdf2);
/** PostgreSQL's default. */
const iterations = 4096;

/** Too long to guess, of characters that SASLprep (RFC 4013) leaves unchanged. */
export const drawPassword = () => randomBytes(24).toString('base64url');

/**
 * What a server stores of a password (RFC 5802). Sent instead of it, so that neither the server nor its log ever sees it.
 * @param password ASCII
 */
export async function scramVerifier(password: string, salt = randomBytes(16)): Promise<string> {
  const salted = await derive(password, salt, iterations, 32, 'sha256');
  const keyOf = (name: string) => createHmac('sha256', salted).update(name).digest();
  const storedKey = createHash('sha256').update(keyOf('Client Key')).digest('base64');
  const serverKey = keyOf('Server Key').toString('base64');
  return `SCRAM-SHA-256$${String(iterations)}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}

const entrySchema = z.object({
  version: z.literal(1),
  host: z.string(),
  port: z.number(),
  database: z.string(),
  role: z.string(),
  /** SHA-256 of the authority that was trusted. */
  authority: z.string().nullable(),
  password: z.string().nullable(),
  passphrase: z.string().nullable(),
  /** Drawn by Coffer: no person knows it. */
  isDrawn: z.boolean(),
});

export interface StoredPassword extends TeamCredentials {
  readonly isDrawn: boolean;
}
type Bound = Pick<TeamPlace, 'host' | 'port' | 'database' | 'role' | 'authority'>;

/** With a digest of the authority, because keychains take only short texts. */
const boundOf = ({ host, port, database, role, authority }: Bound): Bound => ({
  host,
  port,
  database,
  role,
  authority: authority && createHash('sha256').update(authority).digest('hex'),
});

/**
 * The passwords of teams' roles. Each is stored with its server, authority, database and role, and used for no other: an
 * invitation by somebody else cannot redirect it.
 */
export interface TeamPasswords {
  /** From memory or the keychain. null: none for this place, or the keychain does not give it. */
  find(serviceId: string, place: Bound): Promise<StoredPassword | null>;
  storedIn(serviceId: string, place: Bound): 'keychain' | 'session' | 'none';
  /** @returns where it is stored now */
  keep(serviceId: string, place: Bound, password: StoredPassword): Promise<'keychain' | 'session' | 'none'>;
  /** @throws AppFailure keychain, see `CredentialStore.remove` */
  remove(serviceId: string): Promise<void>;
}

export function createTeamPasswords(credentials: CredentialStore, log: Log): TeamPasswords {
  const accountOf = (serviceId: string) => `team:${serviceId}`;

  function read(serviceId: string, place: Bound): StoredPassword | null {
    const entry = parseStored(entrySchema, credentials.read(accountOf(serviceId)));
    if (entry === null) return null;
    const { host, port, database, role, authority } = entry;
    return isDeepStrictEqual(boundOf(place), { host, port, database, role, authority }) ? entry : null;
  }

  const storedIn: TeamPasswords['storedIn'] = (serviceId, place) =>
    read(serviceId, place) === null ? 'none' : credentials.storedIn(accountOf(serviceId));

  return {
    storedIn,
    async find(serviceId, place) {
      await credentials.load(accountOf(serviceId)).catch((cause: unknown) => {
        log.warn('the password of a team cannot be read', { serviceId, cause });
      });
      return read(serviceId, place);
    },
    async keep(serviceId, place, { password, passphrase, isDrawn }) {
      const entry = { version: 1, ...boundOf(place), password, passphrase, isDrawn } satisfies z.infer<
        typeof entrySchema
      >;
      await credentials.set(accountOf(serviceId), JSON.stringify(entry));
      return storedIn(serviceId, place);
    },
    remove: (serviceId) => credentials.remove(accountOf(serviceId)),
  };
}
