import { jobTexts as texts } from '../../i18n/job-texts.ts';
import { midSentence } from '../../i18n/mid-sentence.ts';
import { jobStateWord } from '../../i18n/job-words.ts';
import type { Job } from '../../../shared/domain/job.ts';
import type { AppError } from '../../../shared/errors.ts';
import { failureText, verifiedWord } from '../../i18n/ending-text.ts';
import { errorText } from '../../../shared/i18n/error-text.ts';
import {
  formatClock,
  formatDuration,
  formatList,
  formatProgress,
  formatRemaining,
  formatSize,
} from '../../../shared/i18n/format.ts';
import { askingText, replacingLine, replaceTexts, whereText } from '../../i18n/replace-texts.ts';
import { sentText } from '../../i18n/sent-text.ts';
import { waitingText } from '../../i18n/waiting-text.ts';

export function jobName(job: Job): string {
  const { identifier, direction } = job;
  const state = isHeldUp(job) ? 'waiting' : job.state;
  return texts.name({ direction, identifier, state: jobStateWord({ ...job, state }) });
}

/** An upload that the service says is stored, and that cannot go on to its end just now. */
export function isHeldUp({ state, waitingFor }: Pick<Job, 'state' | 'waitingFor'>): boolean {
  return state === 'verifying' && waitingFor !== null;
}

/** Where it stands among those that wait, from 1 (null: not known), and whether everything or its service is paused. */
type Turn = { place: number | null; isHeld: boolean };

/** The one line under the identifier; it begins with the state word, or says when its turn is. */
export function jobLine(job: Job, nowMs: number, turn: Turn = { place: null, isHeld: false }): string {
  const state = jobStateWord(job);
  const waiting = { ...job, retryAtMs: job.nextCheckAtMs, ...turn };
  switch (job.state) {
    case 'waiting':
      return askingText(job) ?? waitingText(waiting, nowMs);
    case 'sending':
      return job.direction === 'upload' ? withProgress(job) : texts.line.sendingRequest;
    case 'unknown':
      return job.direction === 'upload' ? texts.line.checkingStored : texts.line.answerLost;
    case 'processing':
    case 'completed':
      return texts.line.next({ state, next: nextWords(job, nowMs) });
    case 'fetching':
      return withProgress(job);
    case 'verifying':
      if (job.replacing) return replacingLine(job.replacing, waiting, nowMs);
      return isHeldUp(job) ? waitingText(waiting, nowMs) : texts.line.storedLength;
    case 'done':
      return doneLine(job);
    case 'lost':
    case 'failed':
      return state;
    case 'cancelled':
      return texts.line.cancelled;
  }
}

/** What comes next, or what keeps it from coming; short, since *Check now* stands beside it. */
function nextWords({ state, waitingFor, nextCheckAtMs }: Job, nowMs: number): string {
  if (waitingFor === 'network' || waitingFor === 'token' || waitingFor === 'paused')
    return texts.next[waitingFor];
  if (state === 'completed') return texts.next.turn;
  if (nextCheckAtMs === null || nextCheckAtMs <= nowMs) return texts.next.checking;
  return texts.next.check({ duration: formatDuration(nextCheckAtMs - nowMs) });
}

function doneLine({ outcome, totalBytes, doneBytes, createdAtMs, finishedAtMs }: Job): string {
  const done =
    finishedAtMs === null
      ? texts.line.done
      : texts.line.doneIn({ duration: formatDuration(finishedAtMs - createdAtMs) });
  const size = formatSize(totalBytes ?? doneBytes);
  switch (outcome?.kind) {
    case 'stored':
      return outcome.replaced === undefined ? texts.line.stored({ done, size }) : replaceTexts.done({ size });
    case 'saved':
      return texts.line.saved({ done, size, verified: verifiedWord[outcome.verifiedBy] });
    case 'skipped':
      return outcome.isIdentical === true ? texts.line.sameBytes : texts.line.skipped;
    case undefined:
      return done;
  }
}

/** Direction, elapsed time and number of checks; or why it takes longer. Nothing of it is in the line. */
export function jobFacts(job: Job, nowMs: number): string {
  const { direction, createdAtMs, pastWindow, error, checks } = job;
  if (pastWindow) return formatList([pastText(job), checksDone(checks)]);
  const how =
    error === null
      ? texts.soFar({ duration: formatDuration(nowMs - createdAtMs) })
      : midSentence(errorText(error).title);
  return formatList([texts.facts[direction], how, checks > 0 && checksDone(checks)]);
}

/** `Closes at 17:43, 131 checks`. */
export function closingFacts({ windowEndsAtMs, pastWindow, checks }: Job): string {
  if (windowEndsAtMs === null) return checksDone(checks);
  const at = { time: formatClock(windowEndsAtMs) };
  return formatList([pastWindow ? texts.facts.endedAt(at) : texts.facts.closesAt(at), checksDone(checks)]);
}

/** That it still answers is said only while it does. */
function pastText({ error, waitingFor }: Job): string {
  const isAnswering = error === null && waitingFor !== 'network' && waitingFor !== 'token';
  return isAnswering ? texts.facts.pastAnswering : texts.facts.past;
}

function checksDone(checks: number): string {
  return texts.facts.checks({ count: checks });
}

export type Note = { strong: string; text: string };

/** A window that closes: how long there is, what Coffer does, what comes of it. */
export function closingNote(job: Job, nowMs: number): Note {
  const { direction, pastWindow } = job;
  const leftMs = (job.windowEndsAtMs ?? nowMs) - nowMs;
  const isDownload = direction === 'download';
  const left = { duration: formatRemaining(leftMs) };
  const then = isDownload ? texts.closing.thenSaved : texts.closing.thenChecked;
  return {
    strong:
      pastWindow || leftMs <= 0
        ? texts.closing.stop({ text: pastText(job) })
        : isDownload
          ? texts.closing.leftToFetch(left)
          : texts.closing.leftForResult(left),
    text: `${closingNow(job, nowMs)} ${then}`,
  };
}

function closingNow(job: Job, nowMs: number): string {
  const { state, waitingFor, error } = job;
  if (state === 'fetching') return texts.closing.fetching;
  if (waitingFor === 'network' || waitingFor === 'token') return texts.closing[waitingFor];
  if (error !== null) {
    const { title, next } = errorText(error);
    return [texts.closing.stop({ text: title }), next].filter((part) => part !== undefined).join(' ');
  }
  return state === 'completed'
    ? texts.closing.ready
    : texts.closing.processing({ next: nextWords(job, nowMs) });
}

/** What needs the person: what happened, what is safe. */
export function needNote(job: Job): Note {
  const strong = texts.closing.stop({ text: jobStateWord(job) });
  if (job.state === 'lost') return { strong, text: lostText(job) };
  if (job.state === 'failed') return { strong, text: failedText(job) };
  return { strong: '', text: jobLine(job, 0) };
}

function lostText({ direction, kind, error }: Job): string {
  const { lostUnasked, lostGone, untouched, revealToKnow, checked } = texts.need;
  const then = direction === 'download' ? untouched : kind === 'secret' ? revealToKnow : checked;
  return `${error === null ? lostUnasked : lostGone} ${then}`;
}

/** Of a secret's start whose answer did not come, nothing tells what became of it; and nothing here can send it again. */
const unknownCodes: readonly AppError['code'][] = ['connectionLost', 'answerTimeout', 'serverError'];

function failedText({ error, direction, kind, replacing }: Job): string {
  if (error === null) return '';
  const { title } = errorText(error);
  const where = whereText(replacing);
  if (where.length > 0) return [failureText(error, direction), ...where].join(' ');
  if (direction === 'upload' && error.code === 'exists')
    return (kind === 'data' ? texts.need.existsData : texts.need.existsSecret)({ title });
  if (direction === 'download' || kind === 'data') return failureText(error, direction);
  if (error.code === 'cancelled') return texts.need.secretInterrupted;
  return unknownCodes.includes(error.code)
    ? texts.need.secretUnknown({ title })
    : failureText(error, direction);
}

function withProgress(job: Job): string {
  const { state, doneBytes, totalBytes } = job;
  const sent = state === 'sending' ? sentText(job) : null;
  if (sent !== null) return sent;
  const word = jobStateWord(job);
  return totalBytes === null || totalBytes === 0
    ? word
    : texts.line.progress({ state: word, progress: formatProgress(doneBytes, totalBytes) });
}
