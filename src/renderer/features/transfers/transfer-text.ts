import type { Direction, Transfer, TransferGroup, TransferState } from '../../../shared/domain/transfer.ts';
import { failureText, verifiedWord } from '../../i18n/ending-text.ts';
import { errorText } from '../../i18n/error-text.ts';
import { formatDuration, formatProgress, formatSize } from '../../i18n/format.ts';
import type { IconName } from '../../ui/icons.tsx';

export const stateWord: Readonly<Record<TransferState, string>> = {
  waiting: 'Waiting',
  uploading: 'Uploading',
  downloading: 'Downloading',
  verifying: 'Verifying',
  done: 'Done',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

export const directionWord: Readonly<Record<Direction, string>> = { upload: 'upload', download: 'download' };

export const groupWord: Readonly<Record<TransferGroup, string>> = {
  needsYou: 'Needs you',
  moving: 'Moving',
  waiting: 'Waiting',
  done: 'Done',
};

export function transferName({ identifier, direction, state }: Transfer): string {
  return `${identifier}, ${directionWord[direction]}, ${stateWord[state]}`;
}

export function transferIcon({ state, direction, waitingFor, outcome }: Transfer): {
  icon: IconName;
  look: string;
} {
  switch (state) {
    case 'uploading':
    case 'downloading':
    case 'verifying':
      return { icon: direction === 'upload' ? 'up' : 'dn', look: 'moving' };
    case 'waiting':
      return waitingFor === 'token' || waitingFor === 'answer'
        ? { icon: 'pause', look: 'wait' }
        : { icon: 'clock', look: waitingFor === 'retry' ? 'wait' : 'idle' };
    case 'done':
      return { icon: 'check', look: isProven(outcome) ? 'ok' : 'idle' };
    case 'failed':
      return { icon: 'fail', look: 'bad' };
    case 'cancelled':
      return { icon: 'x', look: 'idle' };
  }
}

/** Green is earned by an agreeing length or digest: not by skipping, nor by an answer that just ended. */
function isProven(outcome: Transfer['outcome']): boolean {
  return outcome?.kind === 'stored' || (outcome?.kind === 'saved' && outcome.verifiedBy !== 'end');
}

/** The one line under the identifier; it begins with the state word. */
export function transferLine(transfer: Transfer, nowMs: number): string {
  const word = stateWord[transfer.state];
  switch (transfer.state) {
    case 'uploading':
    case 'downloading':
      return transfer.totalBytes === null
        ? `${word}, ${formatSize(transfer.doneBytes)}`
        : `${word}, ${formatProgress(transfer.doneBytes, transfer.totalBytes)}`;
    case 'verifying':
      return transfer.direction === 'upload' ? `${word} the stored length` : `${word} what was saved`;
    case 'waiting':
      return waitingLine(transfer, nowMs);
    case 'done':
      return doneLine(transfer);
    case 'failed':
      return transfer.error === null ? word : `${word}. ${failureText(transfer.error, transfer.direction)}`;
    case 'cancelled':
      return transfer.direction === 'upload'
        ? `${word}, your file is untouched`
        : `${word}, nothing was saved`;
  }
}

function waitingLine({ waitingFor, retryAtMs, error }: Transfer, nowMs: number): string {
  switch (waitingFor) {
    case 'token':
      return 'Waiting for a new token';
    case 'answer':
      return 'Waiting for your answer. The identifier exists already, and nothing was replaced.';
    case 'retry': {
      const left = retryAtMs === null ? '' : ` ${formatDuration(retryAtMs - nowMs)}`;
      return error === null ? `Waiting${left}` : `Waiting${left}, ${lowerFirst(errorText(error).title)}`;
    }
    case 'turn':
    case null:
      return 'Waiting for its turn';
  }
}

function doneLine({ outcome, totalBytes, doneBytes }: Transfer): string {
  const size = formatSize(totalBytes ?? doneBytes);
  switch (outcome?.kind) {
    case 'stored':
      return `Done, ${size}, stored length agrees`;
    case 'saved':
      return `Done, ${size} saved, ${verifiedWord[outcome.verifiedBy]}`;
    case 'skipped':
      return 'Done, skipped: it exists already';
    case undefined:
      return 'Done';
  }
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
