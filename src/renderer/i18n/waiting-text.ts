import { messages } from '../../shared/i18n/messages.ts';
import { needsToken, troubleText } from './cause-text.ts';
import { midSentence } from './mid-sentence.ts';
import type { Batch } from '../../shared/domain/transfer-summary.ts';
import type { Priority, WaitingFor } from '../../shared/domain/transfer.ts';
import type { AppError } from '../../shared/errors.ts';
import { errorText } from '../../shared/i18n/error-text.ts';
import { formatDuration } from '../../shared/i18n/format.ts';

export type Waiting = {
  waitingFor: WaitingFor | null;
  priority: Priority;
  /** Wall clock, in ms. */
  retryAtMs: number | null;
  error: AppError | null;
  /** Position in the queue, from 1; null: unknown. */
  place: number | null;
  /** Everything, or its service, is paused: the pause bar already says so. */
  isHeld: boolean;
};

export const waitingTexts = messages('waiting', {
  waiting: 'Waiting',
  forTime: 'Waiting {duration}',
  for: 'Waiting, {trouble}',
  forTimeFor: 'Waiting {duration}, {trouble}',
  forNextTry: 'Waiting, {trouble}, next try in {duration}',
  token: 'Waiting for a new token',
  answer: 'Waiting for your answer. The identifier already exists, and nothing was replaced.',
  service: 'Waiting for the service',
  serviceNextTry: 'Waiting for the service, next try in {duration}',
  paused: 'Paused',
  whenIdle: 'When nothing else is waiting',
  turn: 'Waiting for its turn',
  place: '{place, selectordinal, one {#st in line} two {#nd in line} few {#rd in line} other {#th in line}}',
});

const texts = waitingTexts;

/** Why a transfer waits, or when its turn comes. */
export function waitingText(waiting: Waiting, nowMs: number): string {
  const { waitingFor, retryAtMs, error, isHeld } = waiting;
  // Nothing is tried while it is paused.
  const duration = retryAtMs === null || isHeld ? null : formatDuration(retryAtMs - nowMs);
  switch (waitingFor) {
    case 'token':
    case 'answer':
      return texts[waitingFor];
    case 'network': {
      if (!isInTheWay(error)) return duration === null ? texts.service : texts.serviceNextTry({ duration });
      const trouble = midSentence(errorText(error).title);
      return duration === null ? texts.for({ trouble }) : texts.forNextTry({ trouble, duration });
    }
    case 'retry': {
      const trouble = error === null ? null : midSentence(errorText(error).title);
      if (trouble === null) return duration === null ? texts.waiting : texts.forTime({ duration });
      return duration === null ? texts.for({ trouble }) : texts.forTimeFor({ duration, trouble });
    }
    case 'paused':
      return isHeld ? turnText(waiting) : texts.paused;
    case 'turn':
    case null:
      return turnText(waiting);
  }
}

/** Why nothing of a service runs, and when it is retried. */
export function heldUpText({ error, retryAtMs }: NonNullable<Batch['heldUp']>, nowMs: number): string {
  if (needsToken({ code: error.code, error })) return texts.token;
  const trouble = troubleText(error.code, error);
  const leftMs = retryAtMs === null ? 0 : retryAtMs - nowMs;
  return leftMs > 0
    ? texts.forTimeFor({ duration: formatDuration(leftMs), trouble })
    : texts.for({ trouble });
}

/** Whether the cause is on this side, such as a proxy; the service may be fine. */
function isInTheWay(error: AppError | null): error is AppError {
  return (
    error?.code === 'proxyFailed' ||
    error?.code === 'clientCertificateRefused' ||
    error?.code === 'badClientCertificate'
  );
}

function turnText({ priority, place }: Waiting): string {
  if (priority === 'whenIdle') return texts.whenIdle;
  return place === null ? texts.turn : texts.place({ place });
}
