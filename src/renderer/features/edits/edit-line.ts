import type { Edit } from '../../../shared/domain/edit.ts';
import { formatTime } from '../../../shared/i18n/format.ts';
import { editTexts as texts } from './edit-texts.ts';

/** The status of an edit that needs no attention, in one line. */
export function editLine(
  edit: Pick<Edit, 'state' | 'startedAtMs' | 'savedAtMs' | 'waitingFor' | 'isFinishing'>,
): string {
  const { state, startedAtMs, savedAtMs, waitingFor, isFinishing } = edit;
  const { line } = texts;
  const waiting = waitingWord(waitingFor);
  if (state === 'opening') return waiting === null ? line.opening : line.openingWaits({ waiting });
  const time = savedAtMs === null ? null : formatTime(savedAtMs);
  const isOut = state === 'uploading' || state === 'saved';
  if (time !== null && isOut) {
    const word = waiting ?? (state === 'uploading' ? texts.state.uploading : texts.state.soon);
    return isFinishing ? line.finishingSaved({ time, state: word }) : line.saved({ time, state: word });
  }
  if (isFinishing) return line.finishing;
  return time === null ? line.untouched({ time: formatTime(startedAtMs) }) : line.stored({ time });
}

function waitingWord(waitingFor: Edit['waitingFor']): string | null {
  switch (waitingFor) {
    case 'network':
    case 'retry':
      return texts.state.network;
    case 'token':
      return texts.state.token;
    case 'paused':
      return texts.state.paused;
    case 'turn':
      return texts.state.waiting;
    case 'answer':
    case null:
      return null;
  }
}

/** Why it needs attention, for a one-line list; null: its upload shows why. */
export function needLine({ state, mine }: Pick<Edit, 'state' | 'mine'>): string | null {
  if (state === 'changed' || state === 'deleted') return texts.short[state];
  if (state !== 'failed') return null;
  return mine === null ? texts.short.failedOpening : texts.short.failed;
}
