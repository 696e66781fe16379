import { randomBytes } from 'node:crypto';
import { partBytesOf } from '../../../shared/domain/parts.ts';
import { maxObjectBytes } from '../../../shared/domain/limits.ts';
import { versionOf } from '../../../shared/domain/versions.ts';
import { AppFailure } from '../../../shared/errors.ts';
import { openDigest, type Digest } from '../files/digest.ts';
import { borrowPiece, pieceBytes, returnPiece, type SharedPiece } from '../files/memory.ts';
import { openSource, type SourceFile } from '../files/source.ts';
import { workOf, type StepContext, type WorkOf } from '../step.ts';
import type { Plan } from './journal.ts';
import { beginsLikeManifest, partIdOf, readManifest, writeManifest, type Manifest } from './manifest.ts';

/** The plan that an upload follows: the one that is written down, if it is of this file and name, or a new one. @throws as `openSource` and `body` */
export async function planOf(context: StepContext): Promise<Plan<'upload'>> {
  const { record, facts, inParts } = context;
  const work = workOf(context, 'upload');
  if (work.again) return planAgain(context, work.again);
  const source = await openSource(work.path, work.fileName, work.expected, null);
  try {
    const { base } = versionOf(record.identifier, facts.separator, facts.versionMark);
    const known = inParts.journal.ofKind(record.id, 'upload');
    const isOfThis =
      known?.base === base &&
      known.origin === record.origin &&
      known.manifest.classification === work.classification &&
      known.of.source !== null &&
      isSame(known.of.source, source.identity) &&
      // Of a limit that was lowered: parts that fit it still are not sent twice.
      known.manifest.split.bytes <= limitOf(facts);
    if (isOfThis) return known;
    // What went by another plan is nobody's, unless the new one takes it back.
    if (known) await inParts.janitor.giveUp(known);
    return await makePlan(context, source, base);
  } finally {
    await source.close();
  }
}

/**
 * Another list of the parts that a version has, as the list of objects knows them. They have its classification and are named after their
 * bytes, so they can be shared. @throws AppFailure notFound: that version is not known any more
 */
async function planAgain(
  context: StepContext,
  { objectId, sha256 }: NonNullable<WorkOf<'upload'>['again']>,
): Promise<Plan<'upload'>> {
  const { record, facts, inParts } = context;
  const known = inParts.journal.ofKind(record.id, 'upload');
  if (known?.origin === record.origin && known.manifest.sha256 === sha256) return known;
  const text = await inParts.manifestOf(objectId);
  const reading = text === null ? null : readManifest(Buffer.from(text), record.identifier, facts.separator);
  if (reading?.kind !== 'manifest' || reading.manifest.sha256 !== sha256)
    throw new AppFailure({ code: 'notFound', what: 'object' });
  const { fileName } = workOf(context, 'upload');
  return begin(context, reading.base, null, { ...reading.manifest, name: fileName });
}

function isSame(one: SourceFile['identity'], other: SourceFile['identity']): boolean {
  return one.sizeBytes === other.sizeBytes && one.mtimeMs === other.mtimeMs && one.inode === other.inode;
}

function limitOf(facts: StepContext['facts']): number {
  return facts.maxObjectBytes ?? maxObjectBytes.possible;
}

/** One that would go whole, but for how it begins, is one part. */
function mostPartBytes(facts: StepContext['facts'], sizeBytes: number): number {
  const limitBytes = limitOf(facts);
  return sizeBytes <= limitBytes ? limitBytes : partBytesOf(facts);
}

async function makePlan(context: StepContext, source: SourceFile, base: string): Promise<Plan<'upload'>> {
  const { facts, signal } = context;
  const { fileName, classification, modifiedAtMs } = workOf(context, 'upload');
  const { sizeBytes } = source;
  const partBytes = Math.min(mostPartBytes(facts, sizeBytes), sizeBytes);
  context.onVerifying();
  const { sha256, parts } = await digestParts(source, partBytes, signal);
  return begin(context, base, source.identity, {
    size: sizeBytes,
    sha256,
    split: { method: 'fixed', bytes: partBytes },
    name: fileName,
    modified: new Date(Math.trunc(modifiedAtMs)).toISOString(),
    classification,
    parts: parts.map((part) => ({ id: partIdOf(base, part.sha256, classification), ...part })),
  });
}

/** Durable when it resolves. */
async function begin(
  context: StepContext,
  base: string,
  source: Plan<'upload'>['of']['source'],
  content: Omit<Manifest, 'created' | 'client' | 'upload'>,
): Promise<Plan<'upload'>> {
  const { record, facts, inParts, clock } = context;
  const text = writeManifest({
    ...content,
    created: new Date(clock.nowMs()).toISOString(),
    client: inParts.clientName,
    upload: randomBytes(16).toString('hex'),
  });
  const limitBytes = limitOf(facts);
  if (Buffer.byteLength(text) > limitBytes) throw new AppFailure({ code: 'tooLarge', limitBytes });
  const { id: transferId, profileId, origin, identifier } = record;
  const of = { kind: 'upload', source } as const;
  await inParts.journal.begin({ transferId, profileId, origin, identifier, base, text, of });
  const plan = inParts.journal.ofKind(record.id, 'upload');
  if (!plan) throw new Error('a plan was written down and is not there');
  return plan;
}

/** Reads a file once for the digests of all of it and of each part, in the threads of digests. */
async function digestParts(
  source: SourceFile,
  partBytes: number,
  signal: AbortSignal,
): Promise<{ sha256: string; parts: { size: number; sha256: string }[] }> {
  const parts: { size: number; sha256: string }[] = [];
  const open: { digest: Digest | null } = { digest: null };
  let filledBytes = 0;

  async function end(): Promise<void> {
    if (open.digest === null) return;
    parts.push({ size: filledBytes, sha256: await open.digest.end() });
    open.digest = null;
    filledBytes = 0;
  }

  try {
    const body = await source.body({ signal, onProgress: () => undefined });
    for await (const piece of body instanceof Uint8Array ? [body] : body) {
      for (let atBytes = 0; atBytes < piece.length;) {
        const taken = piece.subarray(atBytes, atBytes + partBytes - filledBytes);
        open.digest ??= openDigest('parts');
        await add(open.digest, taken);
        atBytes += taken.length;
        filledBytes += taken.length;
        if (filledBytes === partBytes) await end();
      }
    }
    await end();
  } finally {
    open.digest?.drop();
  }
  signal.throwIfAborted();
  const sha256 = await source.sha256();
  if (sha256 === null) throw new Error('a file was read and has no digest');
  return { sha256, parts };
}

/** Memory that the thread does not share is copied for it. */
async function add(digest: Digest, bytes: Uint8Array): Promise<void> {
  if (bytes.buffer instanceof SharedArrayBuffer) return digest.add(bytes as SharedPiece);
  const memory = borrowPiece();
  try {
    for (let atBytes = 0; atBytes < bytes.length; atBytes += pieceBytes) {
      const copied = bytes.subarray(atBytes, atBytes + pieceBytes);
      memory.set(copied);
      await digest.add(memory.subarray(0, copied.length));
    }
  } finally {
    returnPiece(memory);
  }
}

/** The file begins like a list of parts, so that it must not lie under its identifier as it is. */
export class LooksLikeManifest extends Error {
  override readonly name = 'LooksLikeManifest';
}

/** Passes a body on, unless it begins like a list of parts. @throws LooksLikeManifest before anything of it is given */
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
