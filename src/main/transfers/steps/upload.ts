import { toAppError } from '../../../shared/app-failure.ts';
import { provenDigest } from '../../../shared/domain/claims.ts';
import { isStoredWithOther } from '../../../shared/domain/object.ts';
import { sendChunks } from '../chunks/send-chunks.ts';
import type { Seen, Sent, State, StateOf } from '../model/state.ts';
import { beginInPlace } from './inherited-classification.ts';
import { isBegun, isForChunks, neverStored, sendFile } from './send-file.ts';
import type { Step, StepContext } from './step.ts';
import { rowOf } from '../chunks/chunk-context.ts';
import { workOf, type Next } from '../model/next.ts';
import { postLateMs, storedLateMs } from '../model/late-outcomes.ts';
import { beginMove, refuseToMove, verifyCopy } from './move.ts';
import { sentPlanOf } from './upload-body.ts';
import { compare } from './verify.ts';
import { concludeUpload } from './conclude-upload.ts';
import { meetConflict, needsNumber } from './conflict.ts';

/**
 * Direct upload (section 4.1, Upload Data). HEAD goes first where something may be there: then no bytes are sent to be
 * refused, and after a 404 the length alone shows that a success has stored them.
 */
export const sendDirect: Step<'sending'> = async (context) => {
  const { record, service } = context;
  if (await needsNumber(context)) return { state: { name: 'numbering', awaits: null, looks: 0 } };
  const begun = await beginMove(context);
  if (begun) return begun;
  const isLookedAt = looksFirst(context);
  if (isLookedAt) {
    const seen = await context.service.head(record.identifier);
    if (seen.present) return meetPresent(context, seen);
  }
  const inPlace = await beginInPlace(context);
  if (inPlace) return inPlace;
  const wasFree = isLookedAt || wasSeenFree(context);
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
export function looksFirst(context: StepContext): boolean {
  const { mayBeThere, addedRow, ifExists } = workOf(context, 'upload');
  return mayBeThere || !addedRow || ifExists === 'replace' || isForChunks(context);
}

/** Whether `needsNumber`, or whoever took the name, has found nothing there. */
export function wasSeenFree(context: StepContext): boolean {
  const { ifExists, takenNames = 0 } = workOf(context, 'upload');
  return (ifExists === 'newVersion' && context.settings().versionReach > 0) || takenNames > 0;
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
  const error = toAppError(cause);
  if (error?.code === 'exists') return afterConflict(context, wasFree);
  if (!isOut || neverStored(cause)) throw cause;
  context.note({ name: 'unsure', goal: 'goOn', looks: 0, error: null });
  throw cause;
}

/** Handles a 409 to bytes of ours. @param wasFree HEAD had found nothing there */
export async function afterConflict(context: StepContext, wasFree: boolean): Promise<Next> {
  if (wasFree) return refused;
  // A cancellation from here on finds out whether it was stored.
  context.note(refused.state);
  return meetConflict(context, await context.service.head(context.record.identifier), true);
}

/** 409 where nothing had been: another's object, or ours, stored by a request that was repeated on its way. */
const refused: Next = {
  state: { name: 'unsure', goal: 'refused', looks: 0, error: null },
  delayMs: 0,
};

/** Handles a 409 where nothing had been, by what HEAD has found since. No other name is taken before it is compared. */
async function meetRefusal(
  context: StepContext,
  state: StateOf<'unsure'>,
  seen: Seen,
  epoch: number | undefined,
): Promise<Next> {
  const ours = mayBeOurs(context);
  if (seen.present) {
    const own = await meetOwn(ours, seen, epoch).catch((cause: unknown) => {
      // A token that may not read what is there cannot tell.
      if (toAppError(cause)?.code !== 'forbidden') throw cause;
      return null;
    });
    return own ?? meetConflict(context, seen);
  }
  const delayMs = storedLateMs[state.looks];
  if (delayMs !== undefined) return { state: { ...state, looks: state.looks + 1 }, delayMs, isBehind: true };
  // An object that cannot be seen, because it is being deleted or the token may not see it, cannot be replaced:
  // without a prompt the bytes would be sent and refused for ever.
  if (workOf(context, 'upload').ifExists !== 'replace') return meetConflict(ours, seen);
  return { state: { name: 'asking', seen } };
}

/** As the context of an upload that may have arrived. */
export function mayBeOurs(context: StepContext): StepContext {
  const work = { ...workOf(context, 'upload'), mayBeThere: true };
  return { ...context, record: { ...context.record, work } };
}

/**
 * Handles an object that is there: ours, if it may have arrived and its bytes are the file's; else a conflict.
 * @param epoch of its row before it was seen
 */
export async function meetPresent(context: StepContext, seen: Seen, epoch?: number): Promise<Next> {
  return (await meetOwn(context, seen, epoch)) ?? meetConflict(context, seen);
}

/** As `meetPresent`; null: the object is another's. */
export async function meetOwn(context: StepContext, seen: Seen, epoch?: number): Promise<Next | null> {
  const work = workOf(context, 'upload');
  if (!work.mayBeThere) return null;
  // The manifest may be there without some of its chunks: send them again before the file counts as whole.
  if (isBegun(context)) await sendChunks(context);
  const sent = await compare(context, work, seen);
  if (sent === null || (await isListedAs(context, sent))) return null;
  const hasLength = seen.present && seen.lengthBytes !== null;
  const proven = { present: true, lengthBytes: sent.sentBytes } as const;
  return concludeUpload(context, sent, proven, hasLength ? 'length' : 'digest', epoch);
}

/** Whether another upload has stored the same bytes before: then the list keeps that one's classification. */
async function isListedAs(context: StepContext, { sha256 }: Sent): Promise<boolean> {
  const listed = (await rowOf(context))?.record;
  // An object that a download has found was not stored by us.
  return listed?.state === 'stored' && listed.storedAtMs !== null && provenDigest(listed) === sha256;
}

export function verifying(sent: Sent, change: Next['change'] = {}): Next {
  return { state: { name: 'verifying', sent, looks: 0 }, change, isBehind: true };
}

/**
 * Section 4.1, Check Data: done only when the stored length agrees, or, where the service gives none, the bytes.
 * After a 404 it asks again for a few seconds.
 */
export const verifyUpload: Step<'verifying'> = async (context, state) => {
  const { sent, looks, name } = state;
  context.onVerifying();
  // Before HEAD: if the row changes later, the transition is not written.
  const row = await rowOf(context);
  if (workOf(context, 'upload').moves) return verifyCopy(context, state, row?.epoch);
  const seen = await context.service.head(context.record.identifier);
  const delayMs = storedLateMs[looks];
  if (!seen.present && delayMs !== undefined) {
    return { state: { name, sent, looks: looks + 1 }, delayMs, isBehind: true };
  }
  // The length proves nothing where the answer did not say that these bytes were stored, or where others were listed.
  const isUnsaid = sent.activityToken === null;
  if (seen.present && (isUnsaid || (row && isStoredWithOther(row.record, sent.sha256))))
    return meetPresent(mayBeOurs(context), seen);
  if (seen.present && seen.lengthBytes === null && (await compare(context, workOf(context, 'upload'), seen)))
    return concludeUpload(
      context,
      sent,
      { present: true, lengthBytes: sent.sentBytes },
      'digest',
      row?.epoch,
    );
  return concludeUpload(context, sent, seen, 'length', row?.epoch);
};

/** Finds out what is on the service after a lost answer, or for an upload that was given up. */
export const settleUpload: Step<'unsure'> = async (context, state) => {
  const { record } = context;
  const { goal, error } = state;
  // Read before HEAD: a later change of the row is not in its answer.
  const before = await rowOf(context);
  const { listedStoredAtMs = before?.record.storedAtMs ?? null } = state;
  const noted = { ...state, listedStoredAtMs };
  context.note(noted);
  const seen = await context.service.head(record.identifier);
  if (goal === 'refused') return meetRefusal(context, noted, seen, before?.epoch);
  if (goal === 'goOn' || goal === 'lost') {
    if (seen.present) {
      const asked = workOf(context, 'upload');
      // Nothing was sent before its identifier was seen to be free.
      if (asked.moves && !asked.mayBeThere) return refuseToMove();
      return meetPresent(mayBeOurs(context), seen, before?.epoch);
    }
    if (goal === 'lost')
      return { state: { name: 'lost', error }, row: releaseOf('failed', error?.code ?? 'missing') };
    // The POST may still be carried out: a 409 to the next one is compared.
    return waitAgain(context, { mayBeThere: true });
  }
  const ended: State = goal === 'fail' && error ? { name: 'failed', error } : { name: 'cancelled' };
  const list = sentPlanOf(context);
  const sentBytes = list ? Buffer.byteLength(list.text) : record.totalBytes;
  const epoch = before?.epoch ?? null;
  const row = seen.present
    ? ({ kind: 'found', lengthBytes: seen.lengthBytes, sentBytes, listedStoredAtMs, epoch } as const)
    : releaseOf('failed', error?.code ?? 'cancelled');
  // The object may be another's, and a deferred upload may still come; a direct one would have been refused.
  const mayStillCome = !seen.present || record.route === 'deferred';
  const delayMs = postLateMs[state.looks];
  if (mayStillCome && delayMs !== undefined) {
    const again = { state: { ...noted, looks: state.looks + 1 }, delayMs, isBehind: true };
    return seen.present ? { ...again, row } : again;
  }
  return { state: ended, row };
};

function releaseOf(state: 'failed' | 'unknown', detail: string) {
  return { kind: 'release', state, history: { action: 'uploadFailed', detail } } as const;
}

/**
 * Goes back to the state in which a direct upload sends and a deferred one starts: at once, unless it was paused
 * meanwhile.
 */
function waitAgain(context: StepContext, change: { mayBeThere: boolean }): Next {
  const { route } = context.record;
  const work = { ...workOf(context, 'upload'), ...change };
  const name: StateOf<'sending' | 'waiting'>['name'] = route === 'direct' ? 'sending' : 'waiting';
  return { state: { name }, change: { work }, keepsClaim: true, delayMs: 0 };
}
