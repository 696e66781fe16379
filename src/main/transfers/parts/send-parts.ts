import { toAppError, AppFailure } from '../../../shared/app-failure.ts';
import { saysNothingWasStored } from '../../../shared/failed-requests.ts';
import { openSource } from '../../local-files/source.ts';
import type { SourceFile } from '../../local-files/source-file.ts';
import type { StepContext } from './step-context.ts';
import { workOf } from '../model/next.ts';
import { digestOf } from '../queue/digest-of.ts';
import { storedLateMs } from '../model/failure-policy.ts';
import { isSent, type Plan } from './part-plans.ts';
import { trackProgress, type PartProgress } from './shown-parts.ts';
import type { ManifestPart } from './manifest.ts';
import { findMissing, gapsOf } from './missing-parts.ts';
import { planOf } from './plan-parts.ts';
import { eachInTurn } from '../../lib/async.ts';

/** Maximum rounds of resending parts that somebody deletes meanwhile. */
const maxRounds = 3;

/**
 * Sends the parts of a file that are not at the service yet, so that the manifest can follow. A part is marked as
 * tried before it is sent, and as done once it is there. @throws AppFailure partDiffers, partsMissing, fileChanged,
 * and what a request or the file throws
 */
export async function sendParts(context: StepContext): Promise<void> {
  const plan = await planOf(context);
  await completeParts(context, plan);
  // Check that the file has not changed since it was hashed, so that all parts are of one file.
  const { path, fileName } = workOf(context, 'upload');
  await (await openSource(path, fileName, plan.of.source, null)).close();
}

/**
 * Makes sure that every part is at the service now: one that was found earlier may have been deleted since.
 * @throws as `sendChunks`
 */
export async function completeParts(context: StepContext, plan: Plan<'upload'>): Promise<void> {
  const { parts } = context;
  const { manifest, transferId } = plan;
  const progress = trackProgress(context, plan);
  progress.report();
  for (let round = 1; ; round += 1) {
    await sendOpen(context, plan, progress);
    const missing = await findMissing(context, manifest);
    if (missing.size === 0) break;
    if (round === maxRounds) throw new AppFailure(gapsOf(manifest, missing));
    for (const id of missing) await parts.plans.mark(transferId, id, null);
  }
  if (!isSent(plan)) throw new Error(`not all parts of ${transferId} were sent`);
}

async function sendOpen(context: StepContext, plan: Plan<'upload'>, progress: PartProgress): Promise<void> {
  const { parts } = plan.manifest;
  const open = parts
    .filter(({ id }) => plan.marks.get(id) !== 'done')
    // A refusal of one is a refusal of all: try the smallest first.
    .toSorted((a, b) => a.size - b.size);
  const send = (part: ManifestPart, onTurn?: () => void) => sendPart(context, plan, part, progress, onTurn);
  if (open[0] && open.length === parts.length) await send(open.shift() as ManifestPart);
  await eachInTurn(open, send);
}

/** @param onTurn called when it is about to be sent */
async function sendPart(
  context: StepContext,
  plan: Plan<'upload'>,
  part: ManifestPart,
  progress: PartProgress,
  onTurn?: () => void,
): Promise<void> {
  const { record, parts, signal, files } = context;
  const { path, fileName, classification } = workOf(context, 'upload');
  const mark = (as: 'tried' | null) => parts.plans.mark(record.id, part.id, as);
  const wasTried = plan.marks.get(part.id) === 'tried';
  if (wasTried && (await isWhole(context, plan, part))) return finish(context, plan, part, progress);
  let source = null as SourceFile | null;
  const open = async () => {
    onTurn?.();
    if (!wasTried) await mark('tried');
    source = await openSource(path, fileName, plan.of.source, {
      offsetBytes: plan.manifest.parts.indexOf(part) * plan.manifest.split.bytes,
      lengthBytes: part.size,
    });
    const body = await source.body({
      signal,
      take: (bytes) => files.takeBytes('upload', bytes, signal),
      onProgress: (doneBytes) => progress.transferred(part.id, doneBytes),
    });
    return prove(source, body, part, fileName);
  };
  try {
    await context.service.parts.post(part.id, open, { lengthBytes: part.size, classification });
  } catch (cause) {
    progress.transferred(part.id, 0);
    const error = toAppError(cause);
    const isUntried = error !== undefined && saysNothingWasStored(error);
    // Nobody else writes this name: what exists there is from an earlier request of this upload.
    if (isUntried && error?.code !== 'exists' && !wasTried) await mark(null);
    if (error?.code !== 'exists') throw cause;
  } finally {
    await source?.close();
  }
  await confirm(context, plan, part);
  await finish(context, plan, part, progress);
}

/** Marks a part that is there, whole. */
async function finish(
  { parts, show }: StepContext,
  { transferId }: Plan<'upload'>,
  { id }: ManifestPart,
  progress: PartProgress,
): Promise<void> {
  await parts.plans.mark(transferId, id, 'done');
  show.gotFurther();
  progress.report();
}

/**
 * Nobody else writes this name, so an object of the right length is the part; where the service gives no length, its
 * bytes are compared.
 * @throws AppFailure partDiffers: then this upload cannot be finished, and a retry starts over under new names
 */
async function isWhole(context: StepContext, plan: Plan<'upload'>, part: ManifestPart): Promise<boolean> {
  const { id, size } = part;
  const seen = await context.service.parts.head(id);
  if (!seen.present) return false;
  if (seen.lengthBytes === size || (seen.lengthBytes === null && (await hasDigest(context, part))))
    return true;
  await context.parts.plans.mark(plan.transferId, id, 'wrong');
  throw new AppFailure({
    code: 'partDiffers',
    identifier: id,
    expectedBytes: size,
    storedBytes: seen.lengthBytes,
  });
}

async function hasDigest(context: StepContext, { id, size, sha256 }: ManifestPart): Promise<boolean> {
  const { body } = await context.service.parts.get(id);
  return (await digestOf(context, body, size)) === sha256;
}

/** The service has accepted it, and may need a moment to show it. @throws AppFailure partDiffers */
async function confirm(context: StepContext, plan: Plan<'upload'>, part: ManifestPart): Promise<void> {
  for (const delayMs of storedLateMs) {
    if (await isWhole(context, plan, part)) return;
    await context.clock.delay(delayMs, context.signal);
  }
  if (await isWhole(context, plan, part)) return;
  const { id: identifier, size: expectedBytes } = part;
  throw new AppFailure({ code: 'partDiffers', identifier, expectedBytes, storedBytes: null });
}

/**
 * The stored bytes must match the manifest: the last of them are sent only when the digest agrees, and a service that
 * never gets a whole body stores nothing.
 */
async function prove(
  source: SourceFile,
  body: Uint8Array | AsyncIterable<Uint8Array>,
  { size, sha256 }: ManifestPart,
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
