import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type AppError } from '../../../shared/errors.ts';
import { AppFailure } from '../../../shared/app-failure.ts';
import type { ConnectionVerdict } from '../../connections/connections.ts';
import { createCircuitBreaker, CircuitOpen, untilReady, type CircuitBreaker } from './circuit-breaker.ts';
import {
  createVirtualClock,
  type VirtualClock,
} from '../../../../test-support/main/transfers/virtual-clock.ts';
import { openGate, smallRequest } from '../../../../test-support/main/transfers/gate.ts';

let clock: VirtualClock;
let breaker: CircuitBreaker;
let verdicts: ConnectionVerdict[];
let changes: number;
const open = new AbortController().signal;

beforeEach(() => {
  clock = createVirtualClock();
  [verdicts, changes] = [[], 0];
  breaker = createCircuitBreaker({
    serviceId: 'p',
    clock,
    gate: openGate(clock),
    limits: { takeRequest: () => undefined, slowsUploads: () => false },
    random: () => 0.5,
    report: (verdict) => verdicts.push(verdict),
    onChanged: () => (changes += 1),
  });
});

const busy = (retryAfterMs: number | null): AppError => ({
  code: 'tooManyRequests',
  status: 429,
  retryAfterMs,
});
const unavailable: AppError = { code: 'serverError', status: 503, retryAfterMs: null };
const down: AppError = { code: 'unreachable', host: 'h', reason: 'refused' };
const refused: AppError = { code: 'tokenRefused', status: 401 };
const broken: AppError = { code: 'serverError', status: 500, retryAfterMs: null };

/** Resolves with 'answered', 'open' (nothing was sent) or the code of the failure. */
async function ask(requesterId: number, error: AppError | null = null, signal = open): Promise<string> {
  return breaker
    .send(smallRequest(requesterId), signal, () =>
      error ? Promise.reject(new AppFailure(error)) : Promise.resolve(),
    )
    .then(
      () => 'answered',
      (cause: unknown) => {
        if (cause instanceof CircuitOpen) return 'open';
        return cause instanceof AppFailure ? cause.error.code : String(cause);
      },
    );
}

/** A request that stays unanswered until the test answers it. */
function begin(requesterId: number) {
  const answer = Promise.withResolvers<void>();
  const done = breaker
    .send(smallRequest(requesterId), open, () => answer.promise)
    .then(
      () => 'answered',
      () => 'failed',
    );
  return {
    succeed: () => (answer.resolve(), done),
    fail: (error: AppError) => (answer.reject(new AppFailure(error)), done),
  };
}

test('sends at once while the breaker is closed', async () => {
  expect(await ask(1)).toBe('answered');
  expect(breaker.state()).toBe('ready');
  expect(breaker.heldUntilMs()).toBeNull();
  expect(changes).toBe(0);
});

describe('429', () => {
  test('holds all requests for Retry-After, then lets one probe', async () => {
    expect(await ask(1, busy(120_000))).toBe('tooManyRequests');
    expect(breaker.state()).toBe('held');
    expect(breaker.trouble()).toEqual(busy(120_000));
    expect(breaker.heldUntilMs()).toBe(clock.nowMs() + 120_500);
    await clock.advance(120_000);
    expect(await ask(2)).toBe('open');
    await clock.advance(500);
    expect(breaker.isClosed()).toBe(true);
    const prober = begin(2);
    expect(breaker.isClosed()).toBe(false);
    expect(await ask(3)).toBe('open');
    expect(await prober.succeed()).toBe('answered');
    expect(breaker.state()).toBe('ready');
    expect(await ask(3)).toBe('answered');
  });

  test('lengthens each consecutive hold, up to a minute', async () => {
    const waitsMs: number[] = [];
    for (let round = 0; round < 10; round += 1) {
      await ask(1, unavailable);
      const waitMs = (breaker.heldUntilMs() ?? 0) - clock.nowMs();
      waitsMs.push(waitMs);
      await clock.advance(waitMs);
    }
    expect(waitsMs).toEqual([750, 1500, 3000, 6000, 12_000, 24_000, 45_000, 45_000, 45_000, 45_000]);
  });

  test('ignores failures of requests already under way, except a later Retry-After', async () => {
    const late = [begin(2), begin(3)];
    await ask(1, busy(10_000));
    const untilMs = breaker.heldUntilMs() ?? 0;
    await late[0]?.fail(unavailable);
    expect(breaker.heldUntilMs()).toBe(untilMs);
    await late[1]?.fail(busy(60_000));
    expect(breaker.heldUntilMs()).toBe(clock.nowMs() + 60_000);
  });

  test('without Retry-After holds nobody while others are answered', async () => {
    const others = [begin(2), begin(3)];
    expect(await ask(1, busy(null))).toBe('tooManyRequests');
    expect(breaker.state()).toBe('ready');
    for (const other of others) expect(await other.succeed()).toBe('answered');
  });

  test('without Retry-After holds all requests when one after the other is refused', async () => {
    const states: string[] = [];
    for (const each of [1, 2, 3, 4, 5, 6].map(begin)) {
      await each.fail(busy(null));
      states.push(breaker.state());
    }
    expect(states.at(0)).toBe('ready');
    expect(states.at(-1)).toBe('held');
  });

  test('lets the user retry at once', async () => {
    await ask(1, busy(3_600_000));
    breaker.release();
    expect(breaker.isClosed()).toBe(true);
    expect(await ask(1)).toBe('answered');
  });
});

describe('401', () => {
  test('sends nothing until there is a new token', async () => {
    await ask(1, refused);
    expect(breaker.state()).toBe('refused');
    expect(verdicts).toEqual(['tokenRefused']);
    await clock.advance(24 * 3_600_000);
    breaker.release();
    expect(await ask(2)).toBe('open');
    expect(breaker.heldUntilMs()).toBeNull();
    breaker.reset();
    expect(breaker.state()).toBe('ready');
    expect(await ask(2)).toBe('answered');
  });

  test('ignores the refusal of an old token after a new one was set', async () => {
    const old = begin(1);
    breaker.reset();
    await old.fail(refused);
    expect(breaker.state()).toBe('ready');
    expect(verdicts).toEqual([]);
  });
});

test('reports the first connection that breaks off', async () => {
  const lost: AppError = { code: 'connectionLost', doneBytes: 0, expectedBytes: 9, outcomeUnknown: false };
  await ask(1, lost);
  await ask(2, lost);
  expect(breaker.state()).toBe('ready');
  expect(verdicts).toEqual(['unstable']);
});

describe('an unreachable service', () => {
  test('reports it once, and so the recovery', async () => {
    for (let round = 0; round < 3; round += 1) {
      await ask(1, down);
      await clock.advance(60_000);
    }
    expect(breaker.state()).toBe('unreachable');
    expect(verdicts).toEqual(['unreachable']);
    await ask(1);
    expect(verdicts).toEqual(['unreachable', 'ready']);
  });

  test('also notes it from failures outside of send', async () => {
    breaker.reportFailure(1, new AppFailure({ code: 'keychain', problem: 'unavailable' }));
    expect(breaker.state()).toBe('unreachable');
  });
});

describe('a failure of one transfer', () => {
  test('holds the service after three different transfers fail in a row', async () => {
    await ask(1, broken);
    await ask(1, broken);
    await ask(2, broken);
    expect(breaker.state()).toBe('ready');
    await ask(3, broken);
    expect(breaker.state()).toBe('held');
  });

  test('forgets it after any answer, even a refusal', async () => {
    await ask(1, broken);
    await ask(2, broken);
    await ask(3, { code: 'missing', status: 404 });
    await ask(3, broken);
    expect(breaker.state()).toBe('ready');
  });
});

describe('a prober', () => {
  beforeEach(async () => {
    await ask(1, unavailable);
    await clock.advance(1000);
  });

  test('lets another request probe when it is aborted', async () => {
    const stopped = new AbortController();
    const never = breaker.send(
      smallRequest(2),
      stopped.signal,
      () =>
        new Promise((_, reject) => {
          stopped.signal.addEventListener('abort', () => reject(new Error('stopped')));
        }),
    );
    expect(await ask(3)).toBe('open');
    stopped.abort();
    await expect(never).rejects.toThrow('stopped');
    expect(await ask(3)).toBe('answered');
  });

  test('extends the hold for all when it gets another 503', async () => {
    expect(await ask(2, unavailable)).toBe('serverError');
    expect(breaker.isClosed()).toBe(false);
    expect(breaker.heldUntilMs()).toBe(clock.nowMs() + 1500);
  });
});

test('untilReady waits until the breaker closes, and rejects on abort', async () => {
  await ask(1, busy(10_000));
  let isClosed = false;
  void untilReady(breaker, clock, open).then(() => (isClosed = true));
  const stopped = new AbortController();
  const waiting = untilReady(breaker, clock, stopped.signal).catch(() => 'stopped');
  stopped.abort(new Error('enough'));
  expect(await waiting).toBe('stopped');
  await clock.advance(10_000);
  expect(isClosed).toBe(false);
  await clock.advance(500);
  expect(isClosed).toBe(true);
});

test('untilReady returns when the hold ends while it is being read', async () => {
  await ask(1, busy(1000));
  const leftMs = breaker.closesInMs() ?? 0;
  const justBeforeMs = clock.monotonicMs() + leftMs - 0.1;
  await clock.advance(leftMs);
  const read = vi.spyOn(clock, 'monotonicMs').mockReturnValueOnce(justBeforeMs);
  let isClosed = false;
  void untilReady(breaker, clock, open).then(() => (isClosed = true));
  read.mockRestore();
  await clock.advance(1);
  expect(isClosed).toBe(true);
});

test('lets another request probe when the prober is rejected before sending', async () => {
  const turns: (() => void)[] = [];
  const slow = createCircuitBreaker({
    serviceId: 'p',
    clock,
    gate: openGate(clock),
    limits: { takeRequest: () => new Promise((resolve) => turns.push(resolve)), slowsUploads: () => false },
    random: () => 0.5,
    report: () => undefined,
    onChanged: () => undefined,
  });
  slow.reportFailure(1, new AppFailure(busy(1000)));
  await clock.advance(slow.closesInMs() ?? 0);
  const late = slow.send(smallRequest(2), open, () => Promise.resolve()).catch((cause: unknown) => cause);
  expect(slow.isClosed()).toBe(false);
  await clock.advance(0);
  slow.reportFailure(3, new AppFailure(refused));
  turns.forEach((go) => go());
  expect(await late).toBeInstanceOf(CircuitOpen);
  slow.reset();
  expect(slow.isClosed()).toBe(true);
});

test('sends nothing when a hold begins while the request waits for its turn', async () => {
  const turn = Promise.withResolvers<void>();
  let sent = 0;
  const slow = createCircuitBreaker({
    serviceId: 'p',
    clock,
    gate: openGate(clock),
    limits: { takeRequest: () => turn.promise, slowsUploads: () => false },
    random: () => 0.5,
    report: () => undefined,
    onChanged: () => undefined,
  });
  const late = slow.send(smallRequest(1), open, async () => (sent += 1)).catch((cause: unknown) => cause);
  slow.reportFailure(2, new AppFailure(busy(60_000)));
  turn.resolve();
  expect(await late).toBeInstanceOf(CircuitOpen);
  expect(sent).toBe(0);
});
