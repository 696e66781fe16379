import { transferTexts as texts } from '../../i18n/transfer-texts.ts';
import type { Transfer, WaitingFor } from '../../../shared/domain/transfer.ts';
import { failureText, verifiedWord } from '../../i18n/ending-text.ts';
import { formatProgress, formatSize } from '../../../shared/i18n/format.ts';
import { askingText, replacingLine, replaceTexts, whereText } from '../../i18n/replace-texts.ts';
import { sentText } from '../../i18n/sent-text.ts';
import { waitingText } from '../../i18n/waiting-text.ts';
import type { IconName } from '../../ui/icons.tsx';

export function transferName({ identifier, direction, state, waitingFor }: Transfer): string {
  const word = texts.state[waitingFor === null ? state : 'waiting'];
  return texts.name({ direction, identifier, state: word });
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
      if (waitingFor === null) return { icon: way, look: 'moving' };
      return { icon: waitingIcon(waitingFor), look: 'wait' };
    case 'waiting':
      // That others go first is as it should be.
      if (waitingFor === 'turn' || waitingFor === null || (waitingFor === 'paused' && isHeld))
        return { icon: way, look: 'idle' };
      return { icon: waitingIcon(waitingFor), look: 'wait' };
    case 'done':
      return { icon: 'check', look: isProven(outcome) ? 'ok' : 'idle' };
    case 'failed':
      return { icon: 'fail', look: 'bad' };
    case 'cancelled':
      return { icon: 'x', look: 'idle' };
  }
}

function waitingIcon(waitingFor: WaitingFor): IconName {
  if (waitingFor === 'retry' || waitingFor === 'deletion') return 'clock';
  return waitingFor === 'network' ? 'away' : 'pause';
}

/** Green is earned by an agreeing length or digest: not by skipping, nor by an answer that just ended. */
function isProven(outcome: Transfer['outcome']): boolean {
  return outcome?.kind === 'stored' || (outcome?.kind === 'saved' && outcome.verifiedBy !== 'end');
}

/** Where it stands among those that wait, from 1 (null: not known), and whether everything or its service is paused. */
type Turn = { place: number | null; isHeld: boolean };

/** The one line under the identifier; it begins with the state word, or says when its turn is. */
export function transferLine(transfer: Transfer, nowMs: number, turn: Turn): string {
  const { direction, doneBytes, totalBytes, error } = transfer;
  const state = texts.state[transfer.state];
  const { replacing } = transfer;
  switch (transfer.state) {
    case 'uploading':
    case 'downloading': {
      if (replacing) return replacingLine(replacing, { ...transfer, ...turn }, nowMs);
      const sent = direction === 'upload' ? sentText(transfer) : null;
      if (sent !== null) return sent;
      const progress = totalBytes === null ? formatSize(doneBytes) : formatProgress(doneBytes, totalBytes);
      return texts.line.progress({ state, progress });
    }
    case 'processing':
      return texts.line.processing;
    case 'verifying':
      if (replacing) return replacingLine(replacing, { ...transfer, ...turn }, nowMs);
      return direction === 'upload' ? texts.line.verifyingUpload : texts.line.verifyingDownload;
    case 'waiting':
      return askingText(transfer) ?? waitingText({ ...transfer, ...turn }, nowMs);
    case 'done':
      return doneLine(transfer);
    case 'failed':
      if (error === null) return state;
      return [
        texts.line.failed({ state, text: failureText(error, direction) }),
        ...whereText(replacing),
      ].join(' ');
    case 'cancelled':
      return direction === 'upload' ? texts.line.cancelledUpload : texts.line.cancelledDownload;
  }
}

function doneLine({ outcome, totalBytes, doneBytes }: Transfer): string {
  const size = formatSize(totalBytes ?? doneBytes);
  switch (outcome?.kind) {
    case 'stored':
      if (outcome.replaced === undefined) return texts.line.stored({ size });
      return outcome.replaced.beside === null
        ? replaceTexts.done({ size })
        : replaceTexts.doneBeside({ size, identifier: outcome.replaced.beside });
    case 'saved':
      if (outcome.copyFor !== undefined) {
        const verified = verifiedWord[outcome.verifiedBy];
        return texts.line.copied[outcome.copyFor]({ verified });
      }
      return texts.line.saved({ size, verified: verifiedWord[outcome.verifiedBy] });
    case 'skipped':
      return outcome.isIdentical === true ? texts.line.sameBytes : texts.line.skipped;
    case undefined:
      return texts.state.done;
  }
}
