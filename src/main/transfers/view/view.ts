import type { Replacing, Transfer, TransferState, WaitingFor } from '../../../shared/domain/transfer.ts';
import type { TransferGroup } from '../../../shared/domain/transfer-summary.ts';
import type { AppError } from '../../../shared/errors.ts';
import { leftMs } from '../../clock.ts';
import { type ActiveTransfer, isAhead, leftMsOf, needOf, windowLeftMs } from '../model/active-transfer.ts';
import { lateDeletionMs, maxDelayMs } from '../model/failure-policy.ts';
import { deferredOf, type TransferRecord } from '../model/record.ts';
import type { Replace } from '../model/replace.ts';
import { groupOf, type StateName, traitsOf } from '../model/state.ts';
import type { Moment } from '../model/dual-clock.ts';
import type { Context } from '../run/context.ts';
import type { Pauses } from '../queue/pauses.ts';

/** Why a waiting transfer does not run, and until when; computed from the present conditions. */
export interface WaitingReason {
  readonly waitingFor: WaitingFor | null;
  /** Wall clock, ms. */
  readonly untilMs: number | null;
  /** The service's error, if that is why. */
  readonly error: AppError | null;
}

interface Source {
  readonly record: TransferRecord;
  readonly entry: ActiveTransfer | null;
  readonly waitingReason: WaitingReason;
  readonly now: Moment;
}

/** What the window shows of a direct transfer or a deferred request. */
export function describeTransfer({ record, entry, waitingReason, now }: Source): Transfer {
  const { id, serviceId, kind, route, identifier, objectId, priority, createdAtMs, activityToken } = record;
  const { direction, finishedAtMs } = record;
  const isHeld = isHeldUp(entry, waitingReason);
  // A Replace shows its progress even if it is held up.
  const state = isHeld && record.state.name !== 'replacing' ? 'waiting' : shownStateOf(record, entry);
  const isWaiting = isHeld || state === 'waiting';
  const mayWait = isWaiting || state === 'unsure' || (entry?.run == null && deferredOf(record) !== null);
  const { waitingFor } = waitingReason;
  return {
    id,
    serviceId,
    kind,
    route,
    direction: direction === 'upload' ? 'upload' : 'download',
    identifier,
    objectId,
    state,
    waitingFor: mayWait && (state === 'waiting' || waitingFor !== 'turn') ? waitingFor : null,
    priority,
    createdAtMs,
    retryAtMs: isWaiting || state === 'unsure' ? waitingReason.untilMs : null,
    window: windowOf(record, entry, waitingReason, now),
    doneBytes: state === 'done' ? (record.totalBytes ?? 0) : (entry?.doneBytes ?? 0),
    totalBytes: entry?.totalBytes ?? record.totalBytes,
    bytesPerSecond: entry?.pace?.bytesPerSecond ?? null,
    leftMs: entry ? leftMsOf(entry) : null,
    error: errorOf(record, waitingReason, mayWait),
    activityToken,
    outcome: record.state.name === 'done' ? record.state.outcome : null,
    ...replacingOf(record, now.wallMs),
    ...movingOf(record),
    finishedAtMs,
    ...(record.batch !== undefined && { batch: record.batch }),
  };
}

function windowOf(
  record: TransferRecord,
  entry: ActiveTransfer | null,
  { waitingFor, untilMs }: WaitingReason,
  now: Moment,
): Transfer['window'] {
  const deferred = deferredOf(record);
  const leftMs = windowLeftMs(record, now);
  if (deferred === null || leftMs === null) return null;
  return {
    endsAtMs: now.wallMs + leftMs,
    isPast: leftMs <= 0,
    checks: deferred.checks,
    nextCheckAtMs: entry?.run == null && waitingFor !== 'token' ? untilMs : null,
  };
}

const replaceSteps: Record<Replace['phase'], Replacing['step']> = {
  begin: 'wait',
  keepNew: 'keepNew',
  keepOld: 'keepOld',
  keepList: 'keepOld',
  stage: 'stage',
  delete: 'delete',
  absent: 'delete',
  store: 'store',
  verify: 'check',
  again: 'check',
  unstage: 'finish',
  abandon: 'takeBack',
  answered: 'wait',
};

/** Empty if it is not a Replace, or has not reached that step. */
function replacingOf({ work, nextAtMs }: TransferRecord, nowMs: number): { replacing?: Replacing } {
  if (work.kind !== 'upload' || !work.replace) return {};
  const { phase, isOut, mine, old, staged, beside } = work.replace;
  const replacing = {
    isReclassification: work.reclassifies === true,
    step: replaceSteps[phase],
    isOut,
    oldIsHere: old !== null && old.file !== null,
    newIsHere: mine !== null && mine.file !== null,
    oldBeside: beside,
    newBeside: staged,
    againAtMs: phase === 'again' ? nextAtMs && nowMs + leftMs(nextAtMs, nowMs, lateDeletionMs) : null,
  };
  return { replacing };
}

function movingOf({ work }: TransferRecord): Pick<Transfer, 'moving'> {
  if (work.kind !== 'upload' || !work.moves) return {};
  return { moving: work.moves.isRename === true ? 'rename' : 'move' };
}

function errorOf(
  { state, trouble }: TransferRecord,
  waitingReason: WaitingReason,
  isWaiting: boolean,
): AppError | null {
  if (
    state.name === 'failed' ||
    state.name === 'lost' ||
    (state.name === 'unsure' && state.goal !== 'goOn' && state.goal !== 'refused')
  ) {
    return state.error;
  }
  return isWaiting ? (waitingReason.error ?? trouble) : null;
}

/** What the window shows of a state: by its traits, and by these exceptions. Without an entry it is not in work, and waits. */
export function shownStateOf({ state, route }: TransferRecord, entry: ActiveTransfer | null): TransferState {
  if (state.name === 'unsure' && state.goal === 'cancel') return 'cancelled';
  if (state.name === 'unsure' && state.goal === 'fail') return 'failed';
  const { shown, shownDeferred = shown, shownIdle = shown } = traitsOf(state);
  if (route === 'deferred') return shownDeferred;
  if (entry === null && groupOf(state.name) === 'running') return 'waiting';
  if (!entry?.run) return shownIdle;
  if (state.name === 'replacing')
    return !entry.isVerifying && needOf(entry) === 'resolve' ? 'uploading' : 'verifying';
  const movesBytes = state.name === 'sending' || state.name === 'receiving';
  return movesBytes && entry.isVerifying ? 'verifying' : shown;
}

/** The bytes were sent, but the service or an error of its own holds it up. */
function isHeldUp(entry: ActiveTransfer | null, { waitingFor }: WaitingReason): boolean {
  if (entry === null || entry.run !== null) return false;
  const { name } = entry.record.state;
  return (name === 'replacing' || name === 'verifying') && waitingFor !== null && waitingFor !== 'turn';
}

/** The group of an active transfer in the dock; fresh ones still wait. */
export function groupOfEntry(entry: ActiveTransfer, waitingReason: WaitingReason): TransferGroup {
  const { record, isClosing } = entry;
  if (isAhead(entry) || isHeldUp(entry, waitingReason)) return 'waiting';
  if (isClosing) return 'closing';
  const state = shownStateOf(record, entry);
  if (state === 'cancelled') return 'done';
  if (state === 'failed') return 'needsYou';
  const group = groupOf(record.state.name);
  if (group === 'needsYou' || group === 'done') return group;
  return record.route === 'direct' && state === 'waiting' ? 'waiting' : 'moving';
}

/** The group in which a record that is not in work is counted. */
export function groupOfState(name: StateName): 'needsYou' | 'waiting' | 'done' {
  const group = groupOf(name);
  return group === 'running' ? 'waiting' : group;
}

/** Why it does not run. Computed, never stored: conditions of the service come before the record's own. */
export function waitingReasonOf(
  { breakers, clock }: Pick<Context, 'breakers' | 'clock'>,
  pauses: Pauses,
  record: TransferRecord,
  entry: ActiveTransfer | null,
): WaitingReason {
  const { waitingFor } = traitsOf(record.state);
  if (waitingFor) return { waitingFor, untilMs: null, error: null };
  const breaker = breakers.of(record.serviceId);
  const state = breaker.state();
  if (state === 'refused') return { waitingFor: 'token', untilMs: null, error: breaker.trouble() };
  const isNew = record.state.name === 'waiting' || entry === null || isAhead(entry);
  if (isNew && (record.isPaused || pauses.isPaused(record.serviceId)) && record.kind === 'data')
    return { waitingFor: 'paused', untilMs: null, error: null };
  const heldUntilMs = breaker.heldUntilMs();
  if (heldUntilMs !== null && heldUntilMs > clock.nowMs()) {
    return {
      waitingFor: state === 'unreachable' ? 'network' : 'retry',
      untilMs: heldUntilMs,
      error: breaker.trouble(),
    };
  }
  const nowMs = clock.nowMs();
  const ownMs = entry
    ? nowMs + Math.max(entry.dueMs - clock.monotonicMs(), 0)
    : record.nextAtMs && nowMs + leftMs(record.nextAtMs, nowMs, maxDelayMs);
  if (record.trouble && ownMs !== null && ownMs > nowMs) {
    return { waitingFor: 'retry', untilMs: ownMs, error: record.trouble };
  }
  return { waitingFor: 'turn', untilMs: deferredOf(record) ? ownMs : null, error: null };
}
