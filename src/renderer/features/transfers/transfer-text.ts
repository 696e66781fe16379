import { textOf } from '../../app/classification/options.ts';
import { commonTexts } from '../../i18n/common-texts.ts';
import { stateWord } from '../../i18n/state-word.ts';
import { transferTexts as texts } from '../../i18n/transfer-texts.ts';
import { isOpenable } from '../../../shared/domain/openable.ts';
import type { Transfer, WaitingFor } from '../../../shared/domain/transfer.ts';
import type { AppError } from '../../../shared/errors.ts';
import { failureText, verifiedWord } from '../../i18n/ending-text.ts';
import { errorText } from '../../../shared/i18n/error-text.ts';
import { formatDuration, formatProgress, formatSize, formatSpeed } from '../../../shared/i18n/format.ts';
import {
  askingText,
  replaceTexts,
  replacingLine,
  replacingText,
  whereText,
} from '../../i18n/replace-texts.ts';
import { waitingText } from '../../i18n/waiting-text.ts';
import type { IconName } from '../../ui/icons.tsx';
import { nextWords, type Note } from './window-text.ts';

/** For an upload that is completely sent but not answered yet; null: not completely sent, or unknown. */
function sentText(upload: { doneBytes: number; totalBytes: number | null }): string | null {
  const { doneBytes, totalBytes } = upload;
  return totalBytes !== null && totalBytes > 0 && doneBytes >= totalBytes ? texts.sent : null;
}

export function transferName(transfer: Transfer): string {
  const { identifier, direction, route, kind } = transfer;
  const state = stateWord(isHeldUp(transfer) ? 'waiting' : transfer.state, kind);
  return (route === 'direct' ? texts.name : texts.deferredName)({ direction, identifier, state });
}

/** Whether a Replace, or a comparison with what is stored, is delayed at the moment. */
export function isHeldUp({ state, waitingFor }: Pick<Transfer, 'state' | 'waitingFor'>): boolean {
  return (state === 'uploading' || state === 'verifying') && waitingFor !== null;
}

/** For direct transfers. */
export function transferIcon({ state, direction, waitingFor, outcome, replacing }: Transfer): {
  icon: IconName;
  tone: string;
} {
  const way = direction === 'upload' ? 'up' : 'dn';
  switch (state) {
    case 'uploading':
    case 'downloading':
    case 'unsure':
    case 'processing':
    case 'ready':
    case 'verifying':
      if (waitingFor === null && replacing?.againAtMs != null) return { icon: 'check', tone: 'idle' };
      if (waitingFor === null) return { icon: way, tone: 'moving' };
      return { icon: waitingIcon(waitingFor), tone: 'wait' };
    case 'waiting':
      // Waiting for its turn is normal.
      if (waitingFor === 'turn' || waitingFor === null) return { icon: way, tone: 'idle' };
      return { icon: waitingIcon(waitingFor), tone: 'wait' };
    case 'done':
      return { icon: 'check', tone: isProven(outcome) ? 'ok' : 'idle' };
    case 'lost':
    case 'failed':
      return { icon: 'fail', tone: 'bad' };
    case 'cancelled':
      return { icon: 'x', tone: 'idle' };
  }
}

function waitingIcon(waitingFor: WaitingFor): IconName {
  if (waitingFor === 'retry') return 'clock';
  return waitingFor === 'network' ? 'away' : 'pause';
}

/** Green requires a verified length or digest, which a skipped transfer does not have. */
function isProven(outcome: Transfer['outcome']): boolean {
  return outcome?.kind === 'stored' || (outcome?.kind === 'saved' && outcome.verifiedBy !== 'end');
}

/**
 * The line under the identifier: begins with the state, or gives its place in the queue.
 * @param place from 1; null: unknown
 */
export function transferLine(transfer: Transfer, nowMs: number, place: number | null): string {
  const { state, direction, route, kind, replacing } = transfer;
  const waiting = { ...transfer, place };
  switch (state) {
    case 'waiting':
      return askingText(transfer) ?? waitingText(waiting, nowMs);
    case 'uploading':
    case 'downloading':
      return replacing ? replacingLine(replacing, waiting, nowMs) : progressLine(transfer);
    case 'unsure':
      return texts.line.unsure;
    case 'processing':
    case 'ready':
      return texts.line.progress({
        state: stateWord(state, kind),
        progress: nextWords(transfer, nowMs),
      });
    case 'verifying':
      if (replacing) return replacingLine(replacing, waiting, nowMs);
      if (isHeldUp(transfer)) return waitingText(waiting, nowMs);
      return direction === 'upload' ? texts.line.verifyingUpload : texts.line.verifyingDownload;
    case 'done':
      return doneLine(transfer);
    case 'lost':
    case 'failed': {
      const { strong, text } = needNote(transfer);
      return `${strong} ${text}`.trim();
    }
    case 'cancelled':
      if (route === 'deferred') return texts.line.cancelledDeferred;
      return direction === 'upload' ? texts.line.cancelledUpload : texts.line.cancelledDownload;
  }
}

/** A longer tooltip for the line; null: the line itself. */
export function transferTitle({ replacing, waitingFor }: Transfer, nowMs: number): string | null {
  return replacing && waitingFor === null ? replacingText(replacing, nowMs) : null;
}

function progressLine(transfer: Transfer): string {
  const { state, kind, route, doneBytes, totalBytes } = transfer;
  const word = stateWord(state, kind);
  const sent = state === 'uploading' ? sentText(transfer) : null;
  if (sent !== null) return sent;
  if (route === 'deferred' && (totalBytes === null || totalBytes === 0)) return word;
  const progress = totalBytes === null ? formatSize(doneBytes) : formatProgress(doneBytes, totalBytes);
  // The arrow and the bar say the rest.
  if (route === 'direct') return [progress, ...paceFacts(transfer)].join(' · ');
  return texts.line.progress({ state: word, progress });
}

/** Speed and time left, as far as they are known. */
function paceFacts({ bytesPerSecond, leftMs }: Transfer): string[] {
  return [
    ...(bytesPerSecond === null ? [] : [formatSpeed(bytesPerSecond)]),
    ...(leftMs === null || leftMs <= 0 ? [] : [commonTexts.timeLeft({ duration: formatDuration(leftMs) })]),
  ];
}

function doneLine({ route, outcome, totalBytes, doneBytes, createdAtMs, finishedAtMs }: Transfer): string {
  const size = formatSize(totalBytes ?? doneBytes);
  const done =
    route === 'direct' || finishedAtMs === null
      ? texts.state.done
      : texts.line.doneIn({ duration: formatDuration(finishedAtMs - createdAtMs) });
  switch (outcome?.kind) {
    case 'stored':
      if (outcome.classification !== undefined)
        return replaceTexts.reclassify.done({ classification: textOf(outcome.classification) });
      if (outcome.movedFrom !== undefined) return texts.line.moved({ size, identifier: outcome.movedFrom });
      if (outcome.replaced === undefined) return texts.line.stored({ done, size });
      return outcome.replaced.beside === null
        ? replaceTexts.done({ size })
        : replaceTexts.doneBeside({ size, identifier: outcome.replaced.beside });
    case 'saved': {
      const verified = verifiedWord[outcome.verifiedBy];
      if (outcome.copyFor === 'open' && !isOpenable(outcome.fileName)) return texts.line.shown({ verified });
      if (outcome.copyFor !== undefined) return texts.line.copied[outcome.copyFor]({ verified });
      return route === 'direct'
        ? texts.line.saved({ size, verified })
        : texts.line.savedDeferred({ done, size, verified });
    }
    case 'skipped':
      return outcome.isIdentical === true ? texts.line.sameBytes : texts.line.skipped;
    case undefined:
      return done;
  }
}

/** For a failed transfer or a lost result: what happened, what is safe. */
export function needNote(transfer: Transfer): Note {
  const { state, kind } = transfer;
  const text = state === 'lost' ? lostText(transfer) : failedText(transfer);
  return { strong: texts.closing.stop({ text: stateWord(state, kind) }), text };
}

function lostText({ direction, kind, error }: Transfer): string {
  const { lostUnasked, lostGone, untouched, revealToKnow, checked } = texts.need;
  const then = direction === 'download' ? untouched : kind === 'secret' ? revealToKnow : checked;
  return `${error === null ? lostUnasked : lostGone} ${then}`;
}

/** Errors after which it is unknown whether a secret was stored; it cannot be sent again from here. */
const unknownCodes: readonly AppError['code'][] = ['connectionLost', 'answerTimeout', 'serverError'];

function failedText({ error, route, direction, kind, replacing }: Transfer): string {
  if (error === null) return '';
  const { title } = errorText(error);
  const where = whereText(replacing);
  if (route === 'deferred' && direction === 'upload' && where.length === 0) {
    if (error.code === 'exists')
      return (kind === 'data' ? texts.need.existsData : texts.need.existsSecret)({ title });
    if (kind === 'secret' && error.code === 'cancelled') return texts.need.secretInterrupted;
    if (kind === 'secret' && unknownCodes.includes(error.code)) return texts.need.secretUnknown({ title });
  }
  return [failureText(error, direction), ...where].join(' ');
}
