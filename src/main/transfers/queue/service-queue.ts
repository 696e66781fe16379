import { needOf, type ActiveTransfer, type Need } from '../model/active-transfer.ts';
import { deferredOf } from '../model/record.ts';
import type { QueueKind } from '../model/store-types.ts';

/** Waiting records of one kind, some of them prefetched. */
interface Ahead {
  /** In starting order. */
  entries: ActiveTransfer[];
  /** The database may have more. */
  mayHaveMore: boolean;
  /** The database may have more of priority `whenIdle`. */
  mayHaveIdle: boolean;
  claiming: Promise<void> | null;
}

/** All active transfers of one service, and what comes next. */
export interface ServiceQueue {
  readonly serviceId: string;
  readonly ahead: Record<QueueKind, Ahead>;
  /** Active, but neither running nor prefetched. */
  readonly parked: Set<ActiveTransfer>;
  /** With the need each was started for. */
  readonly running: Map<ActiveTransfer, Need>;
  /** Which of starts and polls of deferred requests went last, and how many in a row. */
  lastTurns: { readonly need: 'start' | 'request'; readonly count: number };
  /** Consecutive requests for secrets, without another deferred request in between. */
  secretTurns: number;
  /** A lookup of deletions that may go now is scheduled. */
  checksForDeletions: boolean;
}

export const claimQueues: readonly QueueKind[] = ['delete', 'start', 'small', 'large'];

export function newServiceQueue(serviceId: string): ServiceQueue {
  const ahead = (): Ahead => ({ entries: [], mayHaveMore: true, mayHaveIdle: true, claiming: null });
  return {
    serviceId,
    ahead: { large: ahead(), small: ahead(), start: ahead(), delete: ahead() },
    parked: new Set(),
    running: new Map(),
    lastTurns: { need: 'request', count: 0 },
    secretTurns: 0,
    checksForDeletions: false,
  };
}

/** Takes a record out of those that wait for their turn. */
export function leaveAhead({ ahead }: ServiceQueue, entry: ActiveTransfer): void {
  for (const name of claimQueues) {
    const index = ahead[name].entries.indexOf(entry);
    if (index >= 0) ahead[name].entries.splice(index, 1);
  }
}

/** Records overdue by more than this count as likely to be complete, so that none is starved. */
const longestOverdueMs = 240_000;
/** Longest run of starts before a poll, of polls before a start, and of secrets before everything else. */
const maxTurns = 3;
/** Head start of records whose window closes soon: enough to go before most others, without starving them. */
const closingAheadMs = 60_000;
/** Open deferred requests: more could hardly each be polled every five minutes. */
const maxOpen = 4000;

export interface Room {
  /** Whether a slot is free for another file. */
  fits(need: 'large' | 'small' | 'fetch'): boolean;
  /** No deferred start and no transfer may begin. */
  readonly isPaused: boolean;
  /** Requests started before this are likely to be complete. Steady count of `Moment`. */
  readonly likelyBeforeMs: number;
}

export interface Candidate {
  readonly entry: ActiveTransfer;
  /** When it may start; monotonic clock, ms. */
  readonly atMs: number;
}

/** The next record of a service that may send another request, due now or later. Secrets go first, because the user waits for each. */
export function pick(queue: ServiceQueue, room: Room, nowMs: number): Candidate | null {
  const secret = nextSecret(queue);
  if (secret && secret.atMs <= nowMs && queue.secretTurns < maxTurns) return secret;
  const other = pickInOrder(queue, room, nowMs);
  if (secret === null || other === null) return secret ?? other;
  return other.atMs <= nowMs || other.atMs < secret.atMs ? other : secret;
}

/** Each step of a secret takes one request and no transfer slot. */
function nextSecret(queue: ServiceQueue): Candidate | null {
  const isSecret = ({ record }: ActiveTransfer) => record.kind === 'secret';
  const waiting = [...queue.ahead.start.entries, ...queue.parked];
  return at(firstOf(waiting, isSecret, (a, b) => a.dueMs < b.dueMs));
}

/** Fetches of results first, then records in work, then new ones. */
function pickInOrder(queue: ServiceQueue, room: Room, nowMs: number): Candidate | null {
  let later: Candidate | null = null;
  const isDue = (candidate: Candidate | null): candidate is Candidate => {
    if (candidate && candidate.atMs > nowMs && (later === null || candidate.atMs < later.atMs))
      later = candidate;
    return candidate !== null && candidate.atMs <= nowMs;
  };

  const isPolled = ({ record }: ActiveTransfer) => record.route === 'deferred';
  const isLikely = ({ record, dueMs, isClosing }: ActiveTransfer) => {
    if (dueMs > nowMs) return false;
    const { steadyMs } = deferredOf(record)?.startedAt ?? { steadyMs: Infinity };
    return steadyMs <= room.likelyBeforeMs || isClosing || dueMs <= nowMs - longestOverdueMs;
  };
  const isBefore = isBeforeIn(nowMs, isLikely);
  const first = (need: Need, matches: (entry: ActiveTransfer) => boolean = () => true) =>
    firstOf(queue.parked, (entry) => needOf(entry) === need && matches(entry), isBefore);

  const fetch = room.fits('fetch') ? first('fetch') : null;
  // A fetch that failed before waits its turn: a full disk must not starve the other records.
  const urgent = fetch?.record.tries === 0 ? at(fetch) : null;
  if (isDue(urgent)) return urgent;
  const request = at(first('request', (entry) => !isPolled(entry)));
  if (isDue(request)) return request;
  const settling = at(room.fits('fetch') ? first('resolve') : null);
  if (isDue(settling)) return settling;

  const poll = at(first('request', isPolled));
  const start = at(nextStart(queue, room));
  const isBoth = poll && start && poll.atMs <= nowMs && start.atMs <= nowMs;
  const other = isBoth ? (isPollsTurn(queue, isLikely(poll.entry)) ? poll : start) : earlier(poll, start);
  if (isDue(other)) return other;
  const again = urgent ? null : at(fetch);
  if (isDue(again)) return again;

  const refused = at(first('delete'));
  if (isDue(refused)) return refused;
  const [deletion] = queue.ahead.delete.entries;
  if (deletion) return at(deletion);
  const file = nextFile(queue, room);
  return file ? at(file) : later;
}

/** The first file in order, small or large, for which a slot is free. */
function nextFile(queue: ServiceQueue, room: Room): ActiveTransfer | null {
  if (room.isPaused) return null;
  const small = room.fits('small') ? (parkedFor(queue, 'small') ?? queue.ahead.small.entries[0]) : undefined;
  const large = room.fits('large') ? (parkedFor(queue, 'large') ?? queue.ahead.large.entries[0]) : undefined;
  if (!small || !large) return small ?? large ?? null;
  return isOrderedBefore(large, small) ? large : small;
}

/** A parked record that starts over goes before prefetched ones. */
function parkedFor(queue: ServiceQueue, need: 'small' | 'large' | 'start'): ActiveTransfer | null {
  for (const entry of queue.parked) if (needOf(entry) === need) return entry;
  return null;
}

const rank = { now: 0, normal: 1, whenIdle: 2 };

function isOrderedBefore({ record: a }: ActiveTransfer, { record: b }: ActiveTransfer): boolean {
  return rank[a.priority] - rank[b.priority] < 0 || (a.priority === b.priority && a.orderKey < b.orderKey);
}

function nextStart(queue: ServiceQueue, room: Room): ActiveTransfer | null {
  const entry = parkedFor(queue, 'start') ?? queue.ahead.start.entries[0];
  if (!entry) return null;
  // The user waits for a secret.
  if (entry.record.kind === 'secret') return entry;
  if (room.isPaused || queue.parked.size >= maxOpen) return null;
  return entry.record.direction === 'download' || room.fits('fetch') ? entry : null;
}

/** Whether a poll goes before a start: polls that are likely to find completion do, others do not, and neither is starved. */
function isPollsTurn({ lastTurns: { need, count } }: ServiceQueue, isLikely: boolean): boolean {
  const preferred = isLikely ? 'request' : 'start';
  return (need === preferred && count >= maxTurns) !== isLikely;
}

function firstOf(
  entries: Iterable<ActiveTransfer>,
  matches: (entry: ActiveTransfer) => boolean,
  isBefore: (a: ActiveTransfer, b: ActiveTransfer) => boolean,
): ActiveTransfer | null {
  let best: ActiveTransfer | null = null;
  for (const entry of entries) {
    if (matches(entry) && (best === null || isBefore(entry, best))) best = entry;
  }
  return best;
}

/** Due entries first; among them those likely to be complete, then those whose window ends first. */
function isBeforeIn(nowMs: number, isLikely: (entry: ActiveTransfer) => boolean) {
  const turnOf = ({ dueMs, isClosing }: ActiveTransfer) =>
    isClosing && dueMs <= nowMs ? dueMs - closingAheadMs : dueMs;
  return (a: ActiveTransfer, b: ActiveTransfer): boolean => {
    // Fetches that have not failed yet first.
    if (needOf(a) === 'fetch' && (a.record.tries === 0) !== (b.record.tries === 0))
      return a.record.tries === 0;
    const [likelyA, likelyB] = [isLikely(a), isLikely(b)];
    if (likelyA !== likelyB) return likelyA;
    const [turnA, turnB] = [turnOf(a), turnOf(b)];
    return turnA === turnB ? a.record.id < b.record.id : turnA < turnB;
  };
}

function at<T extends ActiveTransfer | null>(
  entry: T,
): T extends ActiveTransfer ? Candidate : Candidate | null;
function at(entry: ActiveTransfer | null): Candidate | null {
  return entry && { entry, atMs: entry.dueMs };
}

function earlier(a: Candidate | null, b: Candidate | null): Candidate | null {
  return a && b ? (b.entry.dueMs < a.entry.dueMs ? b : a) : (a ?? b);
}
