import type { Job } from '../../shared/domain/job.ts';
import type { Clock } from '../ports.ts';
import type { Pacer } from '../transfers/pacing.ts';
import { isFollowed, isOpen, type Entry } from './entry.ts';
import { createSpacing, type Spacing } from './spacing.ts';

/** What is done next about a job. A look is a HEAD or a check. */
type Kind = 'start' | 'look' | 'fetch';

/** All jobs of a profile: whose turn it is, within the profile's budget of requests. */
export interface Lane {
  readonly profileId: string;
  readonly spacing: Spacing;
  /** Nothing is sent until there is a new token. */
  isRefused: boolean;
  isUnreachable: boolean;
  /** Times in a row that everything had to hold back. */
  troubles: number;
  /** Counts new tokens, so that the refusal of an old one does not stop what a new one has started. */
  resumed: number;
  /** Resolves when another request may be sent. */
  readonly slot: (signal: AbortSignal) => Promise<void>;
}

export interface Lanes {
  /** Before this, nothing is done about any job. */
  readonly begin: () => void;
  readonly of: (profileId: string) => Lane;
  /** Takes a job in, or out, as its state says. */
  readonly place: (entry: Entry) => void;
  readonly drop: (entry: Entry) => void;
  /** Somebody's time may have come. */
  readonly wake: (profileId: string) => void;
  /** Everything of the profile is due, the most endangered first. */
  readonly hurry: (profileId: string) => void;
  readonly describe: (entry: Entry) => { waitingFor: Job['waitingFor']; nextCheckAtMs: number | null };
  readonly profiles: () => Iterable<string>;
  /** `closing` must be aborted. */
  readonly ended: () => Promise<unknown>;
}

interface Member extends Lane {
  /** Not started, in the order of their turn. */
  readonly waiting: Set<Entry>;
  /** Started: to be looked at or fetched. */
  readonly started: Set<Entry>;
  readonly busy: Record<Kind, number>;
  /** Of the clock that never goes back: when the budget allows the next request. */
  nextSlotMs: number;
  startedLast: boolean;
  alarm: AbortController;
  loop: Promise<void>;
}

/** A fetch does not wait for the budget, which pays afterwards: but no more than this ahead. */
const mostDebtMs = 1000;
/** So that each is looked at every five minutes at the least, there are never more open at once. */
const openPerRequest = 300;
const mostLooks = 8;
/** What closes soon goes before what has been due for less than this: before most, and in nobody's way for good. */
const closingAheadMs = 60_000;
/** The loop looks around this often, should a clock have jumped. */
const longestNapMs = 60_000;

export function createLanes(deps: {
  clock: Clock;
  pacer: Pacer;
  settings: () => { jobRequestsPerSecond: number; transfersAtOnce: number };
  closing: AbortSignal;
  random: () => number;
  /** Carries one step out; never rejects. */
  step: (entry: Entry, lane: Lane) => Promise<void>;
}): Lanes {
  const { clock, pacer, settings, closing, random, step } = deps;
  const lanes = new Map<string, Member>();
  const running = new Set<Promise<void>>();
  const begun = Promise.withResolvers<void>();

  function laneOf(profileId: string): Member {
    const known = lanes.get(profileId);
    if (known) return known;
    const lane: Member = {
      profileId,
      spacing: createSpacing(random),
      isRefused: false,
      isUnreachable: false,
      troubles: 0,
      resumed: 0,
      waiting: new Set(),
      started: new Set(),
      busy: { start: 0, look: 0, fetch: 0 },
      nextSlotMs: 0,
      startedLast: false,
      alarm: new AbortController(),
      loop: Promise.resolve(),
      async slot(signal) {
        const waitMs = reserve(lane) - clock.monotonicMs();
        if (waitMs > 0) await clock.delay(waitMs, signal);
      },
    };
    lanes.set(profileId, lane);
    lane.loop = begun.promise.then(() => follow(lane));
    return lane;
  }

  /** Answers when the request may be sent. */
  function reserve(lane: Member): number {
    const atMs = Math.max(lane.nextSlotMs, clock.monotonicMs());
    lane.nextSlotMs = atMs + 1000 / settings().jobRequestsPerSecond;
    return atMs;
  }

  async function follow(lane: Member): Promise<void> {
    while (!closing.aborted) {
      lane.alarm = new AbortController();
      const signal = AbortSignal.any([closing, lane.alarm.signal]);
      const next = lane.isRefused ? null : pick(lane);
      const waitMs = next ? next.atMs - clock.monotonicMs() : longestNapMs;
      try {
        if (next && waitMs <= 0 && pacer.heldUntilMs(lane.profileId) === null) launch(lane, next.entry);
        else if (next && waitMs <= 0) await pacer.turn(lane.profileId, signal);
        else await clock.delay(Math.min(waitMs, longestNapMs), signal);
      } catch (cause) {
        if (!signal.aborted) throw cause;
      }
    }
  }

  function launch(lane: Member, entry: Entry): void {
    const kind = kindOf(entry);
    reserve(lane);
    lane.busy[kind] += 1;
    lane.startedLast = kind === 'start';
    const done = step(entry, lane).finally(() => {
      lane.busy[kind] -= 1;
      running.delete(done);
      lane.alarm.abort();
    });
    running.add(done);
  }

  /** Fetches before everything; then looks and starts in turn; of each kind who has been due longest. */
  function pick(lane: Member): { entry: Entry; atMs: number } | null {
    const nowMs = clock.monotonicMs();
    const { jobRequestsPerSecond, transfersAtOnce } = settings();
    const fetch = lane.busy.fetch < transfersAtOnce ? first(lane.started, 'fetch', nowMs) : null;
    // One that broke off waits its turn like the others, who must not be forgotten over a full disk.
    if (fetch?.tries === 0) return { entry: fetch, atMs: lane.nextSlotMs - mostDebtMs };
    const look = lane.busy.look < mostLooks ? first(lane.started, 'look', nowMs) : null;
    const mayStart =
      lane.busy.start < transfersAtOnce && lane.started.size < jobRequestsPerSecond * openPerRequest;
    const start = mayStart ? first(lane.waiting, 'start', nowMs) : null;
    const isBoth = look && start && look.dueMs <= nowMs && start.dueMs <= nowMs;
    const other = isBoth ? (lane.startedLast ? look : start) : earlier(look, start);
    const entry = earlier(other, fetch);
    return entry && { entry, atMs: Math.max(entry.dueMs, lane.nextSlotMs) };
  }

  function first(entries: ReadonlySet<Entry>, kind: Kind, nowMs: number): Entry | null {
    let best: Entry | null = null;
    for (const entry of entries) {
      if (entry.run !== null || kindOf(entry) !== kind) continue;
      // They stand in the order of their turn.
      if (kind === 'start' && entry.dueMs <= nowMs) return entry;
      if (best === null || isBefore(entry, best, nowMs)) best = entry;
    }
    return best;
  }

  return {
    begin: begun.resolve,
    of: laneOf,
    place(entry) {
      const lane = laneOf(entry.record.profileId);
      const { state } = entry.record;
      if (state === 'waiting') lane.waiting.add(entry);
      else lane.waiting.delete(entry);
      if (state !== 'waiting' && state !== 'sending' && isOpen(entry.record)) lane.started.add(entry);
      else lane.started.delete(entry);
      lane.alarm.abort();
    },
    drop(entry) {
      const lane = laneOf(entry.record.profileId);
      lane.waiting.delete(entry);
      lane.started.delete(entry);
    },
    wake(profileId) {
      laneOf(profileId).alarm.abort();
    },
    hurry(profileId) {
      const lane = laneOf(profileId);
      const nowMs = clock.monotonicMs();
      for (const entry of lane.started) entry.dueMs = nowMs;
      for (const entry of lane.waiting) entry.dueMs = Math.min(entry.dueMs, nowMs);
      lane.alarm.abort();
    },
    describe(entry) {
      const lane = laneOf(entry.record.profileId);
      const { record, dueMs, run, trouble } = entry;
      if (!isOpen(record) || record.state === 'lost') return { waitingFor: null, nextCheckAtMs: null };
      const heldUntilMs = pacer.heldUntilMs(lane.profileId);
      const dueAtMs = clock.nowMs() + Math.max(dueMs - clock.monotonicMs(), 0);
      return {
        waitingFor: waitingFor(),
        nextCheckAtMs: isFollowed(record) && !lane.isRefused ? Math.max(dueAtMs, heldUntilMs ?? 0) : null,
      };

      function waitingFor(): Job['waitingFor'] {
        if (lane.isRefused) return 'token';
        if (run) return null;
        if (lane.isUnreachable) return 'network';
        if (heldUntilMs !== null || (trouble && dueMs > clock.monotonicMs())) return 'retry';
        return record.state === 'waiting' ? 'turn' : null;
      }
    },
    profiles: () => lanes.keys(),
    ended: () => Promise.all([...running, ...[...lanes.values()].map(({ loop }) => loop)]),
  };
}

function kindOf({ record: { state } }: Entry): Kind {
  if (state === 'waiting') return 'start';
  return state === 'completed' || state === 'fetching' ? 'fetch' : 'look';
}

function earlier(a: Entry | null, b: Entry | null): Entry | null {
  return a && b ? (b.dueMs < a.dueMs ? b : a) : (a ?? b);
}

/** Who is due goes before who is not; of two that are due at once, the one whose window ends first. */
function isBefore(a: Entry, b: Entry, nowMs: number): boolean {
  // Of two fetches, the one that has not broken off yet.
  if (kindOf(a) === 'fetch' && (a.tries === 0) !== (b.tries === 0)) return a.tries === 0;
  const turnOf = ({ dueMs, isClosing }: Entry) =>
    isClosing && dueMs <= nowMs ? dueMs - closingAheadMs : dueMs;
  const [turnA, turnB] = [turnOf(a), turnOf(b)];
  if (turnA !== turnB) return turnA < turnB;
  return (a.record.startedAt?.steadyMs ?? Infinity) < (b.record.startedAt?.steadyMs ?? Infinity);
}
