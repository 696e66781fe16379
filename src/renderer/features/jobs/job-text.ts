import { jobStateWord as stateWord } from '../../i18n/job-words.ts';
import type { Job, JobGroup } from '../../../shared/domain/job.ts';
import type { AppError } from '../../../shared/errors.ts';
import { failureText, verifiedWord } from '../../i18n/ending-text.ts';
import { errorText } from '../../i18n/error-text.ts';
import {
  formatClock,
  formatCounted,
  formatDuration,
  formatProgress,
  formatRemaining,
  formatSize,
} from '../../i18n/format.ts';
import { lowerFirst, waitingText } from '../../i18n/waiting-text.ts';

export const groupWord: Readonly<Record<JobGroup, string>> = {
  closing: 'Window closing',
  needsYou: 'Needs you',
  running: 'Running',
  waiting: 'Waiting',
  done: 'Done',
};

export function jobName({ identifier, direction, state }: Job): string {
  return `${identifier}, deferred ${direction}, ${stateWord[state]}`;
}

/** Where it stands among those that wait, from 1 (null: not known), and whether everything or its service is paused. */
type Turn = { place: number | null; isHeld: boolean };

/** The one line under the identifier; it begins with the state word, or says when its turn is. */
export function jobLine(job: Job, nowMs: number, turn: Turn = { place: null, isHeld: false }): string {
  const word = stateWord[job.state];
  switch (job.state) {
    case 'waiting':
      return waitingText({ ...job, retryAtMs: job.nextCheckAtMs, ...turn }, nowMs);
    case 'sending':
      return job.direction === 'upload' ? `${word}${progress(job)}` : `${word} the request`;
    case 'unknown':
      return job.direction === 'upload'
        ? `${word} what the service really has`
        : `${word}, the answer to the start was lost`;
    case 'processing':
    case 'completed':
      return `${word}, ${nextWords(job, nowMs)}`;
    case 'fetching':
      return `${word}${progress(job)}`;
    case 'verifying':
      return `${word} the stored length`;
    case 'done':
      return doneLine(job);
    case 'lost':
    case 'failed':
      return word;
    case 'cancelled':
      return `${word}, the service may go on with it`;
  }
}

/** What comes next, or what keeps it from coming; short, since *Check now* stands beside it. */
function nextWords({ state, waitingFor, nextCheckAtMs }: Job, nowMs: number): string {
  if (waitingFor === 'network') return 'waits for the network';
  if (waitingFor === 'token') return 'waits for a new token';
  if (waitingFor === 'paused') return 'paused';
  if (state === 'completed') return 'its turn is next';
  if (nextCheckAtMs === null || nextCheckAtMs <= nowMs) return 'checking now';
  return `check in ${formatDuration(nextCheckAtMs - nowMs)}`;
}

function doneLine({ outcome, totalBytes, doneBytes, createdAtMs, finishedAtMs }: Job): string {
  const word = finishedAtMs === null ? 'Done' : `Done in ${formatDuration(finishedAtMs - createdAtMs)}`;
  const size = formatSize(totalBytes ?? doneBytes);
  switch (outcome?.kind) {
    case 'stored':
      return `${word}, ${size}, stored length agrees`;
    case 'saved':
      return `${word}, ${size}, ${verifiedWord[outcome.verifiedBy]}`;
    case 'skipped':
      return 'Done, skipped: it exists already';
    case undefined:
      return word;
  }
}

/** Direction, elapsed time and number of checks; or why it takes longer. Nothing of it is in the line. */
export function jobFacts(job: Job, nowMs: number): string {
  const { direction, createdAtMs, pastWindow, error, checks } = job;
  if (pastWindow) return `${pastText(job)}, ${checksDone(checks)}`;
  const how =
    error === null ? `${formatDuration(nowMs - createdAtMs)} so far` : lowerFirst(errorText(error).title);
  const facts = `${direction === 'upload' ? 'Upload' : 'Download'}, ${how}`;
  return checks === 0 ? facts : `${facts}, ${checksDone(checks)}`;
}

/** `Closes at 17:43, 131 checks`. */
export function closingFacts({ windowEndsAtMs, pastWindow, checks }: Job): string {
  if (windowEndsAtMs === null) return checksDone(checks);
  return `${pastWindow ? 'Ended' : 'Closes'} at ${formatClock(windowEndsAtMs)}, ${checksDone(checks)}`;
}

/** That it still answers is said only while it does. */
function pastText({ error, waitingFor }: Job): string {
  const isAnswering = error === null && waitingFor !== 'network' && waitingFor !== 'token';
  return isAnswering ? 'Past its window, still answering' : 'Past its window';
}

function checksDone(checks: number): string {
  return formatCounted(checks, 'check', 'checks');
}

export type Note = { strong: string; text: string };

/** A window that closes: how long there is, what Coffer does, what comes of it. */
export function closingNote(job: Job, nowMs: number): Note {
  const { direction, error, pastWindow, state, waitingFor } = job;
  const leftMs = (job.windowEndsAtMs ?? nowMs) - nowMs;
  const isDownload = direction === 'download';
  const left = `${formatRemaining(leftMs)} left to ${isDownload ? 'fetch' : 'hear the result'}.`;
  const now =
    state === 'fetching'
      ? 'Coffer fetches it now.'
      : waitingFor === 'network' || waitingFor === 'token'
        ? `Coffer ${nextWords(job, nowMs)}.`
        : error !== null
          ? [`${errorText(error).title}.`, errorText(error).next].filter(Boolean).join(' ')
          : state === 'completed'
            ? 'It is ready.'
            : `The service is still processing, ${nextWords(job, nowMs)}.`;
  const then = isDownload
    ? 'It is saved the moment it is ready.'
    : 'If it closes, Coffer looks what is really stored.';
  return {
    strong: pastWindow || leftMs <= 0 ? `${pastText(job)}.` : left,
    text: `${now} ${then}`,
  };
}

/** What needs the person: what happened, what is safe. */
export function needNote(job: Job): Note {
  const strong = `${stateWord[job.state]}.`;
  if (job.state === 'lost') return { strong, text: lostText(job) };
  if (job.state === 'failed') return { strong, text: failedText(job) };
  return { strong: '', text: jobLine(job, 0) };
}

function lostText({ direction, kind, error }: Job): string {
  const why =
    error === null ? 'Its window closed before the service could be asked.' : 'The service no longer has it.';
  if (direction === 'download') return `${why} The stored object is untouched.`;
  return kind === 'secret'
    ? `${why} Whether it was stored shows only when it is revealed.`
    : `${why} Coffer looks what is really stored.`;
}

/** Of a secret's start whose answer did not come, nothing tells what became of it; and nothing here can send it again. */
const unknownCodes: readonly AppError['code'][] = ['connectionLost', 'answerTimeout', 'serverError'];

function failedText({ error, direction, kind }: Job): string {
  if (error === null) return '';
  if (direction === 'upload' && error.code === 'exists') {
    const next = kind === 'data' ? 'Start again stores the file beside it.' : 'Store it under another one.';
    return `${errorText(error).title}. Nothing was replaced. ${next}`;
  }
  if (direction === 'download' || kind === 'data') return failureText(error, direction);
  if (error.code === 'cancelled')
    return 'It was interrupted before the service took it, and its value is kept nowhere. Store it again.';
  return unknownCodes.includes(error.code)
    ? `${errorText(error).title}. Whether it was stored shows only when it is revealed.`
    : failureText(error, direction);
}

function progress({ doneBytes, totalBytes }: Job): string {
  return totalBytes === null || totalBytes === 0 ? '' : `, ${formatProgress(doneBytes, totalBytes)}`;
}
