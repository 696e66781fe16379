import { beforeEach, expect, test } from 'vitest';
import {
  createVirtualClock,
  type VirtualClock,
} from '../../../../../test-support/main/transfers/virtual-clock.ts';
import { createRateLimiter } from './limits.ts';

let clock: VirtualClock;
let perSecond: number | null;
let passedAtMs: number[];
let startMs: number;
const open = new AbortController().signal;

beforeEach(() => {
  clock = createVirtualClock();
  [perSecond, passedAtMs, startMs] = [10, [], clock.monotonicMs()];
});

function limiterWith(burstMs: number) {
  const limiter = createRateLimiter(clock, () => perSecond, burstMs);
  const take = (amount: number, signal = open) =>
    limiter.take(amount, signal).then(() => void passedAtMs.push(clock.monotonicMs() - startMs));
  return { limiter, take };
}

test('spreads the rate evenly, in order', async () => {
  const { take } = limiterWith(0);
  for (let count = 0; count < 5; count += 1) void take(1);
  await clock.advance(1000);
  expect(passedAtMs).toEqual([0, 100, 200, 300, 400]);
});

test('saves up no more than a burst', async () => {
  const { take } = limiterWith(250);
  await clock.advance(60_000);
  startMs = clock.monotonicMs();
  for (let count = 0; count < 6; count += 1) void take(1);
  await clock.advance(2000);
  // Two and a half are saved up; the third pays the rest afterwards.
  expect(passedAtMs).toEqual([0, 0, 0, 50, 150, 250]);
});

test('lets a large amount pass at once, and delays the next', async () => {
  const { take } = limiterWith(0);
  void take(100);
  void take(1);
  await clock.advance(9999);
  expect(passedAtMs).toEqual([0]);
  await clock.advance(1);
  expect(passedAtMs).toEqual([0, 10_000]);
});

test('a changed limit applies at once, also to callers that wait', async () => {
  const { limiter, take } = limiterWith(0);
  perSecond = 1;
  void take(3600);
  void take(1);
  await clock.advance(1000);
  expect(passedAtMs).toEqual([0]);
  perSecond = 1000;
  limiter.changed();
  await clock.advance(10);
  expect(passedAtMs).toEqual([0, 1000]);
  void take(1000);
  void take(1);
  perSecond = null;
  limiter.changed();
  await clock.advance(10);
  expect(passedAtMs).toHaveLength(4);
});

test('lets everything pass at once without a limit', async () => {
  perSecond = null;
  const { take } = limiterWith(0);
  await Promise.all(Array.from({ length: 1000 }, () => take(1e9)));
  expect(passedAtMs).toHaveLength(1000);
});

test('an aborted wait rejects, and costs the others nothing', async () => {
  const { take } = limiterWith(0);
  const stopped = new AbortController();
  void take(1);
  const failed = take(1000, stopped.signal).catch((cause: unknown) => cause);
  void take(1);
  await clock.advance(50);
  stopped.abort(new Error('enough'));
  expect(await failed).toEqual(new Error('enough'));
  await clock.advance(1000);
  expect(passedAtMs).toEqual([0, 100]);
});
