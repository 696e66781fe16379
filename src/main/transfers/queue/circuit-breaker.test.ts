import { beforeEach, describe, expect, test, vi } from 'vitest';
import { AppFailure, type AppError } from '../../../shared/errors.ts';
import {
  createServiceGate,
  GateClosed,
  untilOpen,
  type GateVerdict,
  type ServiceGate,
} from './circuit-breaker.ts';
import { createVirtualClock, type VirtualClock } from '../../../../test-support/main/transfers/virtual-clock.ts';

let clock: VirtualClock;
let gate: ServiceGate;
let verdicts: GateVerdict[];
let changes: number;
const open = new AbortController().signal;

beforeEach(() => {
  clock = createVirtualClock();
  [verdicts, changes] = [[], 0];
  gate = createServiceGate({
    profileId: 'p',
    clock,
    limits: { takeRequest: () => undefined },
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
const down: AppError = { code: 'unreachable', host: 'h', reason: 'refused' };
const refused: AppError = { code: 'tokenRefused', status: 401 };
const broken: AppError = { code: 'serverError', status: 500, retryAfterMs: null };

/** 'answered', 'closed' (nothing was sent), or the code of the failure. */
async function ask(who: number, error: AppError | null = null, signal = open): Promise<string> {
  return gate
    .send(who, signal, () => (error ? Promise.reject(new AppFailure(error)) : Promise.resolve()))
    .then(
      () => 'answered',
      (cause: unknown) => {
        if (cause instanceof GateClosed) return 'closed';
        return cause instanceof AppFailure ? cause.error.code : String(cause);
      },
    );
}

/** A request whose answer is still to come. */
function begin(who: number) {
  const answer = Promise.withResolvers<void>();
  const done = gate
    .send(who, open, () => answer.promise)
    .then(
      () => 'answered',
      () => 'failed',
    );
  return {
    succeed: () => (answer.resolve(), done),
    fail: (error: AppError) => (answer.reject(new AppFailure(error)), done),
  };
}

test('who is not held back passes at once', async () => {
  expect(await ask(1)).toBe('answered');
  expect(gate.state()).toBe('ready');
  expect(gate.heldUntilMs()).toBeNull();
  expect(changes).toBe(0);
});

describe('429', () => {
  test('everybody waits for as long as it says, and then one alone finds out', async () => {
    expect(await ask(1, busy(120_000))).toBe('tooManyRequests');
    expect(gate.state()).toBe('held');
    expect(gate.trouble()).toEqual(busy(120_000));
    expect(gate.heldUntilMs()).toBe(clock.nowMs() + 120_500);
    await clock.advance(120_000);
    expect(await ask(2)).toBe('closed');
    await clock.advance(500);
    expect(gate.isOpen()).toBe(true);
    const prober = begin(2);
    expect(gate.isOpen()).toBe(false);
    expect(await ask(3)).toBe('closed');
    expect(await prober.succeed()).toBe('answered');
    expect(gate.state()).toBe('ready');
    expect(await ask(3)).toBe('answered');
  });

  test('each hold without an answer between them is longer, up to a minute', async () => {
    const waitsMs: number[] = [];
    for (let round = 0; round < 10; round += 1) {
      await ask(1, busy(null));
      const waitMs = (gate.heldUntilMs() ?? 0) - clock.nowMs();
      waitsMs.push(waitMs);
      await clock.advance(waitMs);
    }
    expect(waitsMs).toEqual([750, 1500, 3000, 6000, 12_000, 24_000, 45_000, 45_000, 45_000, 45_000]);
  });

  test('those that were under way when it began add nothing but a later Retry-After', async () => {
    const late = [begin(2), begin(3)];
    await ask(1, busy(10_000));
    const untilMs = gate.heldUntilMs() ?? 0;
    await late[0]?.fail(busy(null));
    expect(gate.heldUntilMs()).toBe(untilMs);
    await late[1]?.fail(busy(60_000));
    expect(gate.heldUntilMs()).toBe(clock.nowMs() + 60_000);
  });

  test('a person need not wait', async () => {
    await ask(1, busy(3_600_000));
    gate.release();
    expect(gate.isOpen()).toBe(true);
    expect(await ask(1)).toBe('answered');
  });
});

describe('401', () => {
  test('nothing is sent until there is a new token, however long it takes', async () => {
    await ask(1, refused);
    expect(gate.state()).toBe('refused');
    expect(verdicts).toEqual(['tokenRefused']);
    await clock.advance(24 * 3_600_000);
    gate.release();
    expect(await ask(2)).toBe('closed');
    expect(gate.heldUntilMs()).toBeNull();
    gate.reopen();
    expect(gate.state()).toBe('ready');
    expect(await ask(2)).toBe('answered');
  });

  test('the refusal of an old token does not stop what a new one has begun', async () => {
    const old = begin(1);
    gate.reopen();
    await old.fail(refused);
    expect(gate.state()).toBe('ready');
    expect(verdicts).toEqual([]);
  });
});

describe('nobody there', () => {
  test('is reported once, and its return too', async () => {
    for (let round = 0; round < 3; round += 1) {
      await ask(1, down);
      await clock.advance(60_000);
    }
    expect(gate.state()).toBe('unreachable');
    expect(verdicts).toEqual(['unreachable']);
    await ask(1);
    expect(verdicts).toEqual(['unreachable', 'ready']);
  });

  test('whoever could not even ask says so too', async () => {
    gate.met(1, new AppFailure({ code: 'keychain', problem: 'unavailable' }));
    expect(gate.state()).toBe('unreachable');
  });
});

describe('trouble of one', () => {
  test('becomes the service’s when three different ones meet it in a row', async () => {
    await ask(1, broken);
    await ask(1, broken);
    await ask(2, broken);
    expect(gate.state()).toBe('ready');
    await ask(3, broken);
    expect(gate.state()).toBe('held');
  });

  test('is forgotten when somebody is answered, also with no', async () => {
    await ask(1, broken);
    await ask(2, broken);
    await ask(3, { code: 'missing', status: 404 });
    await ask(3, broken);
    expect(gate.state()).toBe('ready');
  });
});

describe('a prober', () => {
  beforeEach(async () => {
    await ask(1, busy(null));
    await clock.advance(1000);
  });

  test('that is stopped leaves its place to another', async () => {
    const stopped = new AbortController();
    const never = gate.send(
      2,
      stopped.signal,
      () =>
        new Promise((_, reject) => {
          stopped.signal.addEventListener('abort', () => reject(new Error('stopped')));
        }),
    );
    expect(await ask(3)).toBe('closed');
    stopped.abort();
    await expect(never).rejects.toThrow('stopped');
    expect(await ask(3)).toBe('answered');
  });

  test('that is told to wait again is waited for by all', async () => {
    expect(await ask(2, busy(null))).toBe('tooManyRequests');
    expect(gate.isOpen()).toBe(false);
    expect(gate.heldUntilMs()).toBe(clock.nowMs() + 1500);
  });
});

test('work that holds no slot waits until it is open, and stops when it is told to', async () => {
  await ask(1, busy(10_000));
  let isOpen = false;
  void untilOpen(gate, clock, open).then(() => (isOpen = true));
  const stopped = new AbortController();
  const waiting = untilOpen(gate, clock, stopped.signal).catch(() => 'stopped');
  stopped.abort(new Error('enough'));
  expect(await waiting).toBe('stopped');
  await clock.advance(10_000);
  expect(isOpen).toBe(false);
  await clock.advance(500);
  expect(isOpen).toBe(true);
});

test('a hold that ends while it is read is not waited for any more', async () => {
  await ask(1, busy(1000));
  const leftMs = gate.opensInMs() ?? 0;
  const justBeforeMs = clock.monotonicMs() + leftMs - 0.1;
  await clock.advance(leftMs);
  const read = vi.spyOn(clock, 'monotonicMs').mockReturnValueOnce(justBeforeMs);
  let isOpen = false;
  void untilOpen(gate, clock, open).then(() => (isOpen = true));
  read.mockRestore();
  await clock.advance(1);
  expect(isOpen).toBe(true);
});

test('who was to find out whether a hold is over, and is turned away, leaves that to others', async () => {
  const turns: (() => void)[] = [];
  const slow = createServiceGate({
    profileId: 'p',
    clock,
    limits: { takeRequest: () => new Promise((resolve) => turns.push(resolve)) },
    random: () => 0.5,
    report: () => undefined,
    onChanged: () => undefined,
  });
  slow.met(1, new AppFailure(busy(1000)));
  await clock.advance(slow.opensInMs() ?? 0);
  const late = slow.send(2, open, () => Promise.resolve()).catch((cause: unknown) => cause);
  expect(slow.isOpen()).toBe(false);
  slow.met(3, new AppFailure(refused));
  turns.forEach((go) => go());
  expect(await late).toBeInstanceOf(GateClosed);
  slow.reopen();
  expect(slow.isOpen()).toBe(true);
});

test('nothing is sent when the turn comes after the gate has closed', async () => {
  const turn = Promise.withResolvers<void>();
  let sent = 0;
  const slow = createServiceGate({
    profileId: 'p',
    clock,
    limits: { takeRequest: () => turn.promise },
    random: () => 0.5,
    report: () => undefined,
    onChanged: () => undefined,
  });
  const late = slow.send(1, open, async () => (sent += 1)).catch((cause: unknown) => cause);
  slow.met(2, new AppFailure(busy(60_000)));
  turn.resolve();
  expect(await late).toBeInstanceOf(GateClosed);
  expect(sent).toBe(0);
});
