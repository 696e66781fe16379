import { toAppError, AppFailure } from '../../../shared/app-failure.ts';
import type { UploadOptions, UploadSource } from '../../service/data.ts';
import { saysNothingWasStored } from '../../../shared/failed-requests.ts';
import { goesInParts } from '../../../shared/domain/chunks.ts';
import { openUploadBody, sentPlanOf } from './upload-body.ts';
import { LooksLikeManifest, refuseManifest } from '../chunks/plan-chunks.ts';
import { readManifest } from '../chunks/read-manifest.ts';
import { sendChunks } from '../chunks/send-chunks.ts';
import type { Sent } from '../model/state.ts';
import { CircuitOpen } from '../queue/circuit-breaker.ts';
import type { StepContext } from './step.ts';
import { workOf } from '../model/next.ts';

/** Over the limit, or begun in chunks. What is moved is stored whole. */
export function isForChunks(context: StepContext): boolean {
  if (workOf(context, 'upload').moves) return false;
  return isBegun(context) || goesInParts(context.record.totalBytes ?? 0, context.facts);
}

export function isBegun({ record, chunking }: StepContext): boolean {
  return chunking.plans.ofKind(record.id, 'upload') !== null;
}

type Post<T> = (body: UploadSource | Uint8Array, options: Omit<UploadOptions, 'signal'>) => Promise<T>;
type Answered<T> = { answer: T; sent: Omit<Sent, 'activityToken'> };

/**
 * Sends the file as it was seen: whole, or its manifest once the chunks are there. A file that begins like a manifest
 * goes in chunks too, so that it is given back unchanged. @param post sends the request with this body
 */
export function sendFile<T>(context: StepContext, identifier: string, post: Post<T>): Promise<Answered<T>> {
  return inPartsWhereNeeded(context, () => sendBody(context, identifier, post));
}

/** Calls `work` once the identifier's body is ready: for a chunked file, after its chunks were sent. */
export async function inPartsWhereNeeded<T>(context: StepContext, work: () => Promise<T>): Promise<T> {
  const isReady = isKept(context);
  if (!isReady && isForChunks(context)) await sendChunks(context);
  try {
    return await work();
  } catch (cause) {
    if (isReady || !(cause instanceof LooksLikeManifest)) throw cause;
    if (workOf(context, 'upload').moves) throw new AppFailure({ code: 'partsShared' });
    if (!context.facts.allowsParts) throw new AppFailure({ code: 'partsForbidden' });
    await sendChunks(context);
    return work();
  }
}

/** A Replace has prepared its body when it began, and an Undo sends the undo copy unchanged. */
function isKept(context: StepContext): boolean {
  const { replace, kept } = workOf(context, 'upload');
  return replace?.mine != null || kept !== undefined;
}

async function sendBody<T>(context: StepContext, identifier: string, post: Post<T>): Promise<Answered<T>> {
  const { signal, limits, onProgress } = context;
  const work = workOf(context, 'upload');
  const { classification } = work;
  const source = await openUploadBody(context, work);
  // The progress of a chunked file is that of its chunks.
  const plan = sentPlanOf(context);
  const isList = plan !== null;
  const goesOut = plan !== null && identifier === context.record.identifier && !plan.of.isOut;
  try {
    const { sizeBytes } = source;
    let sentBytes = 0;
    if (!isList) onProgress(0, sizeBytes);
    const bytes = await source.body({
      signal,
      take: (count) => limits.takeBytes('upload', count, signal),
      onProgress(doneBytes) {
        sentBytes = doneBytes;
        if (!isList) onProgress(doneBytes);
      },
    });
    if (isKept(context) && !isList) await requireOwnManifest(bytes, context.record.identifier);
    const body = isList || isKept(context) ? bytes : await refuseManifest(bytes);
    if (goesOut) await context.chunking.plans.change(plan, { isOut: true });
    const answer = await post(body, { lengthBytes: sizeBytes, classification });
    context.onMoved();
    const sha256 = await source.sha256();
    return {
      answer,
      sent: {
        sentBytes: sha256 === null ? sentBytes : sizeBytes,
        sha256,
        fileChanged: await source.hasChanged(),
      },
    };
  } catch (cause) {
    if (goesOut && neverStored(cause)) await context.chunking.plans.change(plan, { isOut: false });
    throw cause;
  } finally {
    await source.close();
  }
}

/**
 * After an older copy of the database was put back, an undo copy may be a manifest without being recorded as one. A
 * manifest names chunks of one object only. @throws AppFailure partsShared
 */
async function requireOwnManifest(
  bytes: Uint8Array | AsyncIterable<Uint8Array>,
  identifier: string,
): Promise<void> {
  if (!(bytes instanceof Uint8Array)) return;
  const { kind } = await readManifest(bytes, identifier);
  if (kind === 'wrong') throw new AppFailure({ code: 'partsShared' });
}

/** The request was not sent, or was refused. */
export function neverStored(cause: unknown): boolean {
  const error = toAppError(cause);
  return cause instanceof CircuitOpen || (error !== undefined && saysNothingWasStored(error));
}
