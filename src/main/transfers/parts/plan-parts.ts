import { randomBytes } from 'node:crypto';
import { maxPartBytesOf } from '../../../shared/domain/parts.ts';
import { maxObjectBytes } from '../../../shared/domain/limits.ts';
import { AppFailure } from '../../../shared/app-failure.ts';
import { openDigest, type Digest } from '../../local-files/digest.ts';
import { borrowPiece, pieceBytes, returnPiece, type SharedPiece } from '../../local-files/buffer-pool.ts';
import { openSource } from '../../local-files/source.ts';
import type { SourceFile } from '../../local-files/source-file.ts';
import type { StepContext } from './step-context.ts';
import { workOf } from '../model/next.ts';
import type { Plan } from './part-plans.ts';
import { dateText, maxManifestBytes, maxParts, writeManifest } from './manifest.ts';
import { readManifest } from './read-manifest.ts';

/**
 * The plan of an upload: the stored one if it is for this file and name, or a new one. @throws as `openSource` and
 * `body`
 */
export async function planOf(context: StepContext): Promise<Plan<'upload'>> {
  const { record, parts } = context;
  const work = workOf(context, 'upload');
  const source = await openSource(work.path, work.fileName, work.expected, null);
  try {
    const known = await parts.orphans.exclusively(record.id, async () => {
      const plan = parts.plans.ofKind(record.id, 'upload');
      if (plan === null || isOfThis(context, plan, source)) return plan;
      // The parts of the new plan have names of their own.
      await parts.orphans.giveUp(plan);
      return null;
    });
    return known ?? (await makePlan(context, source));
  } finally {
    await source.close();
  }
}

function isOfThis({ record, rules }: StepContext, plan: Plan<'upload'>, source: SourceFile): boolean {
  const { manifest, marks, origin, identifier, of } = plan;
  return (
    identifier === record.identifier &&
    origin === record.origin &&
    manifest.classification === workOf({ record }, 'upload').classification &&
    isSame(of.source, source.identity) &&
    ![...marks.values()].includes('wrong') &&
    // After the limit was lowered, parts that still fit are not sent twice.
    manifest.split.bytes <= limitOf(rules)
  );
}

function isSame(one: SourceFile['identity'], other: SourceFile['identity']): boolean {
  return one.sizeBytes === other.sizeBytes && one.mtimeMs === other.mtimeMs && one.inode === other.inode;
}

function limitOf(rules: StepContext['rules']): number {
  return rules.maxObjectBytes ?? maxObjectBytes.possible;
}

/** A file within the limit that begins like a manifest is sent as one part. */
function partBytesFor(rules: StepContext['rules'], sizeBytes: number): number {
  const limitBytes = limitOf(rules);
  return Math.min(sizeBytes <= limitBytes ? limitBytes : maxPartBytesOf(rules), sizeBytes);
}

/** Durable when it resolves. @throws AppFailure tooLarge: too many parts, or a manifest over the limit */
async function makePlan(context: StepContext, source: SourceFile): Promise<Plan<'upload'>> {
  const { record, rules, parts, clock, signal } = context;
  const { id: transferId, serviceId, origin, identifier } = record;
  const { fileName, classification, modifiedAtMs } = workOf(context, 'upload');
  const { sizeBytes } = source;
  const partBytes = partBytesFor(rules, sizeBytes);
  if (Math.ceil(sizeBytes / partBytes) > maxParts)
    throw new AppFailure({ code: 'tooLarge', limitBytes: maxParts * partBytes });
  context.show.verifying();
  const { sha256, digests } = await digestParts(source, partBytes, signal);
  const text = writeManifest({
    base: identifier,
    size: sizeBytes,
    sha256,
    split: { method: 'fixed', bytes: partBytes },
    name: fileName,
    modified: dateText(modifiedAtMs),
    classification,
    created: dateText(clock.nowMs()),
    client: parts.clientName,
    upload: randomBytes(16).toString('hex'),
    digests,
  });
  const limitBytes = Math.min(limitOf(rules), maxManifestBytes);
  if (Buffer.byteLength(text) > limitBytes) throw new AppFailure({ code: 'tooLarge', limitBytes });
  // Never store what the reader of downloads cannot read.
  const reading = await readManifest(Buffer.from(text), identifier);
  if (reading.kind !== 'manifest')
    throw new Error(`a list of parts was written that reads as ${reading.kind}`);
  const of = { kind: 'upload', source: source.identity, beside: null, isOut: false } as const;
  await parts.plans.begin({ transferId, serviceId, origin, identifier, text, of }, reading.manifest);
  const plan = parts.plans.ofKind(transferId, 'upload');
  if (!plan) throw new Error('a plan was written down and is not there');
  return plan;
}

/** Reads a file once for the digests of the whole and of each part, in the digest workers. */
async function digestParts(
  source: SourceFile,
  partBytes: number,
  signal: AbortSignal,
): Promise<{ sha256: string; digests: string[] }> {
  const digests: string[] = [];
  const open: { digest: Digest | null } = { digest: null };
  let filledBytes = 0;

  async function end(): Promise<void> {
    if (open.digest === null) return;
    digests.push(await open.digest.end());
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
  return { sha256, digests };
}

/** Memory that is not shared with the digest worker is copied. */
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
