import type { Priority, WaitingFor } from '../../shared/domain/transfer.ts';
import type { AppError } from '../../shared/errors.ts';
import { errorText } from './error-text.ts';
import { formatDuration, formatOrdinal } from './format.ts';

type Waiting = {
  waitingFor: WaitingFor | null;
  priority: Priority;
  /** Wall clock, ms. */
  retryAtMs: number | null;
  error: AppError | null;
  /** Its place among those that wait, from 1; null: not known. */
  place: number | null;
  /** Everything is paused, or its service: the bar says so already. */
  isHeld: boolean;
};

/** Why something waits, or when its turn is. */
export function waitingText(waiting: Waiting, nowMs: number): string {
  const { waitingFor, retryAtMs, error, isHeld } = waiting;
  switch (waitingFor) {
    case 'token':
      return 'Waiting for a new token';
    case 'answer':
      return 'Waiting for your answer. The identifier exists already, and nothing was replaced.';
    case 'deletion':
      return 'Waiting until the object of this identifier is deleted';
    case 'network': {
      const next = retryAtMs === null ? '' : `, next try in ${formatDuration(retryAtMs - nowMs)}`;
      return `Waiting${isInTheWay(error) ? `, ${lowerFirst(errorText(error).title)}` : ' for the service to be back'}${next}`;
    }
    case 'retry': {
      const left = retryAtMs === null ? '' : ` ${formatDuration(retryAtMs - nowMs)}`;
      return error === null ? `Waiting${left}` : `Waiting${left}, ${lowerFirst(errorText(error).title)}`;
    }
    case 'paused':
      return isHeld ? turnText(waiting) : 'Paused';
    case 'turn':
    case null:
      return turnText(waiting);
  }
}

/** Something is to be set otherwise; the service may be well. */
function isInTheWay(error: AppError | null): error is AppError {
  return (
    error?.code === 'proxyFailed' ||
    error?.code === 'clientCertificateRefused' ||
    error?.code === 'badClientCertificate'
  );
}

function turnText({ priority, place }: Waiting): string {
  if (priority === 'whenIdle') return 'When nothing else waits';
  if (place === null) return 'Waiting for its turn';
  return `${formatOrdinal(place)} in the queue`;
}

export function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
