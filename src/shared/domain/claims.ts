import type { ObjectRecord } from './object.ts';

/**
 * What an imported list or a colleague says of an object and nobody here has seen: its digest (and that it is chunked), its
 * length, and whether it exists at all. Bits, as the database stores them.
 */
export const claims = { digest: 1, length: 2, presence: 4 } as const;
export type Claim = keyof typeof claims;

interface Claimed {
  /** Omitted: everything was seen here. */
  readonly claimed?: number | undefined;
}

export function isClaimed({ claimed = 0 }: Claimed, what: Claim): boolean {
  return (claimed & claims[what]) !== 0;
}

/** The digest of the stored bytes; null: unknown or only claimed, which proves nothing. */
export function provenDigest(object: Claimed & { readonly sha256: string | null }): string | null {
  return isClaimed(object, 'digest') ? null : object.sha256;
}

/** null: unknown or only claimed. */
export function provenLength(object: Claimed & { readonly lengthBytes: number | null }): number | null {
  return isClaimed(object, 'length') ? null : object.lengthBytes;
}

/**
 * Whether only hearsay says that it exists: it must not take the place of a version that was seen here. The team's word counts for data,
 * which a request for it proves or corrects; for a secret, nothing but reading it does.
 */
export function isHearsay(object: Claimed & Pick<ObjectRecord, 'kind' | 'isShared'>): boolean {
  return isClaimed(object, 'presence') && (object.kind === 'secret' || object.isShared !== true);
}

/** In words, for exports and the command line. */
export function claimWords({ claimed = 0 }: Claimed): Claim[] {
  return (['presence', 'length', 'digest'] as const).filter((what) => isClaimed({ claimed }, what));
}
