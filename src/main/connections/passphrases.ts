import { z } from 'zod';
import { parseStored, type CredentialStore } from './credential-store.ts';
import type { StoredService } from './service-repository.ts';

const entrySchema = z.object({ version: z.literal(1), digest: z.string(), passphrase: z.string() });

type Certificate = StoredService['clientCertificate'];

/** Passphrases of client certificates. Each is stored with the digest of its file and used for no other. */
export interface Passphrases {
  /** @throws AppFailure keychain */
  load(serviceId: string): Promise<void>;
  /** The passphrase in memory for this file; null: none. */
  read(serviceId: string, digest: string): string | null;
  storedIn(serviceId: string, digest: string): 'keychain' | 'session' | 'none';
  set(serviceId: string, certificate: NonNullable<Certificate>, passphrase: string): Promise<void>;
  /** The passphrase for a test: the one given, or the one stored for this file. @throws AppFailure keychain */
  openingFor(
    certificate: Certificate,
    before: { id: string; clientCertificate: Certificate } | undefined,
    given: string | undefined,
  ): Promise<string | null>;
  /** @throws AppFailure keychain, see `CredentialStore.remove` */
  remove(serviceId: string): Promise<void>;
}

export function createPassphrases(credentials: CredentialStore): Passphrases {
  const accountOf = (serviceId: string) => `certificate:${serviceId}`;

  const load = (serviceId: string) => credentials.load(accountOf(serviceId));

  function read(serviceId: string, digest: string): string | null {
    const entry = parseStored(entrySchema, credentials.read(accountOf(serviceId)));
    return entry?.digest === digest ? entry.passphrase : null;
  }

  return {
    load,
    read,
    storedIn: (serviceId, digest) =>
      read(serviceId, digest) === null ? 'none' : credentials.storedIn(accountOf(serviceId)),
    async set(serviceId, { digest }, passphrase) {
      const entry = { version: 1, digest, passphrase } satisfies z.infer<typeof entrySchema>;
      await credentials.set(accountOf(serviceId), JSON.stringify(entry));
    },
    async openingFor(certificate, before, given) {
      if (given !== undefined || certificate === null) return given ?? null;
      if (certificate !== before?.clientCertificate) return '';
      await load(before.id);
      return read(before.id, certificate.digest);
    },
    remove: (serviceId) => credentials.remove(accountOf(serviceId)),
  };
}
