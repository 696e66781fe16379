import { toAppError, AppFailure } from '../../../shared/app-failure.ts';
import { saysNothingWasStored } from '../../../shared/failed-requests.ts';
import { openSource } from '../../local-files/source.ts';
import type { SourceFile } from '../../local-files/source-file.ts';
import type { StepContext } from './step-context.ts';
import { workOf } from '../model/next.ts';
import { digestOf } from '../queue/digest-of.ts';
import { storedLateMs } from '../model/failure-policy.ts';
import { isSent, type Plan } from './chunk-plans.ts';
import { trackProgress, type ChunkProgress } from './shown-chunks.ts';
import type { ManifestChunk } from './manifest.ts';
import { findMissing, gapsOf } from './missing-chunks.ts';
import { planOf } from './plan-chunks.ts';
import { eachInTurn } from '../../lib/async.ts';

/** Maximum rounds of resending chunks that somebody deletes meanwhile. */
const maxRounds = 3;

/**
 * Sends the chunks of a file that are not at the service yet, so that the manifest can follow. A chunk is marked as
 * tried before it is sent, and as done once it is there. @throws AppFailure partDiffers, partsMissing, fileChanged,
 * and what a request or the file throws
 */
export async function sendChunks(context: StepContext): Promise<void> {
  const plan = await planOf(context);
  await completeChunks(context, plan);
  // Check that the file has not changed since it was hashed, so that all chunks are of one file.
  const { path, fileName } = workOf(context, 'upload');
  await (await openSource(path, fileName, plan.of.source, null)).close();
}

/**
 * Makes sure that every chunk is at the service now: one that was found earlier may have been deleted since.
 * @throws as `sendChunks`
 */
export async function completeChunks(context: StepContext, plan: Plan<'upload'>): Promise<void> {
  const { chunks } = context;
  const { manifest, transferId } = plan;
  const progress = trackProgress(context, plan);
  progress.report();
  for (let round = 1; ; round += 1) {
    await sendOpen(context, plan, progress);
    const missing = await findMissing(context, manifest);
    if (missing.size === 0) break;
    if (round === maxRounds) throw new AppFailure(gapsOf(manifest, missing));
    for (const id of missing) await chunks.plans.mark(transferId, id, null);
  }
  if (!isSent(plan)) throw new Error(`not all parts of ${transferId} were sent`);
}

async function sendOpen(context: StepContext, plan: Plan<'upload'>, progress: ChunkProgress): Promise<void> {
  const { parts } = plan.manifest;
  const open = parts
    .filter(({ id }) => plan.marks.get(id) !== 'done')
    // A refusal of one is a refusal of all: try the smallest first.
    .toSorted((a, b) => a.size - b.size);
  const send = (chunk: ManifestChunk, onTurn?: () => void) =>
    sendChunk(context, plan, chunk, progress, onTurn);
  if (open[0] && open.length === parts.length) await send(open.shift() as ManifestChunk);
  await eachInTurn(open, send);
}

/** @param onTurn called when it is about to be sent */
async function sendChunk(
  context: StepContext,
  plan: Plan<'upload'>,
  chunk: ManifestChunk,
  progress: ChunkProgress,
  onTurn?: () => void,
): Promise<void> {
  const { record, chunks, signal, files } = context;
  const { path, fileName, classification } = workOf(context, 'upload');
  const mark = (as: 'tried' | null) => chunks.plans.mark(record.id, chunk.id, as);
  const wasTried = plan.marks.get(chunk.id) === 'tried';
  if (wasTried && (await isWhole(context, plan, chunk))) return settle(context, plan, chunk, progress);
  let source = null as SourceFile | null;
  const open = async () => {
    onTurn?.();
    if (!wasTried) await mark('tried');
    source = await openSource(path, fileName, plan.of.source, {
      offsetBytes: plan.manifest.parts.indexOf(chunk) * plan.manifest.split.bytes,
      lengthBytes: chunk.size,
    });
    const body = await source.body({
      signal,
      take: (bytes) => files.takeBytes('upload', bytes, signal),
      onProgress: (doneBytes) => progress.transferred(chunk.id, doneBytes),
    });
    return prove(source, body, chunk, fileName);
  };
  try {
    await context.service.parts.post(chunk.id, open, { lengthBytes: chunk.size, classification });
  } catch (cause) {
    progress.transferred(chunk.id, 0);
    const error = toAppError(cause);
    const isUntried = error !== undefined && saysNothingWasStored(error);
    // Nobody else writes this name: what exists there is from an earlier request of this upload.
    if (isUntried && error?.code !== 'exists' && !wasTried) await mark(null);
    if (error?.code !== 'exists') throw cause;
  } finally {
    await source?.close();
  }
  await confirm(context, plan, chunk);
  await settle(context, plan, chunk, progress);
}

/** Marks a chunk that is there, whole. */
async function settle(
  { chunks, show }: StepContext,
  { transferId }: Plan<'upload'>,
  { id }: ManifestChunk,
  progress: ChunkProgress,
): Promise<void> {
  await chunks.plans.mark(transferId, id, 'done');
  show.gotFurther();
  progress.report();
}

/**
 * Nobody else writes this name, so an object of the right length is the chunk; where the service gives no length, its
 * bytes are compared.
 * @throws AppFailure partDiffers: then this upload cannot be finished, and a retry starts over under new names
 */
async function isWhole(context: StepContext, plan: Plan<'upload'>, chunk: ManifestChunk): Promise<boolean> {
  const { id, size } = chunk;
  const seen = await context.service.parts.head(id);
  if (!seen.present) return false;
  if (seen.lengthBytes === size || (seen.lengthBytes === null && (await hasDigest(context, chunk))))
    return true;
  await context.chunks.plans.mark(plan.transferId, id, 'wrong');
  throw new AppFailure({
    code: 'partDiffers',
    identifier: id,
    expectedBytes: size,
    storedBytes: seen.lengthBytes,
  });
}

async function hasDigest(context: StepContext, { id, size, sha256 }: ManifestChunk): Promise<boolean> {
  const { body } = await context.service.parts.get(id);
  return (await digestOf(context, body, size)) === sha256;
}

/** The service has accepted it, and may need a moment to show it. @throws AppFailure partDiffers */
async function confirm(context: StepContext, plan: Plan<'upload'>, chunk: ManifestChunk): Promise<void> {
  for (const delayMs of storedLateMs) {
    if (await isWhole(context, plan, chunk)) return;
    await context.clock.delay(delayMs, context.signal);
  }
  if (await isWhole(context, plan, chunk)) return;
  const { id: identifier, size: expectedBytes } = chunk;
  throw new AppFailure({ code: 'partDiffers', identifier, expectedBytes, storedBytes: null });
}

/**
 * The stored bytes must match the manifest: the last of them are sent only when the digest agrees, and a service that
 * never gets a whole body stores nothing.
 */
async function prove(
  source: SourceFile,
  body: Uint8Array | AsyncIterable<Uint8Array>,
  { size, sha256 }: ManifestChunk,
  fileName: string,
): Promise<Uint8Array | AsyncIterable<Uint8Array>> {
  async function requireDigest(): Promise<void> {
    if ((await source.sha256()) !== sha256) throw new AppFailure({ code: 'fileChanged', fileName });
  }
  if (body instanceof Uint8Array) {
    await requireDigest();
    return body;
  }
  return (async function* () {
    let doneBytes = 0;
    for await (const piece of body) {
      doneBytes += piece.length;
      if (doneBytes === size) await requireDigest();
      yield piece;
    }
  })();
}
