import { createHash, hash } from 'node:crypto';
import { z } from 'zod';
import { atMsSchema } from '../../../shared/domain/at-ms.ts';
import { extensionStart } from '../../../shared/domain/extension.ts';
import { checkObjectId } from '../../../shared/domain/object-id.ts';

/** The list of a file's parts, which lies under the file's own identifier (docs/parts.md). */

/** How every version of it begins, and how no file of a person is stored as it is. */
export const manifestBeginning = '{"coffer":"parts","version":';
const beginning = Buffer.from(manifestBeginning);
const version = 1;
const readme = 'This object is a list. The file is the concatenation of the objects in parts, in order.';

const digestSchema = z.string().regex(/^[0-9a-f]{64}$/);
const lengthSchema = z.number().int().positive().max(Number.MAX_SAFE_INTEGER);
const dateSchema = z.iso.datetime().refine((date) => atMsSchema.safeParse(Date.parse(date)).success);
const partSchema = z.strictObject({ id: z.string(), size: lengthSchema, sha256: digestSchema });
const manifestSchema = z.strictObject({
  coffer: z.literal('parts'),
  version: z.literal(version),
  readme: z.string(),
  size: lengthSchema,
  /** Of the whole file. */
  sha256: digestSchema,
  /** SHA-256 of the parts' digests, written as hex one after the other. */
  root: digestSchema,
  split: z.strictObject({ method: z.literal('fixed'), bytes: lengthSchema }),
  name: z.string().max(1024),
  modified: dateSchema,
  classification: z.string().nullable(),
  created: dateSchema,
  client: z.string().max(200),
  upload: z.string().regex(/^[0-9a-f]{32}$/),
  parts: z.array(partSchema).min(1),
  self: digestSchema,
});

export type ManifestPart = Readonly<z.infer<typeof partSchema>>;
export type Manifest = Readonly<
  Omit<z.infer<typeof manifestSchema>, 'coffer' | 'version' | 'readme' | 'root' | 'self'>
>;

/** What bytes under an identifier are. */
export type Reading =
  /** An ordinary file: it does not begin so, or its own digest is not of it. */
  | { readonly kind: 'none' }
  /** A newer Coffer made it, so what it says is not known. */
  | { readonly kind: 'newer'; readonly version: number }
  /** It is whole, and what it says cannot be. */
  | { readonly kind: 'wrong' }
  | { readonly kind: 'manifest'; readonly manifest: Manifest; readonly base: string };

/**
 * The same bytes of another classification are another part: the service says of no object which it has, so one that is there already
 * is known to have the right one by its name alone. The suffix keeps to letters, digits, `~` and `-`: which characters a service allows
 * is not shown (section 2).
 */
export function partIdOf(base: string, sha256: string, classification: string | null): string {
  const mark = classification === null ? '' : `-${hash('sha256', classification, 'hex').slice(0, 8)}`;
  return `${base}~p-${sha256.slice(0, 32)}${mark}`;
}

/** Canonical: the same manifest is always the same bytes. */
export function writeManifest(manifest: Manifest): string {
  const { size, sha256, split, name, modified, classification, created, client, upload, parts } = manifest;
  const text = JSON.stringify({
    coffer: 'parts',
    version,
    readme,
    size,
    sha256,
    root: rootOf(parts),
    split: { method: split.method, bytes: split.bytes },
    name,
    modified,
    classification,
    created,
    client,
    upload,
    parts: parts.map((part) => ({ id: part.id, size: part.size, sha256: part.sha256 })),
    self: '',
  });
  return `${text.slice(0, -ending.length)}${hash('sha256', text, 'hex')}${ending}`;
}

function rootOf(parts: readonly ManifestPart[]): string {
  const root = createHash('sha256');
  for (const { sha256 } of parts) root.update(sha256);
  return root.digest('hex');
}

export function beginsLikeManifest(bytes: Uint8Array): boolean {
  return bytes.length >= beginning.length && beginning.equals(bytes.subarray(0, beginning.length));
}

/** Whether what came so far may become the beginning of one. */
export function mayBeginLikeManifest(bytes: Uint8Array): boolean {
  const count = Math.min(bytes.length, beginning.length);
  return beginning.subarray(0, count).equals(bytes.subarray(0, count));
}

/**
 * Told by its beginning and its own digest, before anything of it is believed, and never by its length. What it names is checked
 * against the identifier it lies under: no other object is ever read or deleted for it.
 */
export function readManifest(bytes: Uint8Array, identifier: string, separator: string): Reading {
  if (!beginsLikeManifest(bytes) || !isWhole(bytes)) return { kind: 'none' };
  const text = decode(bytes);
  const number = /^[1-9][0-9]{0,8}(?=,)/.exec(text?.slice(manifestBeginning.length) ?? '')?.[0];
  if (text === null || number === undefined) return { kind: 'wrong' };
  if (Number(number) !== version) return { kind: 'newer', version: Number(number) };
  const parsed = manifestSchema.safeParse(parseJson(text));
  if (!parsed.success) return { kind: 'wrong' };
  const { coffer: _, version: __, readme: ___, root: ____, self: _____, ...manifest } = parsed.data;
  const base = baseOf(manifest);
  const isSound =
    base !== null &&
    isOfBase(ownerOf(identifier), base, separator) &&
    isSplit(manifest) &&
    // Canonical, so that the root, the order of the fields and every digit are what they must be.
    writeManifest(manifest) === text;
  return isSound ? { kind: 'manifest', manifest, base } : { kind: 'wrong' };
}

const ending = '"}';
const beforeSelf = ',"self":"';
const digestLength = 64;

/** Its own digest is of it, as it is with that left empty. Every version ends like this. */
function isWhole(bytes: Uint8Array): boolean {
  const endAt = bytes.length - ending.length;
  const digestAt = endAt - digestLength;
  const text = (from: number, to: number) => Buffer.from(bytes.subarray(from, to)).toString('latin1');
  if (digestAt < beginning.length + beforeSelf.length) return false;
  if (text(digestAt - beforeSelf.length, digestAt) !== beforeSelf || text(endAt, bytes.length) !== ending)
    return false;
  const self = createHash('sha256').update(bytes.subarray(0, digestAt)).update(ending).digest('hex');
  return self === text(digestAt, endAt);
}

function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The identifier that all its parts are named after; null: they are not named as they must be. */
function baseOf({ parts, classification }: Manifest): string | null {
  // Lists of earlier builds name their parts after the bytes alone, whatever the classification.
  for (const named of [classification, null]) {
    const suffixLength = partIdOf('', parts[0]?.sha256 ?? '', named).length;
    const base = parts[0]?.id.slice(0, -suffixLength) ?? '';
    const isNamed = parts.every(({ id, sha256 }) => id === partIdOf(base, sha256, named));
    if (isNamed) return checkObjectId(base).ok ? base : null;
  }
  return null;
}

/** It is the base itself, or a version of it: something stands between its name and its extension. */
export function isOfBase(identifier: string, base: string, separator: string): boolean {
  if (identifier === base) return true;
  const { stem, extension } = stemOf(base, separator);
  const between = identifier.slice(stem.length, identifier.length - extension.length);
  return (
    identifier.length > base.length &&
    identifier.startsWith(stem) &&
    identifier.endsWith(extension) &&
    !between.includes(separator)
  );
}

/** What the identifiers of all versions of an object begin and end with. */
export function stemOf(base: string, separator: string): { stem: string; extension: string } {
  const end = extensionStart(base, separator);
  return { stem: base.slice(0, end), extension: base.slice(end) };
}

function isSplit({ size, split, parts }: Manifest): boolean {
  let sum = 0;
  const digests = new Map<string, ManifestPart>();
  for (const [index, part] of parts.entries()) {
    sum += part.size;
    const isLast = index === parts.length - 1;
    const isOfSize = isLast ? part.size <= split.bytes : part.size === split.bytes;
    const same = digests.get(part.id) ?? part;
    if (!isOfSize || same.sha256 !== part.sha256 || same.size !== part.size) return false;
    digests.set(part.id, part);
  }
  return sum === size;
}

/** The object that an identifier of ours stands beside while that is replaced (`steps/replace`); else itself. */
export function ownerOf(identifier: string): string {
  return identifier.replace(/~[or]-[0-9a-f]{16}$/, '');
}

/** An identifier that Coffer gives to parts alone. */
export function isPartId(identifier: string): boolean {
  return /~p-[0-9a-f]{32}(-[0-9a-f]{8})?$/.test(identifier);
}
