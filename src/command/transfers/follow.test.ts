import { expect, onTestFinished, test, vi } from 'vitest';
import type { EventName } from '../../shared/contract.ts';
import type { Transfer } from '../../shared/domain/transfer.ts';
import { Sleeper } from '../../main/lib/timers.ts';
import type { Context } from '../context.ts';
import { exitCodes } from '../errors/exit-code.ts';
import { followTransfers } from './follow.ts';

type Listener = (payload: unknown) => void;

/** A command that follows transfers. @param look the states that a poll finds, by id */
function contextOf(clock: unknown, look: () => Record<number, Transfer['state']>) {
  const listeners = new Map<EventName, Listener>();
  const context = {
    io: { clock },
    coffer: {
      follow: async (event: EventName, listener: Listener) => void listeners.set(event, listener),
      async call(_name: string, { ids }: { ids: number[] }) {
        const states = look();
        return { transfers: ids.map((id) => ({ id, state: states[id] }) as Transfer) };
      },
    },
    output: { showsProgress: false, progress: () => undefined },
    interrupted: new AbortController().signal,
    makeWay: new AbortController().signal,
    temporaryFolder: null,
    waitMs: 0,
  } as unknown as Context;
  return { context, tell: (event: EventName, payload: unknown) => listeners.get(event)?.(payload) };
}

test('ends with the last transfer, while the clock stands still', async () => {
  const never: (ms: number, signal: AbortSignal) => Promise<void> = (_ms, signal) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('woken'))));
  const states: Record<number, Transfer['state']> = { 1: 'uploading', 2: 'uploading' };
  let looks = 0;
  const { context, tell } = contextOf({ monotonicMs: () => 0, delay: never }, () => {
    looks += 1;
    return { ...states };
  });
  const ended = vi.fn<(transfer: Transfer) => void>();
  const following = followTransfers(context, [1, 2], { ended });
  const end = (id: number) => {
    states[id] = 'done';
    tell('transfers.ended', { ids: [id] });
  };
  await new Promise(setImmediate);
  end(1);
  await new Promise(setImmediate);
  expect(looks).toBe(0);
  end(2);
  expect(await following).toBe(exitCodes.done);
  expect(looks).toBe(1);
  expect(ended.mock.calls.map(([{ id }]) => id)).toEqual([1, 2]);
});

test('looks again at what ended during a look', async () => {
  const clock = {
    monotonicMs: () => 0,
    delay: (ms: number, signal: AbortSignal) =>
      ms < 1
        ? Promise.resolve()
        : new Promise((_resolve, reject) =>
            signal.addEventListener('abort', () => reject(new Error('woken'))),
          ),
  };
  let looks = 0;
  const { context, tell } = contextOf(clock, () => {
    looks += 1;
    if (looks > 1) return { 1: 'done' };
    tell('transfers.ended', { ids: [1] });
    return { 1: 'uploading' };
  });
  expect(await followTransfers(context, [1], { ended: () => undefined })).toBe(exitCodes.done);
  expect(looks).toBe(2);
});

test('polls once a second what is not announced', async () => {
  let nowMs = 0;
  const sleeps: number[] = [];
  const sleep = vi.spyOn(Sleeper.prototype, 'sleep').mockImplementation(async (forMs) => {
    sleeps.push(forMs);
    nowMs += forMs;
  });
  onTestFinished(() => sleep.mockRestore());
  let looks = 0;
  const { context } = contextOf({ monotonicMs: () => nowMs }, () => {
    looks += 1;
    nowMs += 2;
    return { 1: looks < 4 ? 'uploading' : 'done' };
  });
  expect(await followTransfers(context, [1], { ended: () => exitCodes.done })).toBe(exitCodes.done);
  expect(sleeps).toEqual([0.25, 20, 1000, 20, 1000, 20, 1000]);
});

test('stops waiting for a service once it was held up for as long as it may be', async () => {
  let nowMs = 0;
  const sleep = vi.spyOn(Sleeper.prototype, 'sleep').mockImplementation(async (forMs) => {
    nowMs += forMs;
  });
  onTestFinished(() => sleep.mockRestore());
  const { context } = contextOf({ monotonicMs: () => nowMs }, () => ({ 1: 'uploading' }));
  const call = context.coffer.call.bind(context.coffer);
  const held = async (...asked: Parameters<typeof call>) => {
    const { transfers } = (await call(...asked)) as { transfers: Transfer[] };
    return { transfers: transfers.map((each) => ({ ...each, waitingFor: 'network' })) };
  };
  const output = { ...context.output, error: () => undefined, value: () => undefined };
  const coffer = { ...context.coffer, call: held } as unknown as Context['coffer'];
  expect(
    await followTransfers({ ...context, coffer, output, waitMs: 300 }, [1], { ended: () => undefined }),
  ).toBe(exitCodes.tryLater);
  expect(Math.ceil(nowMs)).toBe(302);
});
