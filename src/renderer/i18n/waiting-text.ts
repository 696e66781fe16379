import { messages } from '../../shared/i18n/messages.ts';
import { midSentence } from './mid-sentence.ts';
import type { Transfer } from '../../shared/domain/transfer.ts';
import type { AppError } from '../../shared/errors.ts';
import { errorText } from '../../shared/i18n/error-text.ts';
import { formatDuration } from '../../shared/i18n/format.ts';

/** `place`: in the queue, from 1; null: unknown. */
export type Waiting = Pick<Transfer, 'waitingFor' | 'priority' | 'retryAtMs' | 'error'> & {
  place: number | null;
};

const texts = messages('waiting', {
  waiting: 'Waiting',
  forTime: 'Waiting {duration}',
  for: 'Waiting, {trouble}',
  forTimeFor: 'Waiting {duration}, {trouble}',
  token: 'Waiting for a new token',
  answer: 'Waiting for your answer. The identifier already exists, and nothing was replaced.',
  paused: 'Paused',
  whenIdle: 'When nothing else is waiting',
  turn: 'Waiting for its turn',
  place: '{place, selectordinal, one {#st in line} two {#nd in line} few {#rd in line} other {#th in line}}',
  offline: 'this computer is offline',
});

/** What a transfer waits for, or when its turn comes: the same words in rows, entries and the bottom line. */
export function waitingText(waiting: Waiting, nowMs: number): string {
  const { waitingFor, priority, place, error } = waiting;
  switch (waitingFor) {
    case 'token':
    case 'answer':
      return texts[waitingFor];
    case 'network':
    case 'retry': {
      if (error === null) return waitingWord(waiting, nowMs);
      const trouble = troubleText(error);
      const duration = durationOf(waiting, nowMs);
      return duration === null ? texts.for({ trouble }) : texts.forTimeFor({ duration, trouble });
    }
    case 'paused':
      return texts.paused;
    case 'turn':
    case null:
      if (priority === 'whenIdle') return texts.whenIdle;
      return place === null ? texts.turn : texts.place({ place });
  }
}

/** The beginning of it, for a narrow column: `Paused`, `Waiting 6 s`. */
export function waitingWord(waiting: Pick<Waiting, 'waitingFor' | 'retryAtMs'>, nowMs: number): string {
  if (waiting.waitingFor === 'paused') return texts.paused;
  const duration = durationOf(waiting, nowMs);
  return duration === null ? texts.waiting : texts.forTime({ duration });
}

/** What is wrong, in the middle of a sentence. */
export function troubleText(error: AppError): string {
  if (error.code === 'unreachable' && error.reason === 'offline') return texts.offline;
  return midSentence(errorText(error).title);
}

/** Until the next try; null: none by itself, or unknown. */
function durationOf(
  { waitingFor, retryAtMs }: Pick<Waiting, 'waitingFor' | 'retryAtMs'>,
  nowMs: number,
): string | null {
  const isTried = waitingFor === 'network' || waitingFor === 'retry';
  return isTried && retryAtMs !== null ? formatDuration(Math.max(retryAtMs - nowMs, 0)) : null;
}
