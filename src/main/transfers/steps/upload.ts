import { toAppError } from '../../../shared/app-failure.ts';
import { isStoredWithOther } from '../../../shared/domain/object.ts';
import type { AppError } from '../../../shared/errors.ts';
import { saysNothingWasStored } from '../../../shared/failed-requests.ts';
import type { UploadOptions, UploadSource } from '../../service/client.ts';
import { rowOf, type StepContext } from '../parts/step-context.ts';
import { storedInParts } from '../parts/part-plans.ts';
import { findIncomplete } from '../parts/missing-parts.ts';
import { storedLateMs } from '../model/failure-policy.ts';
import { workOf, type Next } from '../model/next.ts';
import type { Seen, Sent, State } from '../model/state.ts';
import { CircuitOpen } from '../queue/circuit-breaker.ts';
import { handleConflict, needsNumber } from './conflict.ts';
import { beginInPlace } from './inherited-classification.ts';
import type { Step } from './step.ts';
import {
  inPartsWhereNeeded,
  isForParts,
  openUploadBody,
  requireSendable,
  sentPlanOf,
} from './upload-body.ts';
import { compare, findOwn } from './verify.ts';

/*
 * An upload from top to bottom (section 4.1): what is looked at before the bytes, POST, HEAD, and what the list gets.
 * `resolve-upload.ts` finds out what became of one whose answer was lost.
 */

/**
 * Direct upload. HEAD goes first where something may be there: then no bytes are sent to be refused, and after a 404
 * the length alone shows that a success has stored them.
 */
export const sendDirect: Step<'sending'> = async (context) => {
  const { record, service } = context;
  const isChecked = checksFirst(context);
  const next = await beforeBytes(context, isChecked);
  if (next) return next;
  const wasFree = isChecked || wasSeenFree(context);
  let isOut = false;
  try {
    const { answer, sent } = await sendFile(context, record.identifier, (body, options) =>
      service.post(record.identifier, body, { ...options, onLeaving: () => (isOut = true) }),
    );
    const { activityToken } = answer;
    return verifying({ ...sent, activityToken }, { activityToken });
  } catch (cause) {
    return afterFailedPost(context, cause, { isOut, wasFree });
  }
};

/** Whether HEAD goes before the bytes: something may be there, or it would be dear to send them to be refused. */
export function checksFirst(context: StepContext): boolean {
  const { mayBeThere, addedRow, ifExists } = workOf(context, 'upload');
  return mayBeThere || !addedRow || ifExists === 'replace' || isForParts(context);
}

/** Whether `needsNumber`, or whoever took the name, has found nothing there. */
export function wasSeenFree(context: StepContext): boolean {
  const { ifExists, takenNames = 0 } = workOf(context, 'upload');
  return (ifExists === 'newVersion' && context.rules.versionReach > 0) || takenNames > 0;
}

/** The number of a version, what is there already, and the classification of what was there. null: the bytes may go. */
export async function beforeBytes(context: StepContext, checks: boolean): Promise<Next | null> {
  const { ifExists, numberedFor, mayBeThere, addedRow } = workOf(context, 'upload');
  if (ifExists === 'newVersion' && numberedFor === undefined && (await needsNumber(context)))
    return { state: { name: 'numbering', awaits: null, looks: 0 } };
  if (checks) {
    const seen = await context.service.head(context.record.identifier);
    if (seen.present) return handlePresent(context, seen);
  }
  // What may have arrived is sent again unchanged, and a row that was added for this upload tells nothing.
  return mayBeThere || addedRow ? null : beginInPlace(context);
}

type Post<T> = (body: UploadSource | Uint8Array, options: Omit<UploadOptions, 'signal'>) => Promise<T>;
type Answered<T> = { answer: T; sent: Omit<Sent, 'activityToken'> };

/**
 * Sends the file as it was seen: whole, or its manifest once the parts are there. A file that begins like a manifest
 * goes in parts too, so that it is given back unchanged. @param post sends the request with this body
 */
export function sendFile<T>(context: StepContext, identifier: string, post: Post<T>): Promise<Answered<T>> {
  return inPartsWhereNeeded(context, () => sendBody(context, identifier, post));
}

async function sendBody<T>(context: StepContext, identifier: string, post: Post<T>): Promise<Answered<T>> {
  const { record, parts, signal, files, show } = context;
  const work = workOf(context, 'upload');
  const source = await openUploadBody(context, work);
  // The progress of a file in parts is that of its parts.
  const plan = sentPlanOf(context);
  const goesOut = plan !== null && identifier === record.identifier && !plan.of.isOut;
  try {
    const { sizeBytes } = source;
    let sentBytes = 0;
    if (!plan) show.progress(0, sizeBytes);
    const bytes = await source.body({
      signal,
      take: (count) => files.takeBytes('upload', count, signal),
      onProgress(doneBytes) {
        sentBytes = doneBytes;
        if (!plan) show.progress(doneBytes);
      },
    });
    const body = plan ? bytes : await requireSendable(context, bytes);
    if (goesOut) await parts.plans.change(plan, { isOut: true });
    const answer = await post(body, { lengthBytes: sizeBytes, classification: work.classification });
    context.show.transferred();
    const sha256 = await source.sha256();
    const fileChanged = await source.hasChanged();
    return { answer, sent: { sentBytes: sha256 === null ? sentBytes : sizeBytes, sha256, fileChanged } };
  } catch (cause) {
    if (goesOut && neverStored(cause)) await parts.plans.change(plan, { isOut: false });
    throw cause;
  } finally {
    await source.close();
  }
}

/** The request was not sent, or was refused. */
function neverStored(cause: unknown): boolean {
  const error = toAppError(cause);
  return cause instanceof CircuitOpen || (error !== undefined && saysNothingWasStored(error));
}

/**
 * Handles a POST that failed: refused, or its answer was lost.
 * @param isOut it had begun
 * @param wasFree HEAD had found nothing there
 */
export async function afterFailedPost(
  context: StepContext,
  cause: unknown,
  { isOut, wasFree }: { isOut: boolean; wasFree: boolean },
): Promise<Next> {
  if (toAppError(cause)?.code === 'exists') return afterConflict(context, wasFree);
  if (isOut && !neverStored(cause))
    context.show.note({ name: 'unsure', goal: 'goOn', looks: 0, error: null });
  throw cause;
}

/** 409 where nothing had been: another's object, or ours, stored by a request that was repeated on its way. */
const refused: Next = {
  state: { name: 'unsure', goal: 'refused', looks: 0, error: null },
  delayMs: 0,
};

/** Handles a 409 to bytes of ours. @param wasFree HEAD had found nothing there */
export async function afterConflict(context: StepContext, wasFree: boolean): Promise<Next> {
  if (wasFree) return refused;
  // A cancellation from here on finds out whether it was stored.
  context.show.note(refused.state);
  return handleConflict(context, await context.service.head(context.record.identifier), true);
}

export function verifying(sent: Sent, change: Next['change'] = {}): Next {
  return { state: { name: 'verifying', sent, looks: 0 }, change, isLazy: true };
}

/**
 * Section 4.1, Check Data: done only when the stored length agrees, or, where the service gives none, the bytes.
 * After a 404 it asks again for a few seconds.
 */
export const verifyUpload: Step<'verifying'> = async (context, { sent, looks, name }) => {
  context.show.verifying();
  // Before HEAD: if the row changes later, the transition is not written.
  const row = await rowOf(context);
  const seen = await context.service.head(context.record.identifier);
  const delayMs = storedLateMs[looks];
  if (!seen.present && delayMs !== undefined)
    return { state: { name, sent, looks: looks + 1 }, delayMs, isLazy: true };
  // The length proves nothing where the answer did not say that these bytes were stored, or where others were listed.
  const isUnsaid = sent.activityToken === null;
  if (seen.present && (isUnsaid || (row && isStoredWithOther(row.record, sent.sha256))))
    return handlePresent(mayBeOurs(context), seen);
  if (seen.present && seen.lengthBytes === null && (await compare(context, seen)))
    return concludeProven(context, sent, 'digest', row?.epoch);
  return concludeUpload(context, sent, seen, 'length', row?.epoch);
};

/** As the context of an upload that may have arrived. */
export function mayBeOurs(context: StepContext): StepContext {
  const work = { ...workOf(context, 'upload'), mayBeThere: true };
  return { ...context, record: { ...context.record, work } };
}

/**
 * Handles an object that is there: ours, if it may have arrived and its bytes are the file's; else a conflict.
 * @param epoch of its row before it was seen
 */
export async function handlePresent(context: StepContext, seen: Seen, epoch?: number): Promise<Next> {
  return (await concludeOwn(context, seen, epoch)) ?? handleConflict(context, seen);
}

/** As `handlePresent`; null: the object is another's. */
export async function concludeOwn(context: StepContext, seen: Seen, epoch?: number): Promise<Next | null> {
  const sent = await findOwn(context, seen);
  const hasLength = seen.present && seen.lengthBytes !== null;
  return sent && concludeProven(context, sent, hasLength ? 'length' : 'digest', epoch);
}

/** Concludes an upload whose bytes were compared, whatever length HEAD gives. */
export function concludeProven(
  context: StepContext,
  sent: Sent,
  verifiedBy: 'length' | 'digest',
  epoch: number | undefined,
): Promise<Next> {
  return concludeUpload(context, sent, { present: true, lengthBytes: sent.sentBytes }, verifiedBy, epoch);
}

/**
 * Concludes an upload that the service has accepted, after HEAD: its next state, and the change of its row. The
 * parts of a large file are all checked once more. @param epoch of the row before HEAD
 */
export async function concludeUpload(
  context: StepContext,
  sent: Sent,
  seen: Seen,
  verifiedBy: 'length' | 'digest',
  epoch?: number,
): Promise<Next> {
  const work = workOf(context, 'upload');
  const { classification, fileName, moves } = work;
  const { sha256, activityToken } = sent;
  const lengthBytes = seen.present ? seen.lengthBytes : null;
  const isWhole = sha256 !== null && lengthBytes === sent.sentBytes;
  const nowMs = context.service.momentOf(context.clock.nowMs());
  const sentPlan = isWhole ? sentPlanOf(context) : null;
  // With another digest the file itself was stored.
  const plan = sentPlan?.sha256 === sha256 ? sentPlan : null;
  const incomplete = plan && (await findIncomplete(context, plan));
  const inParts = plan && storedInParts(plan);
  const error = incomplete?.error ?? errorOf(sent, isWhole, lengthBytes, fileName);
  const state: State = error
    ? { name: 'failed', error }
    : {
        name: 'done',
        outcome: { kind: 'stored', verifiedBy, ...(moves && { movedFrom: moves.identifier }) },
        savedPath: null,
      };
  return {
    state,
    change: {
      ...(activityToken !== null && { activityToken }),
      // The manifest is stored: another try sends what is missing.
      ...(incomplete && { work: { ...work, mayBeThere: true } }),
    },
    row: {
      kind: 'stored',
      ...(epoch !== undefined && { epoch }),
      patch: {
        state: incomplete ? 'missing' : isWhole ? 'stored' : stateOfUnproven(seen),
        lengthBytes,
        sha256: isWhole ? sha256 : null,
        ...inParts?.patch,
        classification,
        sourceName: moves ? moves.sourceName : fileName,
        ...(moves && moves.note !== '' && { note: moves.note }),
        storedAtMs: nowMs,
        checkedAtMs: nowMs,
        activityToken,
      },
      history: {
        action: error ? 'uploadFailed' : moves ? 'moved' : 'uploaded',
        detail: error?.code ?? moves?.identifier ?? null,
        activityToken,
      },
      ...(inParts && { manifest: inParts.manifest }),
      ...(incomplete && { gaps: incomplete.gaps }),
    },
    isLazy: true,
  };
}

/** null: it is there, whole, and is the file as it is now. */
function errorOf(
  { sentBytes, activityToken, fileChanged }: Sent,
  isWhole: boolean,
  storedBytes: number | null,
  fileName: string,
): AppError | null {
  if (!isWhole)
    return {
      code: 'storedLengthDiffers',
      sentBytes,
      storedBytes,
      ...(activityToken !== null && { activityToken }),
    };
  // The stored file is whole but outdated: the person wants the file as it is now.
  return fileChanged ? { code: 'fileChanged', fileName } : null;
}

/** The service reported success and HEAD disagrees: never treated as stored. */
function stateOfUnproven(seen: Seen): 'missing' | 'unknown' | 'failed' {
  if (!seen.present) return 'missing';
  return seen.lengthBytes === null ? 'unknown' : 'failed';
}
