import { z } from 'zod';
import { parseKept, type KeptSecrets } from './credential-store.ts';
import type { StoredProfile } from './service-repository.ts';

const entrySchema = z.object({ version: z.literal(1), digest: z.string(), passphrase: z.string() });

type Certificate = StoredProfile['clientCertificate'];

/** What opens the client certificates of the profiles. Each is kept with the digest of its file and opens no other. */
export interface Passphrases {
  /** @throws AppFailure keychain */
  load(profileId: string): Promise<void>;
  /** What is in memory for this file; null: nothing. */
  read(profileId: string, digest: string): string | null;
  keptIn(profileId: string, digest: string): 'keychain' | 'session' | 'none';
  /** What opens the certificate of a profile is kept with it, and goes with it. @throws AppFailure keychain */
  keep(profileId: string, next: Certificate, given?: string): Promise<void>;
  /** What a test opens a certificate with: given now, or kept for this very file. @throws AppFailure keychain */
  openingFor(
    certificate: Certificate,
    before: { id: string; clientCertificate: Certificate } | undefined,
    given: string | undefined,
  ): Promise<string | null>;
  /** @throws AppFailure keychain, see `KeptSecrets.remove` */
  remove(profileId: string): Promise<void>;
}

export function createPassphrases(kept: KeptSecrets): Passphrases {
  const accountOf = (profileId: string) => `certificate:${profileId}`;

  const load = (profileId: string) => kept.load(accountOf(profileId));

  function read(profileId: string, digest: string): string | null {
    const entry = parseKept(entrySchema, kept.read(accountOf(profileId)));
    return entry?.digest === digest ? entry.passphrase : null;
  }

  return {
    load,
    read,
    keptIn: (profileId, digest) =>
      read(profileId, digest) === null ? 'none' : kept.keptIn(accountOf(profileId)),
    async keep(profileId, next, passphrase) {
      if (next === null) return kept.remove(accountOf(profileId));
      if (passphrase === undefined) return;
      const entry = { version: 1, digest: next.digest, passphrase } satisfies z.infer<typeof entrySchema>;
      await kept.set(accountOf(profileId), JSON.stringify(entry));
    },
    async openingFor(certificate, before, given) {
      if (given !== undefined || certificate === null) return given ?? null;
      if (certificate !== before?.clientCertificate) return '';
      await load(before.id);
      return read(before.id, certificate.digest);
    },
    remove: (profileId) => kept.remove(accountOf(profileId)),
  };
}
