import { createHash } from 'node:crypto';
import { toAppError, type AppError } from '../../shared/errors.ts';
import type { UploadOptions, UploadSource } from '../service/data.ts';
import type { Answered, Seen, UploadJob } from './entry.ts';
import { look, type Way, lookPatiently, type PatientWay } from './look.ts';
import { openSource } from './source-file.ts';

/** The service answered success; `error` says why that is not enough. Without one, the object is there whole. */
export interface AnsweredUpload {
  readonly kind: 'answered';
  readonly answered: Answered;
  readonly seen: Seen;
  readonly error: AppError | null;
}

export type UploadResult =
  | AnsweredUpload
  /** The identifier exists already, and the object is not ours. */
  | { readonly kind: 'conflict'; readonly seen: Seen };

/**
 * One attempt of an upload (section 4.1, Upload Data, then Check Data). What it learns stays in the job, so that the
 * next attempt goes on from there: a POST that was answered is not sent again, and one whose answer was lost is looked
 * for first. @throws AppFailure
 */
export async function attemptUpload(
  identifier: string,
  job: UploadJob,
  way: PatientWay,
): Promise<UploadResult> {
  if (job.answered === null) {
    way.onState('moving');
    if (job.mayBeThere) {
      const seen = await look(way, identifier);
      if (seen.present) return compare(identifier, job, seen, way);
    }
    try {
      job.answered = await send(identifier, job, way);
    } catch (cause) {
      if (toAppError(cause)?.code !== 'exists') throw cause;
      // After a lost answer this may be the object we stored ourselves, that HEAD did not find yet.
      const seen = await look(way, identifier);
      return job.mayBeThere && seen.present
        ? compare(identifier, job, seen, way)
        : { kind: 'conflict', seen };
    }
  }
  way.onState('verifying');
  return judge(job.answered, await lookPatiently(way, identifier), job.fileName);
}

/** Success was answered: is what HEAD saw what was sent? */
export function judge(answered: Answered, seen: Seen, fileName: string): AnsweredUpload {
  const { sentBytes, sha256, activityToken, fileChanged } = answered;
  const storedBytes = seen.present ? seen.lengthBytes : null;
  let error: AppError | null = null;
  if (sha256 === null || storedBytes !== sentBytes) {
    error = {
      code: 'storedLengthDiffers',
      sentBytes,
      storedBytes,
      ...(activityToken !== null && { activityToken }),
    };
  } else if (fileChanged) {
    // What was stored is whole, and is the file as it was; the person means the file as it is.
    error = { code: 'fileChanged', fileName };
  }
  return { kind: 'answered', answered, seen, error };
}

async function send(identifier: string, job: UploadJob, way: Way): Promise<Answered> {
  const { answer, sent } = await sendFile(job, way, (body, options) =>
    way.client.uploadData(identifier, body, options),
  );
  return { ...sent, activityToken: answer.activityToken };
}

/**
 * Sends the file as it was seen, and notes in the job whether it may have arrived.
 * @param post the request whose body it is @throws AppFailure
 */
export async function sendFile<T>(
  job: UploadJob,
  way: Way,
  post: (body: UploadSource, options: UploadOptions) => Promise<T>,
): Promise<{ answer: T; sent: Omit<Answered, 'activityToken'> }> {
  await way.turn();
  const source = await openSource(job.path, job.fileName, job.expected);
  const mayHaveBeenThere = job.mayBeThere;
  try {
    let sentBytes = 0;
    const body = source.read((doneBytes) => {
      sentBytes = doneBytes;
      way.onProgress(doneBytes, source.sizeBytes);
    });
    way.onProgress(0, source.sizeBytes);
    job.mayBeThere = true;
    const answer = await post(body, {
      lengthBytes: source.sizeBytes,
      classification: job.classification,
      signal: way.signal,
    });
    const sha256 = source.sha256();
    job.sha256 = sha256;
    return {
      answer,
      sent: {
        sentBytes: sha256 === null ? sentBytes : source.sizeBytes,
        sha256,
        fileChanged: await source.hasChanged(),
      },
    };
  } catch (cause) {
    job.sha256 = source.sha256();
    if (saysNothingWasStored(toAppError(cause))) job.mayBeThere = mayHaveBeenThere;
    throw cause;
  } finally {
    await source.close();
  }
}

/** After anything else a POST may or may not have been carried out. */
export function saysNothingWasStored(error: AppError | undefined): boolean {
  if (error?.code === 'unexpectedAnswer') return error.status >= 300 && error.status < 500;
  return error !== undefined && refusals.has(error.code);
}

const refusals = new Set<AppError['code']>([
  'badIdentifier',
  'badRequest',
  'certificateNotTrusted',
  'exists',
  'forbidden',
  'tokenMissing',
  'tokenRefused',
  'tooLarge',
  'tooManyRequests',
  'unreachable',
]);

/**
 * Is what is there ours? Another length: no. The same: only its bytes tell, and they are fetched and hashed; this is
 * rare, and the only proof. An object that is not ours is a conflict like any other.
 */
export async function compare(
  identifier: string,
  job: UploadJob,
  seen: Seen,
  way: Way,
): Promise<UploadResult> {
  way.onState('verifying');
  const source = await openSource(job.path, job.fileName, job.expected);
  try {
    if (!seen.present || (seen.lengthBytes !== null && seen.lengthBytes !== source.sizeBytes))
      return { kind: 'conflict', seen };
    for await (const piece of source.read(() => undefined)) void piece;
    way.signal.throwIfAborted();
    const sha256 = source.sha256();
    job.sha256 = sha256;
    const there = await digestOf(identifier, source.sizeBytes, way);
    if (there !== sha256) return { kind: 'conflict', seen };
    // The answer with its activity token is lost; everything else is as if it had come.
    job.answered = {
      sentBytes: source.sizeBytes,
      sha256,
      activityToken: null,
      fileChanged: await source.hasChanged(),
    };
    return judge(job.answered, seen, job.fileName);
  } finally {
    await source.close();
  }
}

/** null: it has another length. */
async function digestOf(identifier: string, sizeBytes: number, way: Way): Promise<string | null> {
  await way.turn();
  const { body } = await way.client.downloadData(identifier, { signal: way.signal });
  const hash = createHash('sha256');
  let receivedBytes = 0;
  for await (const piece of body as AsyncIterable<Uint8Array>) {
    receivedBytes += piece.length;
    if (receivedBytes > sizeBytes) return null;
    hash.update(piece);
  }
  return receivedBytes === sizeBytes ? hash.digest('hex') : null;
}
