import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createVirtualClock } from '../../../test-support/main/transfers/virtual-clock.ts';
import { Alarm, everyHour, gather, Sleeper, throttle, TimeLimit } from './timers.ts';

const hourMs = 3_600_000;

describe('Alarm', () => {
  function createAlarm() {
    const clock = createVirtualClock();
    const beganMs = clock.monotonicMs();
    const rungMs: number[] = [];
    const alarm = new Alarm(clock, () => rungMs.push(clock.monotonicMs() - beganMs));
    return { clock, rungMs, alarm, at: (ms: number) => beganMs + ms };
  }

  test('rings once, at the time that was set last', async () => {
    const { clock, rungMs, alarm } = createAlarm();
    alarm.setAfter(10);
    alarm.setAfter(30);
    expect(alarm.isSet).toBe(true);
    await clock.advance(100);
    expect([rungMs, alarm.isSet]).toEqual([[30], false]);
  });

  test('moves earlier, and not later', async () => {
    const { clock, rungMs, alarm, at } = createAlarm();
    alarm.setBy(at(20));
    alarm.setBy(at(10));
    alarm.setBy(at(50));
    await clock.advance(100);
    alarm.setBy(at(110));
    await clock.advance(100);
    expect(rungMs).toEqual([10, 110]);
  });

  test('rings soon for a past time, and not within the call', async () => {
    const { clock, rungMs, alarm } = createAlarm();
    alarm.setBy(-Infinity);
    expect(rungMs).toEqual([]);
    await clock.advance(0);
    expect(rungMs).toEqual([0]);
  });

  test('waits no longer when it is set to the past again and again', async () => {
    const { clock } = createAlarm();
    const waits: AbortSignal[] = [];
    const delay = async (_delayMs: number, signal?: AbortSignal) => {
      if (signal) waits.push(signal);
      await new Promise(() => undefined);
    };
    const alarm = new Alarm({ monotonicMs: () => clock.monotonicMs(), delay }, () => undefined);
    for (let times = 0; times < 3; times += 1) {
      alarm.setBy(-Infinity);
      await clock.advance(1);
    }
    expect(waits.map(({ aborted }) => aborted)).toEqual([false]);
  });

  test('does not ring after cancel, even when its time has just come', async () => {
    const { clock, rungMs, alarm } = createAlarm();
    alarm.setAfter(10);
    alarm.cancel();
    await clock.advance(20);
    const due = Promise.withResolvers<void>();
    const other = new Alarm({ monotonicMs: () => 0, delay: () => due.promise }, () => rungMs.push(0));
    other.setAfter(0);
    due.resolve();
    other.cancel();
    await due.promise;
    expect(rungMs).toEqual([]);
  });
});

describe('Sleeper', () => {
  function createLoop() {
    const clock = createVirtualClock();
    const closing = new AbortController();
    const sleeper = new Sleeper(clock);
    const lookedMs: number[] = [];
    const beganMs = clock.monotonicMs();
    const loop = (async () => {
      for (;;) {
        lookedMs.push(clock.monotonicMs() - beganMs);
        await sleeper.sleep(1000, closing.signal);
      }
    })();
    loop.catch(() => undefined);
    return { clock, closing, sleeper, lookedMs, loop };
  }

  test('sleeps for the given time, or until it is woken', async () => {
    const { clock, sleeper, lookedMs } = createLoop();
    await clock.advance(1200);
    sleeper.wake();
    await clock.advance(2000);
    expect(lookedMs).toEqual([0, 1000, 1200, 2200, 3200]);
  });

  test('a wake while nobody sleeps ends the next sleep only', async () => {
    const clock = createVirtualClock();
    const { signal } = new AbortController();
    const sleeper = new Sleeper(clock);
    sleeper.wake();
    sleeper.wake();
    await sleeper.sleep(1000, signal);
    let isOver = false;
    const second = sleeper.sleep(1000, signal).then(() => (isOver = true));
    await clock.advance(999);
    expect(isOver).toBe(false);
    await clock.advance(1);
    await second;
  });

  test('rejects with the reason of the signal, also before it sleeps', async () => {
    const { clock, closing, sleeper, lookedMs, loop } = createLoop();
    await clock.advance(0);
    closing.abort(new Error('closing'));
    await expect(loop).rejects.toThrow('closing');
    sleeper.wake();
    await expect(sleeper.sleep(1000, closing.signal)).rejects.toThrow('closing');
    expect(lookedMs).toEqual([0]);
  });
});

describe('everyHour', () => {
  test('reports a failure and tries again an hour later; tries nothing after close', async () => {
    const clock = createVirtualClock();
    const failure = new Error('the disk is away');
    const failures: unknown[] = [];
    let tries = 0;
    const work = async () => {
      tries += 1;
      if (tries === 1) throw failure;
    };
    const hourly = everyHour(clock, work, (cause) => failures.push(cause), 1000);
    await clock.advance(1000);
    expect([tries, failures]).toEqual([1, [failure]]);
    await clock.advance(hourMs);
    expect(tries).toBe(2);
    await hourly.close();
    await clock.advance(2 * hourMs);
    expect([tries, failures]).toEqual([2, [failure]]);
  });
});

describe('throttle', () => {
  test('joins calls into one run, the last included, until it is cancelled', () => {
    vi.useFakeTimers();
    try {
      const run = vi.fn<() => void>();
      const runSoon = throttle(run, 100);
      runSoon();
      vi.advanceTimersByTime(99);
      runSoon();
      expect(run).not.toHaveBeenCalled();
      vi.advanceTimersByTime(1);
      expect(run).toHaveBeenCalledTimes(1);
      runSoon();
      runSoon.cancel();
      vi.advanceTimersByTime(1000);
      expect(run).toHaveBeenCalledTimes(1);
      runSoon();
      vi.advanceTimersByTime(100);
      expect(run).toHaveBeenCalledTimes(2);
    } finally {
      vi.useRealTimers();
    }
  });

  test('runs soon, and then less often', () => {
    vi.useFakeTimers();
    try {
      const run = vi.fn<() => void>();
      const runSoon = throttle(run, 100, 250);
      const callFor = (ms: number) => {
        for (let passedMs = 0; passedMs < ms; passedMs += 10) {
          runSoon();
          vi.advanceTimersByTime(10);
        }
      };
      callFor(100);
      expect(run).toHaveBeenCalledTimes(1);
      callFor(240);
      expect(run).toHaveBeenCalledTimes(1);
      callFor(10);
      expect(run).toHaveBeenCalledTimes(2);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('TimeLimit', () => {
  let nowMs: number;
  let reachedMs: number[];
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate'] });
    vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
    [nowMs, reachedMs] = [0, []];
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
  const createLimit = () => new TimeLimit(() => reachedMs.push(nowMs));
  function run(forMs: number): void {
    for (let ms = 0; ms < forMs; ms += 1) {
      nowMs += 1;
      vi.advanceTimersByTime(1);
    }
  }
  /** No timer runs for this long, and then all that are due at once, before anything else. */
  function standStill(forMs: number): void {
    nowMs += forMs;
    vi.runOnlyPendingTimers();
  }

  test('is reached once, after its time, and not after cancel', () => {
    createLimit().start(2500);
    const off = createLimit();
    off.start(1000);
    run(900);
    off.cancel();
    run(9000);
    expect(reachedMs).toEqual([2501]); // with the immediate
  });

  test('starts anew', () => {
    const limit = createLimit();
    limit.start(1500);
    run(1400);
    limit.start(1500);
    run(1499);
    expect(reachedMs).toEqual([]);
    run(2);
    expect(reachedMs).toHaveLength(1);
  });

  test('does not count the time in which the process stood still', () => {
    createLimit().start(60_000);
    run(30_000);
    standStill(45_000);
    run(29_990);
    expect(reachedMs).toEqual([]);
    run(1100);
    expect(reachedMs).toHaveLength(1);
  });

  test('is not reached by a standstill, however short the time that is left', () => {
    const limit = createLimit();
    limit.start(5);
    standStill(3_600_000);
    expect(reachedMs).toEqual([]);
    limit.cancel();
  });

  test('is not reached any more when what was read with its last timer cancels it', () => {
    const limit = createLimit();
    limit.start(5);
    setTimeout(() => limit.cancel(), 5);
    run(100);
    expect(reachedMs).toEqual([]);
  });
});

test('gather joins what is given in one turn', async () => {
  const runs: number[][] = [];
  const give = gather<number>((all) => runs.push(all));
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  give(1);
  await Promise.resolve();
  give(2);
  expect(runs).toEqual([]);
  await turn();
  give(3);
  await turn();
  expect(runs).toEqual([[1, 2], [3]]);
});
