import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { withOwners } from '../../../shared/domain/made-names.ts';
import { checkObjectId } from '../../../shared/domain/object-id.ts';
import {
  beginsLikeManifest,
  countParts,
  entryTexts,
  headerText,
  manifestBeginning,
  manifestVersion,
  maxParts,
  maxManifestBytes,
  mayBeginLikeManifest,
  partIdOf,
  partBytesOf,
  partsStart,
  tailEnd,
  tailStart,
  type Manifest,
  type ManifestHeader,
  type ManifestPart,
} from './manifest.ts';

/** What bytes under an identifier are. */
export type Reading =
  /** An ordinary file: it does not begin like a manifest, or does not match its own digest. */
  | { readonly kind: 'none' }
  /** Written by a newer Coffer, so its content is not understood. */
  | { readonly kind: 'newer'; readonly version: number }
  /** Intact, but not a manifest that Coffer can read. */
  | { readonly kind: 'wrong' }
  | { readonly kind: 'manifest'; readonly manifest: Manifest };

const digestSchema = z.string().regex(/^[0-9a-f]{64}$/);
const lengthSchema = z.number().int().positive().max(Number.MAX_SAFE_INTEGER);
/** Dates are never shown and decide nothing, so any text is accepted. */
const dateSchema = z.string().max(64);
const headerSchema = z.strictObject({
  coffer: z.literal('parts'),
  version: z.literal(manifestVersion),
  readme: z.string(),
  size: lengthSchema,
  sha256: digestSchema,
  root: digestSchema,
  split: z.strictObject({ method: z.literal('fixed'), bytes: lengthSchema }),
  name: z.string().max(1024),
  modified: dateSchema,
  classification: z.string().nullable(),
  created: dateSchema,
  client: z.string().max(200),
  upload: z.string().regex(/^[0-9a-f]{32}$/),
});

/** Work done in one go; then other work of the thread may run. */
const entriesAtOnce = 1_000;
const hashedAtOnceBytes = 4 * 1024 * 1024;
const maxHeaderBytes = 64 * 1024;
const digestLength = 64;
const beforeDigest = ',"self":"';

const wrong: Reading = { kind: 'wrong' };

/**
 * Reads the manifest of a file in parts. It is recognised by its beginning and its own digest, before any of it is
 * believed, and never by its length. Its text must be exactly what its fields produce, and its parts must belong to
 * the identifier under which it is stored, or to an object beside which it is stored: no other object is ever read
 * or deleted because of it.
 */
export async function readManifest(bytes: Uint8Array, identifier: string): Promise<Reading> {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (!beginsLikeManifest(text) || !(await hasOwnDigest(text))) return { kind: 'none' };
  const versionText = text
    .subarray(manifestBeginning.length, manifestBeginning.length + 10)
    .toString('latin1');
  const version = Number(/^[1-9][0-9]{0,8}(?=,)/.exec(versionText)?.[0] ?? 0);
  if (version > manifestVersion) return { kind: 'newer', version };
  const header = readHeader(text);
  if (header === null || countParts(header.fields) > maxParts) return wrong;
  for (const base of withOwners(identifier)) {
    const parts = await readParts(text, header, base);
    if (parts !== null) return { kind: 'manifest', manifest: { ...header.fields, base, parts } };
  }
  return wrong;
}

/** The digest at the end covers the text with that place empty. Every version ends so. */
async function hasOwnDigest(text: Buffer): Promise<boolean> {
  const endAt = text.length - tailEnd.length;
  const digestAt = endAt - digestLength;
  if (digestAt < 0) return false;
  if (text.toString('latin1', digestAt - beforeDigest.length, digestAt) !== beforeDigest) return false;
  if (text.toString('latin1', endAt) !== tailEnd) return false;
  const digest = createHash('sha256');
  for (let atBytes = 0; atBytes < digestAt; atBytes += hashedAtOnceBytes) {
    if (atBytes > 0) await setImmediate();
    digest.update(text.subarray(atBytes, Math.min(atBytes + hashedAtOnceBytes, digestAt)));
  }
  return digest.update(tailEnd).digest('hex') === text.toString('latin1', digestAt, endAt);
}

function readHeader(text: Buffer): { fields: ManifestHeader; endAt: number } | null {
  // In JSON no string contains a quotation mark after a comma without a backslash between them, so this is where the
  // parts begin.
  const endAt = text.subarray(0, maxHeaderBytes).indexOf(partsStart);
  if (endAt < 0) return null;
  const parsed = headerSchema.safeParse(parseJson(`${text.toString('utf8', 0, endAt)}}`));
  if (!parsed.success) return null;
  const { coffer: _, version: __, readme: ___, ...fields } = parsed.data;
  const canonical = Buffer.from(headerText(fields));
  return canonical.equals(text.subarray(0, canonical.length)) ? { fields, endAt: canonical.length } : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** null: they are not the parts of this object, or not all that the header names. */
async function readParts(
  text: Buffer,
  { fields, endAt }: { fields: ManifestHeader; endAt: number },
  base: string,
): Promise<ManifestPart[] | null> {
  if (!checkObjectId(base).ok) return null;
  const of = { ...fields, base };
  const count = countParts(fields);
  const parts: ManifestPart[] = [];
  const root = createHash('sha256');
  let at = endAt;
  const take = (expected: string): boolean => {
    const length = Buffer.byteLength(expected);
    const isThere = text.toString('utf8', at, at + length) === expected;
    at += length;
    return isThere;
  };
  for (let index = 0; index < count; index += 1) {
    if (index % entriesAtOnce === entriesAtOnce - 1) await setImmediate();
    const entry = entryTexts(of, index);
    if (!take(index === 0 ? entry.beforeDigest : `,${entry.beforeDigest}`)) return null;
    const sha256 = text.toString('latin1', at, at + digestLength);
    at += digestLength;
    if (!/^[0-9a-f]{64}$/.test(sha256) || !take(entry.afterDigest)) return null;
    root.update(sha256);
    parts.push({ id: partIdOf(of, index), size: partBytesOf(fields, index), sha256 });
  }
  const isWhole = at === text.length - tailStart.length - digestLength - tailEnd.length;
  return isWhole && root.digest('hex') === fields.root ? parts : null;
}

/** This many bytes tell whether it may be a manifest. */
const sureBytes = manifestBeginning.length;

/** A body whose beginning was read to see what it is. */
export interface Sniffed {
  readonly reading: Reading;
  /** The bytes that were read: all of the body, unless `reading` is `none`. */
  readonly bytes: Uint8Array;
  /** The whole body: what was read, then the rest. */
  readonly pieces: AsyncIterable<Uint8Array>;
}

/** Reads only as much of a body as shows whether it is a manifest, and destroys the rest. */
export async function peekManifest(body: Readable, identifier: string): Promise<Omit<Sniffed, 'pieces'>> {
  const { reading, bytes } = await sniffManifest(body, identifier);
  body.destroy();
  return { reading, bytes };
}

/**
 * Examines the beginning of a body. A body that begins like a manifest is read whole and parsed; of any other, only
 * the first piece is held. Rejects with the body's own error.
 */
export async function sniffManifest(body: Readable, identifier: string): Promise<Sniffed> {
  const source = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  const held: Uint8Array[] = [];
  let heldBytes = 0;
  let isOver = false;

  async function hold(): Promise<void> {
    const next = await source.next();
    if (next.done === true) isOver = true;
    else {
      held.push(next.value);
      heldBytes += next.value.length;
    }
  }
  const start = () => (held.length === 1 ? (held[0] ?? new Uint8Array(0)) : Buffer.concat(held));
  while (!isOver && heldBytes < sureBytes && mayBeginLikeManifest(start())) await hold();
  const isLike = heldBytes >= sureBytes && mayBeginLikeManifest(start().subarray(0, sureBytes));
  while (isLike && !isOver && heldBytes <= maxManifestBytes) await hold();

  const bytes = isOver ? start() : new Uint8Array(0);
  return {
    reading: isLike && isOver ? await readManifest(bytes, identifier) : { kind: 'none' },
    bytes,
    pieces: (async function* () {
      try {
        for (let piece = held.shift(); piece; piece = held.shift()) yield piece;
        while (!isOver) {
          const next = await source.next();
          if (next.done === true) isOver = true;
          else yield next.value;
        }
      } finally {
        // A reader that leaves early frees the connection.
        if (!isOver) body.destroy();
      }
    })(),
  };
}

/** The file begins like a manifest, so it must not be stored whole under its identifier. */
export class LooksLikeManifest extends Error {
  override readonly name = 'LooksLikeManifest';
}

/** Passes a body on, unless it begins like a manifest. @throws LooksLikeManifest before any of it is passed on */
export async function refuseManifest(
  body: Uint8Array | AsyncIterable<Uint8Array>,
): Promise<Uint8Array | AsyncIterable<Uint8Array>> {
  if (body instanceof Uint8Array) {
    if (beginsLikeManifest(body)) throw new LooksLikeManifest();
    return body;
  }
  const source = body[Symbol.asyncIterator]();
  let first: IteratorResult<Uint8Array> | null = await source.next();
  if (first.done !== true && beginsLikeManifest(first.value)) {
    await source.return?.();
    throw new LooksLikeManifest();
  }
  return {
    [Symbol.asyncIterator]: () => ({
      next() {
        const held = first;
        first = null;
        return held === null ? source.next() : Promise.resolve(held);
      },
      return: (value?: unknown) =>
        source.return?.(value) ?? Promise.resolve({ done: true, value: undefined } as const),
    }),
  };
}
