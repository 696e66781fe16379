import { expect, test } from 'vitest';
import type { Clock } from '../ports.ts';
import { createPacer } from './pacing.ts';

/** A clock that stands until it is moved. */
function stillClock() {
  let nowMs = 0;
  const waits = new Set<{ dueMs: number; resolve: () => void }>();
  const clock: Clock = {
    nowMs: () => 1_000_000 + nowMs,
    monotonicMs: () => nowMs,
    delay: (delayMs, signal) =>
      new Promise((resolve, reject) => {
        const wait = { dueMs: nowMs + delayMs, resolve };
        waits.add(wait);
        signal?.addEventListener('abort', () => {
          waits.delete(wait);
          reject(signal.reason as Error);
        });
      }),
  };
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    clock,
    waiting: () => waits.size,
    settle,
    advance: async (byMs: number) => {
      await settle();
      nowMs += byMs;
      for (const wait of waits) {
        if (wait.dueMs > nowMs) continue;
        waits.delete(wait);
        wait.resolve();
      }
      await settle();
    },
  };
}

function setUp() {
  const still = stillClock();
  const pacer = createPacer(still.clock);
  const passed: string[] = [];
  const go = (profileId: string, signal = new AbortController().signal) =>
    pacer.turn(profileId, signal).then(
      () => passed.push(profileId),
      () => passed.push('stopped'),
    );
  return { ...still, pacer, passed, go };
}

test('who is not held back passes at once', async () => {
  const { go, passed, pacer } = setUp();
  await go('a');
  expect(passed).toEqual(['a']);
  expect(pacer.heldUntilMs('a')).toBeNull();
});

test('all of a profile wait until the end, with one timer; others do not', async () => {
  const { go, passed, pacer, advance, waiting, settle } = setUp();
  pacer.holdBack('a', 1000);
  expect(pacer.heldUntilMs('a')).toBe(1_001_000);
  for (let count = 0; count < 50; count += 1) void go('a');
  await go('b');
  await settle();
  expect(waiting()).toBe(1);
  await advance(999);
  expect(passed).toEqual(['b']);
  await advance(1);
  expect(passed).toHaveLength(51);
  expect(pacer.heldUntilMs('a')).toBeNull();
});

test('a later end stays, an earlier one changes nothing', async () => {
  const { go, passed, pacer, advance } = setUp();
  pacer.holdBack('a', 1000);
  void go('a');
  await advance(500);
  pacer.holdBack('a', 100);
  expect(pacer.heldUntilMs('a')).toBe(1_001_000);
  pacer.holdBack('a', 2000);
  await advance(500);
  expect(passed).toEqual([]);
  await advance(1500);
  expect(passed).toEqual(['a']);
});

test('released, and held again', async () => {
  const { go, passed, pacer, advance, settle } = setUp();
  pacer.holdBack('a', 1000);
  void go('a');
  await settle();
  pacer.release('a');
  await settle();
  expect(passed).toEqual(['a']);
  pacer.holdBack('a', 300);
  void go('a');
  await advance(200);
  expect(passed).toEqual(['a']);
  await advance(100);
  expect(passed).toEqual(['a', 'a']);
});

test('a wait can be stopped', async () => {
  const { go, passed, pacer, settle } = setUp();
  pacer.holdBack('a', 1000);
  const stopped = new AbortController();
  void go('a', stopped.signal);
  stopped.abort();
  await settle();
  expect(passed).toEqual(['stopped']);
  await go('a', stopped.signal);
  expect(passed).toEqual(['stopped', 'stopped']);
});
