import type { TeamWhy } from '../../shared/domain/team-why.ts';
import type { TeamCopy } from '../objects/team/team-copy.ts';
import { Sleeper } from '../lib/timers.ts';
import type { Clock, Log } from '../ports.ts';
import { teamPlaceSchema, type TeamCredentials } from './place.ts';
import type { SyncState } from './sync-state.ts';
import { TeamSession } from './team-session.ts';
import { startTeamThread, valueOf, type TeamThread } from './team-thread.ts';
import { TeamFailure, type TeamProblem } from './team-problem.ts';
import type { ServerEvent } from './wire/server.ts';

/** Poll interval in ms while the server sends notices; then that without them: on visits, or behind a pooler. */
const askEveryMs = 60_000;
const askUntoldEveryMs = 15_000;
/** Minimum time between two pulls caused by notices; each client also waits a random time of up to this long. */
const pullsApartMs = 250;
const longestBackoffMs = 60_000;
/** Minimum interval of storing when the list was last read: after a restart, that may be this much too early. */
const notesReadEveryMs = 600_000;

export interface TeamSync {
  syncState(): SyncState;
  /** Call after a change here, which may have become due. */
  noteChange(): void;
  /** Pushes and pulls once, without waiting for the next try. @returns the standing afterwards */
  sync(): Promise<SyncState>;
  stop(): Promise<void>;
}

interface Options {
  readonly serviceId: string;
  readonly copy: TeamCopy;
  /** Called before each connection. */
  readonly credentials: () => Promise<TeamCredentials>;
  readonly clock: Clock;
  /** A random number from 0 to 1. */
  readonly random: () => number;
  readonly log: Log;
  readonly onSyncState: (syncState: SyncState) => void;
  readonly startThread?: typeof startTeamThread;
}

/**
 * Keeps the list of a service in step with its team's until it is stopped, or refused. Callers must stop it before the
 * service leaves the team or joins another: answers of the server are written to the list that the service has then.
 */
export function startTeamSync(options: Options): TeamSync {
  const { serviceId, copy, clock, random, log, startThread = startTeamThread } = options;
  const closing = new AbortController();
  const { signal } = closing;
  const idle = new Sleeper(clock);
  const backoff = new Sleeper(clock);
  const awaiting = new Set<(syncState: SyncState) => void>();
  let syncState: SyncState = { kind: 'asOf', ms: null, due: 0, why: 'connecting' };
  let thread: TeamThread | null = null;
  let isConnected = false;
  let isNotified = false;
  let lost: TeamProblem | null = null;
  let failures = 0;
  /** The problem logged last, not to be repeated: a server may be away for days. */
  let logged = '';
  let lastMs: number | null = null;
  let pullMs = -Infinity;
  /** Why changes wait, and until when (by the monotonic clock). */
  let waiting: { readonly why: TeamWhy; readonly untilMs: number; readonly count: number } | null = null;

  function publish(next: SyncState): void {
    syncState = next;
    options.onSyncState(next);
  }

  /** @param served calls of `sync` that are answered by it */
  function conclude(next: SyncState, served: Iterable<(syncState: SyncState) => void> = awaiting): void {
    publish(next);
    for (const resolve of served) {
      awaiting.delete(resolve);
      resolve(next);
    }
  }

  function onEvent(event: ServerEvent): void {
    if (event.kind === 'notified') isNotified = true;
    else lost = event.problem;
    idle.wake();
  }

  function serverOf(): TeamThread['server'] {
    if (thread !== null) return thread.server;
    const started = startThread(onEvent);
    thread = started;
    void started.ended.then(() => {
      if (thread !== started) return;
      thread = null;
      onEvent({ kind: 'lost', problem: { why: 'broken', code: '' } });
    });
    return started.server;
  }

  const backoffMs = (count: number) =>
    1000 + random() * (Math.min(longestBackoffMs, 1000 * 2 ** count) - 1000);

  function onWaits(why: TeamWhy): void {
    const count = (waiting?.count ?? 0) + 1;
    waiting = { why, untilMs: clock.monotonicMs() + backoffMs(count), count };
  }

  const mayPush = () => waiting === null || clock.monotonicMs() >= waiting.untilMs;

  async function dueHere(): Promise<number> {
    return (await copy.stateOf(serviceId).catch(() => null))?.due ?? 0;
  }

  /** One connection, or a series of visits. Resolves when the service no longer has a team. */
  async function follow(): Promise<void> {
    const state = await copy.stateOf(serviceId);
    if (state === null) return;
    let notedMs = state.readMs;
    lastMs ??= notedMs;
    const place = teamPlaceSchema.parse(JSON.parse(state.place));
    const connect = async () => {
      const credentials = await options.credentials();
      signal.throwIfAborted();
      const isTold = await valueOf(serverOf().open(place, credentials, state.list));
      lost = null;
      return { isTold, isVisit: await valueOf(serverOf().isCrowded()) };
    };
    let { isTold, isVisit } = await connect();
    isConnected = true;
    const server = serverOf();
    const session = await TeamSession.begin(serviceId, copy, server);
    for (;;) {
      signal.throwIfAborted();
      // A `sync` that is called during a turn may have missed its push.
      const served = [...awaiting];
      const canPush = mayPush();
      const turn = await session.turn(canPush, onWaits);
      if (turn.kind === 'left') return;
      if (turn.kind === 'filled') publish({ kind: 'filling', rows: turn.rows });
      if (turn.kind !== 'idle') continue;
      if (canPush && mayPush()) waiting = null;
      failures = 0;
      logged = '';
      lastMs = clock.nowMs();
      if (notedMs === null || Math.abs(lastMs - notedMs) >= notesReadEveryMs) {
        notedMs = lastMs;
        // The list was read: that the moment cannot be noted, as on a full disk, is no reason to fail.
        await copy.noteRead(serviceId, lastMs).catch((cause: unknown) => {
          log.warn('the moment of the last reading cannot be noted', { cause });
        });
      }
      pullMs = clock.monotonicMs();
      conclude(
        waiting === null
          ? { kind: 'live', leftOut: session.leftOut }
          : { kind: 'asOf', ms: lastMs, due: await dueHere(), why: waiting.why },
        served,
      );
      if (isVisit) await valueOf(server.close());
      await untilMore(isTold && !isVisit ? askEveryMs : askUntoldEveryMs);
      if (isVisit) ({ isTold, isVisit } = await connect());
    }
  }

  async function untilMore(longestMs: number): Promise<void> {
    const retryMs = waiting === null ? Infinity : Math.max(waiting.untilMs - clock.monotonicMs(), 0);
    await idle.sleep(Math.min(longestMs, retryMs), signal);
    if (lost !== null) throw new TeamFailure(lost);
    if (!isNotified) return;
    isNotified = false;
    const apartMs = pullMs + pullsApartMs - clock.monotonicMs();
    await clock.delay(Math.max(random() * pullsApartMs, apartMs, 0), signal);
  }

  /** @returns whether to try again */
  async function fail(cause: unknown): Promise<boolean> {
    if (cause instanceof TeamFailure) {
      if (logged !== cause.message) log.info('the team’s server', { serviceId, ...cause.problem });
      logged = cause.message;
      if (cause.effect === 'refused') {
        conclude({ kind: 'refused', why: cause.shownWhy });
        return false;
      }
    } else {
      log.warn('the team’s list cannot be kept', { serviceId, cause });
    }
    failures += 1;
    const why = cause instanceof TeamFailure ? cause.shownWhy : 'local';
    conclude({ kind: 'asOf', ms: lastMs, due: await dueHere(), why });
    return true;
  }

  async function run(): Promise<void> {
    for (;;) {
      try {
        await follow();
        return conclude({ kind: 'off' });
      } catch (cause) {
        if (signal.aborted || !(await fail(cause))) return;
      } finally {
        isConnected = false;
      }
      await backoff.sleep(backoffMs(failures), signal);
    }
  }

  async function end(): Promise<void> {
    const ending = thread;
    thread = null;
    await ending?.terminate();
  }

  async function runAndEnd(): Promise<void> {
    try {
      await run();
    } catch (cause) {
      if (!signal.aborted) throw cause;
    } finally {
      await end();
    }
  }

  const running = runAndEnd();

  return {
    syncState: () => syncState,
    noteChange() {
      void dueHere().then((due) => {
        if (due > 0 && isConnected && mayPush()) idle.wake();
        if (syncState.kind === 'asOf' && syncState.due !== due) publish({ ...syncState, due });
      });
    },
    sync() {
      if (syncState.kind === 'refused' || syncState.kind === 'off') return Promise.resolve(syncState);
      return new Promise((resolve) => {
        awaiting.add(resolve);
        if (waiting !== null) waiting = { ...waiting, untilMs: -Infinity };
        (isConnected ? idle : backoff).wake();
      });
    },
    async stop() {
      closing.abort(new Error('The team is no longer followed'));
      await end();
      await running;
      if (syncState.kind !== 'off') conclude({ kind: 'off' });
    },
  };
}
