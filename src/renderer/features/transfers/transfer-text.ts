import type { Direction, Transfer, TransferGroup, TransferState } from '../../../shared/domain/transfer.ts';
import { failureText, verifiedWord } from '../../i18n/ending-text.ts';
import { formatProgress, formatSize } from '../../i18n/format.ts';
import { waitingText } from '../../i18n/waiting-text.ts';
import type { IconName } from '../../ui/icons.tsx';

export const stateWord: Readonly<Record<TransferState, string>> = {
  waiting: 'Waiting',
  uploading: 'Uploading',
  downloading: 'Downloading',
  processing: 'Processing',
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

export function transferIcon(
  { state, direction, waitingFor, outcome }: Transfer,
  isHeld: boolean,
): {
  icon: IconName;
  look: string;
} {
  const way = direction === 'upload' ? 'up' : 'dn';
  switch (state) {
    case 'uploading':
    case 'downloading':
    case 'processing':
    case 'verifying':
      return { icon: way, look: 'moving' };
    case 'waiting':
      // That others go first is as it should be.
      if (waitingFor === 'turn' || waitingFor === null || (waitingFor === 'paused' && isHeld))
        return { icon: way, look: 'idle' };
      return {
        icon:
          waitingFor === 'retry' || waitingFor === 'deletion'
            ? 'clock'
            : waitingFor === 'network'
              ? 'away'
              : 'pause',
        look: 'wait',
      };
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

/** Where it stands among those that wait, from 1 (null: not known), and whether everything or its service is paused. */
type Turn = { place: number | null; isHeld: boolean };

/** The one line under the identifier; it begins with the state word, or says when its turn is. */
export function transferLine(transfer: Transfer, nowMs: number, turn: Turn): string {
  const word = stateWord[transfer.state];
  switch (transfer.state) {
    case 'uploading':
    case 'downloading':
      return transfer.totalBytes === null
        ? `${word}, ${formatSize(transfer.doneBytes)}`
        : `${word}, ${formatProgress(transfer.doneBytes, transfer.totalBytes)}`;
    case 'processing':
      return `${word} by the service`;
    case 'verifying':
      return transfer.direction === 'upload' ? `${word} the stored length` : `${word} what was saved`;
    case 'waiting':
      return waitingText({ ...transfer, ...turn }, nowMs);
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
