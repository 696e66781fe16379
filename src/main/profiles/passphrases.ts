import { z } from 'zod';
import type { KeptSecrets } from './kept-secrets.ts';

const entrySchema = z.object({ version: z.literal(1), digest: z.string(), passphrase: z.string() });

/** What opens the client certificates of the profiles. Each is kept with the digest of its file and opens no other. */
export interface Passphrases {
  /** @throws AppFailure keychain */
  load(profileId: string): Promise<void>;
  /** What is in memory for this file; null: nothing. */
  read(profileId: string, digest: string): string | null;
  keptIn(profileId: string, digest: string): 'keychain' | 'session' | 'none';
  set(profileId: string, digest: string, passphrase: string): Promise<void>;
  /** @throws AppFailure keychain, see `KeptSecrets.remove` */
  remove(profileId: string): Promise<void>;
}

export function createPassphrases(kept: KeptSecrets): Passphrases {
  const accountOf = (profileId: string) => `certificate:${profileId}`;

  function read(profileId: string, digest: string): string | null {
    const value = kept.read(accountOf(profileId));
    const entry = value === null ? null : entrySchema.parse(JSON.parse(value));
    return entry?.digest === digest ? entry.passphrase : null;
  }

  return {
    load: (profileId) => kept.load(accountOf(profileId)),
    read,
    keptIn: (profileId, digest) =>
      read(profileId, digest) === null ? 'none' : kept.keptIn(accountOf(profileId)),
    set: (profileId, digest, passphrase) => {
      const entry = { version: 1, digest, passphrase } satisfies z.infer<typeof entrySchema>;
      return kept.set(accountOf(profileId), JSON.stringify(entry));
    },
    remove: (profileId) => kept.remove(accountOf(profileId)),
  };
}
