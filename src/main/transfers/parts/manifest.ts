import { createHash, hash } from 'node:crypto';

/** The manifest of a file in parts, stored under the file's own identifier (docs/parts.md). */

/**
 * Start of every version of the format. A person's file that starts like this is never stored whole under its
 * identifier.
 */
export const manifestBeginning = '{"coffer":"parts","version":';
export const manifestVersion = 2;
/** Limit for writing and for reading. */
export const maxParts = 100_000;
/** A manifest is held in memory as a whole. */
export const maxManifestBytes = 64 * 1024 * 1024;

const beginning = Buffer.from(manifestBeginning);
const readme = 'This object is a list. The file is the concatenation of the objects in parts, in order.';

export interface ManifestPart {
  readonly id: string;
  readonly size: number;
  /** Hex, of the part's bytes. */
  readonly sha256: string;
}

export interface ManifestHeader {
  readonly size: number;
  /** Hex, of the whole file. */
  readonly sha256: string;
  /** SHA-256 of the concatenated hex digests of all parts. */
  readonly root: string;
  readonly split: { readonly method: 'fixed'; readonly bytes: number };
  readonly name: string;
  readonly modified: string;
  /** null: the service's default policy. */
  readonly classification: string | null;
  readonly created: string;
  readonly client: string;
  /** 32 hex digits, random: identifies the upload that all parts belong to; no other manifest has it. */
  readonly upload: string;
}

export interface Manifest extends ManifestHeader {
  /** The object that the parts belong to: the prefix of their names. */
  readonly base: string;
  readonly parts: readonly ManifestPart[];
}

/** Unique: 128 bits of the name are random. @param index from 0 */
export function partIdOf({ base, upload }: Pick<Manifest, 'base' | 'upload'>, index: number): string {
  return `${base}~p-${upload}-${String(index).padStart(5, '0')}`;
}

export function countParts({ size, split }: Pick<ManifestHeader, 'size' | 'split'>): number {
  return Math.ceil(size / split.bytes);
}

/** All parts have one size, except the last. */
export function partBytesOf({ size, split }: Pick<ManifestHeader, 'size' | 'split'>, index: number): number {
  return Math.min(split.bytes, size - index * split.bytes);
}

/** Canonical: the same manifest always has the same text. */
export function writeManifest(content: Omit<Manifest, 'root' | 'parts'> & { digests: string[] }): string {
  const { digests } = content;
  const root = createHash('sha256');
  for (const digest of digests) root.update(digest);
  const parts = digests.map((sha256, index) => {
    const entry = entryTexts(content, index);
    return `${entry.beforeDigest}${sha256}${entry.afterDigest}`;
  });
  const text = `${headerText({ ...content, root: root.digest('hex') })}${parts.join()}${tailStart}`;
  return `${text}${hash('sha256', text + tailEnd, 'hex')}${tailEnd}`;
}

/** The text before the entries of the parts. */
export function headerText(header: ManifestHeader): string {
  const { size, sha256, root, split, name, modified, classification, created, client, upload } = header;
  const fields = {
    coffer: 'parts',
    version: manifestVersion,
    readme,
    size,
    sha256,
    root,
    split: { method: split.method, bytes: split.bytes },
    name,
    modified,
    classification,
    created,
    client,
    upload,
  };
  return `${JSON.stringify(fields).slice(0, -1)}${partsStart}`;
}

export const partsStart = ',"parts":[';
/** The text after the entries. Between the two stands the digest of the whole text, computed with that place empty. */
export const tailStart = '],"self":"';
export const tailEnd = '"}';

/** The entry of a part, around its digest. */
export function entryTexts(
  manifest: Pick<Manifest, 'base' | 'upload' | 'size' | 'split'>,
  index: number,
): { beforeDigest: string; afterDigest: string } {
  const id = JSON.stringify(partIdOf(manifest, index));
  return {
    beforeDigest: `{"id":${id},"size":${partBytesOf(manifest, index)},"sha256":"`,
    afterDigest: '"}',
  };
}

export function beginsLikeManifest(bytes: Uint8Array): boolean {
  return bytes.length >= beginning.length && beginning.equals(bytes.subarray(0, beginning.length));
}

/** Whether the bytes received so far may begin a manifest. */
export function mayBeginLikeManifest(bytes: Uint8Array): boolean {
  const count = Math.min(bytes.length, beginning.length);
  return beginning.subarray(0, count).equals(bytes.subarray(0, count));
}

/**
 * The date as a manifest has it; years that ISO 8601 writes with more than four digits, and invalid dates, are
 * clamped.
 */
export function dateText(atMs: number): string {
  const clampedMs = Number.isNaN(atMs) ? 0 : Math.min(Math.max(atMs, minDateMs), maxDateMs);
  return new Date(Math.trunc(clampedMs)).toISOString();
}

const minDateMs = Date.parse('0000-01-01T00:00:00.000Z');
const maxDateMs = Date.parse('9999-12-31T23:59:59.999Z');

export function fileOf({ size, sha256 }: Manifest) {
  return { lengthBytes: size, sha256 };
}
