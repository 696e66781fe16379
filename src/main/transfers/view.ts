import type { Job, JobGroup, JobState } from '../../shared/domain/job.ts';
import type {
  Replacing,
  Transfer,
  TransferGroup,
  TransferState,
  WaitingFor,
} from '../../shared/domain/transfer.ts';
import type { AppError } from '../../shared/errors.ts';
import { leftMs } from '../clock.ts';
import { isAhead, leftMsOf, needOf, windowLeftMs, type Entry } from './entry.ts';
import { lateDeletionMs } from './late-outcomes.ts';
import { deferredOf, type Replace, type TransferRecord } from './record.ts';
import { groupOf } from './state-traits.ts';
import type { Moment } from './steady-time.ts';

/** Why what waits does not run, and until when; computed from what is so now. */
export interface Standstill {
  readonly waitingFor: WaitingFor | null;
  /** Wall clock, ms. */
  readonly untilMs: number | null;
  /** The service's trouble, when that is why. */
  readonly error: AppError | null;
}

type Source = {
  readonly record: TransferRecord;
  readonly entry: Entry | null;
  readonly standstill: Standstill;
  /** Wall clock. */
  readonly nowMs: number;
};

export { tabOf } from './tabs.ts';

/** What the window is shown of a direct transfer. */
export function describeTransfer({
  record,
  entry,
  standstill,
  nowMs,
}: Source): Transfer & { direction: 'upload' | 'download' } {
  const isHeld = isHeldUp(entry, standstill);
  // A Replace says how far it is all the same.
  const state = isHeld && record.state.name !== 'replacing' ? 'waiting' : transferStateOf(record, entry);
  const isWaiting = isHeld || state === 'waiting';
  return {
    ...shared(record, nowMs),
    state,
    waitingFor: isWaiting ? standstill.waitingFor : null,
    retryAtMs: isWaiting ? standstill.untilMs : null,
    doneBytes: state === 'done' ? (record.totalBytes ?? 0) : (entry?.doneBytes ?? 0),
    totalBytes: entry?.totalBytes ?? record.totalBytes,
    bytesPerSecond: entry?.pace?.bytesPerSecond ?? null,
    leftMs: entry ? leftMsOf(entry) : null,
    error: errorOf(record, standstill, isWaiting),
  };
}

/** What the window is shown of a deferred request. */
export function describeJob({ record, entry, standstill, nowMs }: Source, now: Moment): Job {
  const state = jobStateOf(record);
  const leftMs = windowLeftMs(record, now);
  const isIdle = entry?.run == null;
  const isHeld = isHeldUp(entry, standstill);
  const mayWait =
    isHeld || state === 'waiting' || (isIdle && deferredOf(record) !== null) || state === 'unknown';
  return {
    ...shared(record, nowMs),
    kind: record.kind,
    state,
    waitingFor:
      mayWait && (state === 'waiting' || standstill.waitingFor !== 'turn') ? standstill.waitingFor : null,
    createdAtMs: record.createdAtMs,
    windowEndsAtMs: leftMs === null ? null : now.wallMs + leftMs,
    pastWindow: leftMs !== null && leftMs <= 0,
    nextCheckAtMs:
      isHeld || (deferredOf(record) && isIdle && standstill.waitingFor !== 'token')
        ? standstill.untilMs
        : null,
    checks: deferredOf(record)?.checks ?? 0,
    doneBytes: state === 'done' ? (record.totalBytes ?? 0) : (entry?.doneBytes ?? 0),
    totalBytes: entry?.totalBytes ?? record.totalBytes,
    error: errorOf(record, standstill, mayWait),
  };
}

function shared(record: TransferRecord, nowMs: number) {
  const { id, profileId, identifier, objectId, priority, activityToken, finishedAtMs, state, direction } =
    record;
  return {
    id,
    profileId,
    direction: direction === 'upload' ? ('upload' as const) : ('download' as const),
    identifier,
    objectId,
    priority,
    activityToken,
    outcome: state.name === 'done' ? state.outcome : null,
    ...replacingOf(record, nowMs),
    finishedAtMs,
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

/** Nothing, when it replaces nothing, or has not come to that. */
function replacingOf({ work, nextAtMs }: TransferRecord, nowMs: number): { replacing?: Replacing } {
  if (work.kind !== 'upload' || !work.replace) return {};
  const { phase, isOut, mine, old, staged, beside } = work.replace;
  const replacing = {
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

function errorOf(
  { state, trouble }: TransferRecord,
  standstill: Standstill,
  isWaiting: boolean,
): AppError | null {
  if (
    state.name === 'failed' ||
    state.name === 'lost' ||
    (state.name === 'unsure' && state.goal !== 'goOn')
  ) {
    return state.error;
  }
  return isWaiting ? (standstill.error ?? trouble) : null;
}

export function transferStateOf({ state, direction }: TransferRecord, entry: Entry | null): TransferState {
  switch (state.name) {
    case 'waiting':
    case 'asking':
      return 'waiting';
    case 'sending':
    case 'receiving':
      // Begins when there is room again, or is paused.
      if (!entry?.run) return 'waiting';
      return entry.isVerifying ? 'verifying' : direction === 'upload' ? 'uploading' : 'downloading';
    case 'numbering':
      return entry?.run ? 'verifying' : 'waiting';
    case 'unsure':
      if (state.goal === 'cancel') return 'cancelled';
      if (state.goal === 'fail') return 'failed';
      // What is really there is asked when the service can be.
      return entry?.run ? 'verifying' : 'waiting';
    case 'processing':
      return 'processing';
    case 'completed':
      return 'downloading';
    case 'verifying':
    case 'publishing':
    case 'deleting':
      return 'verifying';
    case 'replacing':
      return entry?.run && !entry.isVerifying && needOf(entry) === 'settle' ? 'uploading' : 'verifying';
    case 'done':
    case 'cancelled':
    case 'failed':
      return state.name;
    case 'lost':
      return 'failed';
  }
}

function jobStateOf({ state }: TransferRecord): JobState {
  switch (state.name) {
    case 'waiting':
    case 'asking':
    case 'numbering':
      return 'waiting';
    case 'unsure':
      if (state.goal === 'cancel') return 'cancelled';
      return state.goal === 'fail' ? 'failed' : 'unknown';
    case 'receiving':
      return 'fetching';
    case 'publishing':
    case 'deleting':
    case 'replacing':
      return 'verifying';
    case 'sending':
    case 'verifying':
    case 'processing':
    case 'completed':
    case 'done':
    case 'failed':
    case 'lost':
    case 'cancelled':
      return state.name;
  }
}

/** What is beyond the sending of bytes, and its service, or trouble of its own, holds up. */
function isHeldUp(entry: Entry | null, { waitingFor }: Standstill): boolean {
  if (entry === null || entry.run !== null) return false;
  const { name } = entry.record.state;
  return (name === 'replacing' || name === 'verifying') && waitingFor !== null && waitingFor !== 'turn';
}

/** Where what is in work stands in the dock; what is fresh still waits. */
export function groupOfEntry(entry: Entry, standstill: Standstill): TransferGroup | JobGroup {
  const { record, run, isClosing } = entry;
  const { state, route } = record;
  if (isAhead(entry) || isHeldUp(entry, standstill)) return 'waiting';
  if (isClosing) return 'closing';
  if (state.name === 'unsure' && state.goal === 'cancel') return 'done';
  if (state.name === 'unsure' && state.goal === 'fail') return 'needsYou';
  switch (state.name) {
    case 'waiting':
      return route === 'deferred' ? 'running' : 'waiting';
    case 'numbering':
    case 'sending':
    case 'receiving':
    case 'unsure':
      if (route === 'direct' && run === null) return 'waiting';
      return route === 'direct' ? 'moving' : 'running';
    case 'asking':
    case 'failed':
    case 'lost':
      return 'needsYou';
    case 'done':
    case 'cancelled':
      return 'done';
    case 'verifying':
    case 'processing':
    case 'completed':
    case 'publishing':
    case 'deleting':
    case 'replacing':
      return route === 'direct' ? 'moving' : 'running';
  }
}

/** How a record that is not in work is counted. */
export function groupOfState(name: TransferRecord['state']['name']): 'needsYou' | 'waiting' | 'done' {
  const group = groupOf(name);
  return group === 'running' ? 'waiting' : group;
}
