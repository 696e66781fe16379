import { objectTexts } from '../../../i18n/object-texts.ts';
import { replacingText, replaceTexts } from '../../../i18n/replace-texts.ts';
import { stateWord } from '../../../i18n/state-word.ts';
import { waitingText, waitingWord } from '../../../i18n/waiting-text.ts';
import type { ObjectRow } from '../../../../shared/contract.ts';
import { needsAnswer, type RowEdit } from '../../../../shared/domain/edit.ts';
import { isUnverified } from '../../../../shared/domain/unverified.ts';
import type { IconName } from '../../../ui/icons.tsx';
import { formatPercent } from '../../../../shared/i18n/format.ts';

/**
 * Always includes a word, and an icon or a bar: colour is never the only signal. `whole`: a longer text, where there is
 * room.
 */
export type RowState = { word: string; whole?: string } & (
  | { tone: 'stored' | 'bad' | 'wait' | 'idle' | 'editing'; icon: IconName }
  /** `fraction` null: progress is unknown. */
  | { tone: 'moving'; fraction: number | null; icon?: IconName }
);

type Bytes = { doneBytes: number; totalBytes: number | null };

/** The state of a row: of its running transfer, else of the object. @param progress newer than the row */
export function rowState(row: ObjectRow, nowMs: number, progress?: Bytes): RowState {
  const { state, transfer, edit } = row;
  if (row.heldDeletion !== undefined) return objectState('deleting');
  if (edit !== undefined && edit.state !== 'opening') return editState(row, edit, progress);
  // Its last look runs behind: the list has the new object already.
  if (transfer?.replacing?.againAtMs != null && state === 'stored') return objectState(state);
  if (transfer?.replacing && (transfer.state === 'uploading' || transfer.state === 'verifying')) {
    if (transfer.waitingFor !== null) return waitingState(transfer, nowMs);
    const fraction = transfer.state === 'uploading' ? fractionOf(progress ?? transfer) : null;
    const whole = replacingText(transfer.replacing, nowMs);
    const { word } = transfer.replacing.isReclassification ? replaceTexts.reclassify : replaceTexts;
    return { tone: 'moving', word, fraction, whole };
  }
  if (transfer?.moving) return movingState(transfer, nowMs, progress);
  switch (transfer?.state) {
    case 'uploading':
    case 'downloading':
    case 'ready':
      return { tone: 'moving', word: stateWord(transfer.state), fraction: fractionOf(progress ?? transfer) };
    case 'unsure':
    case 'processing':
    case 'verifying':
      return { tone: 'moving', word: stateWord(transfer.state), fraction: null };
    case 'waiting':
      return waitingState(transfer, nowMs);
    case 'done':
    case 'lost':
    case 'failed':
    case 'cancelled':
    case undefined:
      return progress !== undefined && state === 'uploading'
        ? { tone: 'moving', word: stateWord('uploading'), fraction: fractionOf(progress) }
        : ofObject(row);
  }
}

/** On its way to this identifier: as the person named it, and not stored there before it is verified. */
function movingState(
  transfer: NonNullable<ObjectRow['transfer']>,
  nowMs: number,
  progress?: Bytes,
): RowState {
  const { state, waitingFor, moving = 'move' } = transfer;
  const word = objectTexts.moving[moving];
  if (state !== 'waiting') {
    const fraction = state === 'uploading' ? fractionOf(progress ?? transfer) : null;
    return { tone: 'moving', word, fraction };
  }
  if (waitingFor === 'turn') return { tone: 'idle', word, icon: 'clock' };
  if (waitingFor === 'network') return { tone: 'wait', word: objectTexts.movingAway[moving], icon: 'clock' };
  return waitingState(transfer, nowMs);
}

/** A moved object is gone from this identifier, but not lost. */
function ofObject({ state, movedTo }: ObjectRow): RowState {
  if (movedTo === undefined) return objectState(state);
  return { tone: 'idle', word: objectTexts.movedTo({ identifier: movedTo }), icon: 'folder' };
}

/** The state of a row that is being edited; an upload of a save shows as a bar. */
function editState({ transfer }: ObjectRow, edit: RowEdit, progress?: Bytes): RowState {
  if (needsAnswer(edit)) return { tone: 'wait', word: objectTexts.needsYou, icon: 'warn' };
  const word = objectTexts.editing;
  if (transfer?.state === 'uploading' || (edit.state === 'uploading' && progress !== undefined)) {
    const bytes = progress ?? transfer;
    return { tone: 'moving', word, fraction: bytes ? fractionOf(bytes) : null, icon: 'pencil' };
  }
  return { tone: 'editing', word, icon: 'pencil' };
}

function fractionOf({ doneBytes, totalBytes }: Bytes): number | null {
  return totalBytes === null || totalBytes === 0 ? null : Math.min(1, doneBytes / totalBytes);
}

function waitingState(transfer: NonNullable<ObjectRow['transfer']>, nowMs: number): RowState {
  const { waitingFor } = transfer;
  if (waitingFor === 'answer') return { tone: 'wait', word: objectTexts.needsYou, icon: 'warn' };
  const word = waitingWord(transfer, nowMs);
  const whole = waitingText({ ...transfer, place: null }, nowMs);
  // Waiting for its turn is normal.
  if (waitingFor === 'turn') return { tone: 'idle', word, icon: 'clock', whole };
  const icon = waitingFor === 'token' || waitingFor === 'paused' ? 'pause' : 'clock';
  return { tone: 'wait', word, icon, whole };
}

/** Whether its state counts down seconds. */
export function countsSeconds(row: ObjectRow | undefined): boolean {
  const transfer = row?.transfer ?? null;
  return transfer !== null && (transfer.retryAtMs !== null || transfer.replacing !== undefined);
}

export function objectState(state: ObjectRow['state']): RowState {
  const word = objectTexts.state[state];
  switch (state) {
    case 'stored':
      return { tone: 'stored', word, icon: 'check' };
    case 'uploading':
      return { tone: 'moving', word, fraction: null };
    case 'unknown':
      return { tone: 'idle', word, icon: 'unknown' };
    case 'missing':
      return { tone: 'bad', word, icon: 'missing' };
    case 'deleting':
      return { tone: 'idle', word, icon: 'trash' };
    case 'gone':
      return { tone: 'idle', word, icon: 'gone' };
    case 'failed':
      return { tone: 'bad', word, icon: 'fail' };
  }
}

/** Whether it is as it should be: stored, and seen there by this computer. The list says nothing about its state. */
export function isInOrder(row: ObjectRow, nowMs: number): boolean {
  return rowState(row, nowMs).tone === 'stored' && !isUnverified(row, 'presence');
}

/** How long an object counts as new after it was stored, in ms. */
const newMs = 60_000;

export function isNew({ storedAtMs }: Pick<ObjectRow, 'storedAtMs'>, nowMs: number): boolean {
  // The time is the service's, whose clock may be ahead.
  return storedAtMs !== null && Math.abs(nowMs - storedAtMs) < newMs;
}

/** The state with its percentage, for the row's accessible name. */
export function rowStateText(state: RowState): string {
  const word = state.whole ?? state.word;
  return state.tone !== 'moving' || state.fraction === null
    ? word
    : objectTexts.stateProgress({ state: word, percent: formatPercent(state.fraction) });
}

/** Whether the row can be removed without contacting the service, because nothing is known to be stored there. */
export function canForget({ kind, state, transfer }: ObjectRow): boolean {
  const isOver = state === 'gone' || state === 'missing' || state === 'failed';
  return transfer === null && (isOver || (kind === 'secret' && state === 'unknown'));
}

/** Whether the service has something that can be opened. */
export function canOpen({ kind, state }: ObjectRow): boolean {
  return kind === 'data' && (state === 'stored' || state === 'unknown');
}
