import { transferTexts as texts } from '../../i18n/transfer-texts.ts';
import { troubleText } from '../../i18n/waiting-text.ts';
import type { Transfer } from '../../../shared/domain/transfer.ts';
import { errorText } from '../../../shared/i18n/error-text.ts';
import { formatClock, formatDuration, formatList, formatRemaining } from '../../../shared/i18n/format.ts';

/** What happens next, or what delays it. Short, because *Check now* is beside it. */
export function nextWords({ state, waitingFor, window, error }: Transfer, nowMs: number): string {
  const nextCheckAtMs = window?.nextCheckAtMs ?? null;
  if (waitingFor === 'network' && error !== null) return troubleText(error);
  if (waitingFor === 'token' || waitingFor === 'paused') return texts.next[waitingFor];
  if (state === 'ready') return texts.next.turn;
  if (nextCheckAtMs === null || nextCheckAtMs <= nowMs) return texts.next.checking;
  return texts.next.check({ duration: formatDuration(nextCheckAtMs - nowMs) });
}

/** Direction, elapsed time and number of checks, or why it takes longer: details that the line does not show. */
export function deferredFacts(transfer: Transfer, nowMs: number): string {
  const { direction, createdAtMs, window, error, waitingFor } = transfer;
  const checks = window === null ? 0 : window.checks;
  if (window?.isPast === true) return formatList([pastText(transfer), texts.facts.checks({ count: checks })]);
  // The line above says already that the service can’t be reached.
  const how =
    error === null || waitingFor === 'network'
      ? texts.soFar({ duration: formatDuration(nowMs - createdAtMs) })
      : troubleText(error);
  return formatList([texts.facts[direction], how, checks > 0 && texts.facts.checks({ count: checks })]);
}

/** `Closes at 17:43, 131 checks`. */
export function closingFacts({ window }: Transfer): string {
  if (window === null) return '';
  const at = { time: formatClock(window.endsAtMs) };
  return formatList([
    window.isPast ? texts.facts.endedAt(at) : texts.facts.closesAt(at),
    texts.facts.checks({ count: window.checks }),
  ]);
}

/** Only while the service still answers. */
function pastText({ error, waitingFor }: Transfer): string {
  const isAnswering = error === null && waitingFor !== 'network' && waitingFor !== 'token';
  return isAnswering ? texts.facts.pastAnswering : texts.facts.past;
}

/** `strong` comes first, in bold. */
export type Note = { strong: string; text: string };

/** A window about to close: the remaining time, what Coffer does, and the consequences. */
export function closingNote(transfer: Transfer, nowMs: number): Note {
  const { direction, window } = transfer;
  const leftMs = (window?.endsAtMs ?? nowMs) - nowMs;
  const isDownload = direction === 'download';
  const left = { duration: formatRemaining(leftMs) };
  const then = isDownload ? texts.closing.thenSaved : texts.closing.thenChecked;
  return {
    strong:
      window?.isPast === true || leftMs <= 0
        ? texts.closing.stop({ text: pastText(transfer) })
        : isDownload
          ? texts.closing.leftToFetch(left)
          : texts.closing.leftForResult(left),
    text: `${closingNow(transfer, nowMs)} ${then}`,
  };
}

function closingNow(transfer: Transfer, nowMs: number): string {
  const { state, waitingFor, error } = transfer;
  if (state === 'downloading') return texts.closing.fetching;
  if (waitingFor === 'token') return texts.closing.token;
  if (error !== null) {
    const { title, next } = errorText(error);
    return [texts.closing.stop({ text: title }), next].filter((part) => part !== undefined).join(' ');
  }
  return state === 'ready'
    ? texts.closing.ready
    : texts.closing.processing({ next: nextWords(transfer, nowMs) });
}
