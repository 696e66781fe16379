import type { Cause, CurrentLimit, Paused, Priority } from '../../shared/domain/transfer.ts';
import { errorLine, errorText } from './error-text.ts';
import {
  formatCount,
  formatCounted,
  formatDuration,
  formatOrdinal,
  formatRate,
  formatUntil,
} from './format.ts';
import { lowerFirst } from './waiting-text.ts';

/** What the lists of transfers and jobs have in common. */
export const dockTexts = {
  pauseAll: 'Pause all',
  resumeAll: 'Resume all',
  cancelAll: 'Cancel all',
  clear: 'Clear',
  clearName: (group: string) => `Clear ${group === 'done' ? 'done' : 'failed'}`,
  tryAgain: 'Try again',
  more: 'More actions',
  isSelected: 'Selected',
  selected: (count: number) => (count === 0 ? 'Nothing selected' : `${formatCount(count)} selected`),
  tooMany: (most: number) =>
    `At most ${formatCount(most)} can be selected. Pause all and Cancel all take any number.`,
  verifying: (count: number) => `${formatCount(count)} verifying`,
  finished: (count: number) => `${formatCount(count)} finished`,
  moved: (what: string, place: number, of: number) =>
    `${what}: ${formatOrdinal(place)} of ${formatCount(of)} that wait`,
  firstOfPriority: (what: string, priority: Priority) => `${what}: first of ${priorityWord[priority]}`,
  lastOfPriority: (what: string, priority: Priority) => `${what}: last of ${priorityWord[priority]}`,
  pause: {
    all: 'Everything is paused',
    finishing: (count: number) =>
      `${formatCount(count)} had begun and ${count === 1 ? 'is' : 'are'} finished first.`,
    waiting: 'What is added waits too.',
    byHour: (untilMs: number | null) =>
      untilMs === null ? 'Paused by the hour' : `Paused until ${formatUntil(untilMs)}`,
    byHourText: 'The hours in Settings say so.',
    hours: 'Change hours…',
    service: (name: string) => `${name} is paused`,
    services: (count: number) => `${formatCounted(count, 'service is', 'services are')} paused`,
    resume: 'Resume',
    resumeService: (name: string) => `Resume ${name}`,
    resumeServices: 'Resume all services',
    stopNow: 'Stop now',
    stopNowHint: 'What has begun stops too, and goes from its beginning later.',
  },
  menu: {
    /** Of one alone there is no count. */
    some: (count: number, of: number) =>
      count === of ? formatCount(count) : `${formatCount(count)} of ${formatCount(of)}`,
    pause: (some: string | null) => (some === null ? 'Pause' : `Pause ${some}`),
    pauseBegun: 'It has begun and is finished first',
    pausedBegun: (identifiers: readonly string[]) =>
      identifiers.length === 1
        ? `${identifiers[0] ?? ''}: it has begun and is finished first`
        : `${formatCount(identifiers.length)} have begun and are finished first`,
    resume: (some: string | null) => (some === null ? 'Resume' : `Resume ${some}`),
    resumeHeld: 'Everything is paused',
    top: (some: string | null) => (some === null ? 'Move to top' : `Move ${some} to top`),
    tryAgain: (some: string | null) => (some === null ? 'Try again' : `Try ${some} again`),
    up: 'Move up',
    down: 'Move down',
    priority: (some: string | null) => (some === null ? 'Priority' : `Priority, ${some}`),
    chosen: 'Chosen',
    cancel: (some: string | null) => (some === null ? 'Cancel' : `Cancel ${some}`),
  },
  cause: {
    tryNow: 'Try now',
    tryAgain: 'Try again',
    cancel: (count: number) => `Cancel ${formatCount(count)}`,
    unfold: 'Show each',
    fold: 'Fold',
    rest: (count: number) => `Show ${formatCount(count)} more`,
    list: (name: string) => `Each of: ${name}`,
  },
  service: {
    pause: 'Pause transfers',
    resume: 'Resume transfers',
  },
};

export const priorityWord: Readonly<Record<Priority, string>> = {
  now: 'Now',
  normal: 'Normal',
  whenIdle: 'When idle',
};

/** What follows the count: `wait: the service is away`, `are not at the service`. */
export function causeText({ group, code, count, error }: Cause): string {
  const isOne = count === 1;
  if (group === 'waiting') return `${isOne ? 'waits' : 'wait'}: ${troubleText(code, error)}`;
  if (code === 'missing') return `${isOne ? 'is' : 'are'} not at the service`;
  return error === null ? 'failed' : `failed: ${lowerFirst(errorText(error).title)}`;
}

function troubleText(code: string, error: Cause['error']): string {
  if (error?.code === 'unreachable' && error.reason === 'offline') return 'this computer has no network';
  const known = troubles[code];
  if (known !== undefined) return known;
  return error === null ? 'something is in the way' : lowerFirst(errorText(error).title);
}

const troubles: Readonly<Record<string, string>> = {
  unreachable: 'the service is away',
  connectionLost: 'the service is away',
  answerTimeout: 'the service is away',
  serverError: 'the service has a fault',
  tooManyRequests: 'the service asked to slow down',
  tokenRefused: 'the access token is refused',
  tokenMissing: 'there is no access token',
};

/** Nothing helps but another token. */
export function needsToken({ code, error }: Cause): boolean {
  return error === null || code === 'tokenRefused' || code === 'tokenMissing';
}

/** The second line, after the name of the service: what comes next. */
export function causeFacts(cause: Cause, nowMs: number): string {
  const { group, retryAtMs } = cause;
  if (group === 'needsYou') return '';
  if (needsToken(cause)) return ', goes on with a new token';
  if (retryAtMs === null) return '';
  return retryAtMs <= nowMs ? ', trying now' : `, next try in ${formatDuration(retryAtMs - nowMs)}`;
}

/** Of one of them, whole, for who looks closer: what happened, and what helps. */
export function causeHint({ error }: Cause): string | undefined {
  return error === null ? undefined : errorLine(error);
}

/** `At most 5 MB/s up, 10 MB/s down until 18:00`, `No limit until 18:00`, `No limit`. */
export function limitText(limit: CurrentLimit | null): string {
  const { uploadBytesPerSecond: up = null, downloadBytesPerSecond: down = null } = limit ?? {};
  const until = limit === null || limit.untilMs === null ? '' : ` until ${formatUntil(limit.untilMs)}`;
  if (up === null && down === null) return `No limit${until}`;
  if (up === down && up !== null) return `At most ${formatRate(up)}${until}`;
  const ways = [up !== null && `${formatRate(up)} up`, down !== null && `${formatRate(down)} down`].filter(
    (way) => way !== false,
  );
  return `At most ${ways.join(', ')}${until}`;
}

export function isLimited(limit: CurrentLimit | null): boolean {
  return limit !== null && (limit.uploadBytesPerSecond !== null || limit.downloadBytesPerSecond !== null);
}

/** At the bottom, shortly; null: nothing is paused. @param names of the services that are paused; @param finishing what had begun of what is paused */
export function pausedText(
  { all, byHour }: Paused,
  names: readonly string[],
  untilMs: number | null,
  finishing: number,
): string | null {
  const first = finishing > 0 ? `, ${formatCounted(finishing, 'finishes', 'finish')} first` : '';
  if (all) return `Paused${first}`;
  if (byHour) return `Paused${untilMs === null ? '' : ` until ${formatUntil(untilMs)}`}${first}`;
  const [name] = names;
  if (name === undefined) return null;
  return names.length === 1
    ? `${name} paused${first}`
    : `${formatCount(names.length)} services paused${first}`;
}
