import type { ObjectRecord } from './object.ts';

/**
 * What an imported list or a colleague says of an object and nobody here has seen: its digest (and that it is in parts), its
 * length, and whether it exists at all. Bits, as the database stores them.
 */
export const factBits = { digest: 1, length: 2, presence: 4 } as const;
export type Fact = keyof typeof factBits;

interface Unverified {
  /** Omitted: everything was seen here. */
  readonly unverified?: number | undefined;
}

export function isUnverified({ unverified = 0 }: Unverified, what: Fact): boolean {
  return (unverified & factBits[what]) !== 0;
}

/** The digest of the stored bytes; null: unknown or unverified, which proves nothing. */
export function provenDigest(object: Unverified & { readonly sha256: string | null }): string | null {
  return isUnverified(object, 'digest') ? null : object.sha256;
}

/** null: unknown or unverified. */
export function provenLength(object: Unverified & { readonly lengthBytes: number | null }): number | null {
  return isUnverified(object, 'length') ? null : object.lengthBytes;
}

/**
 * Whether only hearsay says that it exists: it must not take the place of a version that was seen here. The team's word counts for data,
 * which a request for it proves or corrects; for a secret, nothing but reading it does.
 */
export function isHearsay(object: Unverified & Pick<ObjectRecord, 'kind' | 'isShared'>): boolean {
  return isUnverified(object, 'presence') && (object.kind === 'secret' || object.isShared !== true);
}

/** In words, for exports and the command line. */
export function unverifiedFacts({ unverified = 0 }: Unverified): Fact[] {
  return (['presence', 'length', 'digest'] as const).filter((what) => isUnverified({ unverified }, what));
}
