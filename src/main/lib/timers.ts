import type { Clock } from '../ports.ts';

/** Shared: without a reason, `abort` creates an error with a stack each time. */
const turnedOff = new Error('The alarm is off');

/**
 * One timer: however often it is set or moved earlier, it rings at most once.
 *
 * @example
 * const alarm = new Alarm(clock, () => save());
 * alarm.setAfter(1000);
 * alarm.setBy(dueMs); // moves it earlier, never later
 * alarm.cancel();
 */
export class Alarm {
  readonly #clock: Pick<Clock, 'delay' | 'monotonicMs'>;
  readonly #onRing: () => void;
  #pending: { readonly atMs: number; readonly off: AbortController } | null = null;

  constructor(clock: Pick<Clock, 'delay' | 'monotonicMs'>, onRing: () => void) {
    this.#clock = clock;
    this.#onRing = onRing;
  }

  get isSet(): boolean {
    return this.#pending !== null;
  }

  /** Rings after this delay, replacing any earlier setting; never within the call. */
  setAfter(delayMs: number): void {
    this.cancel();
    const pending = { atMs: this.#clock.monotonicMs() + delayMs, off: new AbortController() };
    this.#pending = pending;
    this.#clock.delay(delayMs, pending.off.signal).then(
      () => {
        // It may have been cancelled at the same moment.
        if (this.#pending !== pending) return;
        this.#pending = null;
        this.#onRing();
      },
      () => undefined,
    );
  }

  /**
   * Rings at this time, unless it is set to an earlier one. @param atMs by `Clock.monotonicMs`; a past time rings
   * soon
   */
  setBy(atMs: number): void {
    const nowMs = this.#clock.monotonicMs();
    const dueMs = Math.max(atMs, nowMs);
    if (this.#pending && this.#pending.atMs <= dueMs) return;
    this.setAfter(dueMs - nowMs);
  }

  cancel(): void {
    this.#pending?.off.abort(turnedOff);
    this.#pending = null;
  }
}

/**
 * Lets one loop sleep until there may be work. A `wake` while the loop is busy ends its next sleep at once, so that
 * nothing is missed.
 *
 * @example
 * for (;;) {
 *   await look();
 *   await sleeper.sleep(60_000, closing);
 * }
 * // Elsewhere:
 * sleeper.wake();
 */
export class Sleeper {
  readonly #clock: Pick<Clock, 'delay'>;
  #isWoken = false;
  #off: AbortController | null = null;

  constructor(clock: Pick<Clock, 'delay'>) {
    this.#clock = clock;
  }

  /** Rejects with the signal's reason. */
  async sleep(forMs: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (!this.#isWoken) {
      const off = new AbortController();
      const onAbort = () => off.abort();
      this.#off = off;
      // `AbortSignal.any` would tie a signal of each sleep to one that lives as long as the program.
      signal.addEventListener('abort', onAbort, { once: true });
      await this.#clock.delay(forMs, off.signal).catch(() => undefined);
      signal.removeEventListener('abort', onAbort);
      this.#off = null;
    }
    this.#isWoken = false;
    signal.throwIfAborted();
  }

  wake(): void {
    this.#isWoken = true;
    this.#off?.abort();
  }
}

const hourMs = 3_600_000;

/**
 * Repeats work an hour after it has ended, for as long as the program runs, which may be months. A failure is
 * reported, and the work retried an hour later.
 * @param firstAfterMs from now
 *
 * @example
 * const trimming = everyHour(clock, trim, (cause) => log.error('not trimmed', { cause }));
 * await trimming.close();
 */
export function everyHour(
  clock: Pick<Clock, 'delay'>,
  work: () => Promise<void>,
  onFailed: (cause: unknown) => void,
  firstAfterMs = hourMs,
) {
  const closing = new AbortController();

  async function repeat(): Promise<void> {
    for (let delayMs = firstAfterMs; ; delayMs = hourMs) {
      await clock.delay(delayMs, closing.signal);
      await work().catch(onFailed);
    }
  }
  const repeating = repeat().catch(() => undefined); // Only closing ends it.

  return {
    /** Resolves when the running work has ended. */
    close: async () => {
      closing.abort(new Error('Coffer closes'));
      await repeating;
    },
  };
}

export interface Throttled {
  (): void;
  /** Drops a scheduled run. */
  cancel(): void;
}

/**
 * Joins calls into one run, `everyMs` after the first of them: the last call is always followed by a run. Trailing
 * edge only, on Node's own timers.
 * @param leastApartMs between two runs, if runs are too expensive for one every `everyMs`
 *
 * @example
 * const publishSoon = throttle(() => publish(state), 250);
 * for (const each of changes) {
 *   apply(each);
 *   publishSoon();
 * }
 */
export function throttle(run: () => void, everyMs = 100, leastApartMs = everyMs): Throttled {
  let timer: NodeJS.Timeout | undefined;
  let lastMs = -Infinity;
  const call = () => {
    timer ??= setTimeout(
      () => {
        timer = undefined;
        lastMs = performance.now();
        run();
      },
      Math.max(everyMs, lastMs + leastApartMs - performance.now()),
    );
  };
  const cancel = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  return Object.assign(call, { cancel });
}

/**
 * Joins what is given in one turn of the event loop into one run after it.
 *
 * @example
 * const tellEnded = gather<number>((ids) => publish({ ids }));
 * for (const { id } of written) tellEnded(id); // one message
 */
export function gather<T>(run: (all: T[]) => void): (each: T) => void {
  let gathered: T[] = [];
  return (each) => {
    if (gathered.length === 0)
      setImmediate(() => {
        const all = gathered;
        gathered = [];
        run(all);
      });
    gathered.push(each);
  };
}

/** How often a `TimeLimit` counts, in ms, and how much later than that is a standstill of this process. */
const countEveryMs = 1_000;

/**
 * How long another program may take. Counts only time in which this process runs, as the timeouts of undici do: not while it stands still
 * for a second or more (a system dialog, a drag) or the computer sleeps, when answers arrive that nobody reads. They are read before the
 * limit is reached.
 *
 * @example
 * const limit = new TimeLimit(() => request.destroy());
 * limit.start(60_000); // again with each piece
 * limit.cancel();
 */
export class TimeLimit {
  readonly #onReached: () => void;
  #timer: NodeJS.Timeout | undefined;
  #reaching: NodeJS.Immediate | undefined;

  constructor(onReached: () => void) {
    this.#onReached = onReached;
  }

  /** Replaces any earlier limit. */
  start(limitMs: number): void {
    this.cancel();
    this.#count(limitMs);
  }

  cancel(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#reaching);
  }

  #count(leftMs: number): void {
    const stepMs = Math.min(leftMs, countEveryMs);
    const beganMs = performance.now();
    this.#timer = setTimeout(() => {
      const stoodStill = performance.now() - beganMs >= stepMs + countEveryMs;
      const restMs = stoodStill ? leftMs : leftMs - stepMs;
      if (restMs > 0) this.#count(restMs);
      // Node reads what has arrived between timers and immediates.
      else this.#reaching = setImmediate(this.#onReached);
    }, stepMs);
  }
}
