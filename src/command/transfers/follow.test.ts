import { expect, onTestFinished, test, vi } from 'vitest';
import type { Transfer } from '../../shared/domain/transfer.ts';
import { Sleeper } from '../../main/lib/timers.ts';
import type { Context } from '../context.ts';
import { exitCodes } from '../errors/exit-code.ts';
import { followTransfers } from './follow.ts';

test('notices a quick end before its event, and polls long transfers once a second', async () => {
  let nowMs = 0;
  const clock = { monotonicMs: () => nowMs, delay: async () => undefined };
  const sleeps: number[] = [];
  const sleep = vi.spyOn(Sleeper.prototype, 'sleep').mockImplementation(async (forMs) => {
    sleeps.push(forMs);
    nowMs += forMs;
  });
  onTestFinished(() => sleep.mockRestore());
  let looks = 0;
  const transfer = () => ({ state: looks < 15 ? 'uploading' : 'done' }) as Transfer;
  const context = {
    io: { clock },
    coffer: {
      follow: async () => undefined,
      async call() {
        looks += 1;
        nowMs += 1;
        return { transfers: [transfer()] };
      },
    },
    output: { showsProgress: false, progress: () => undefined },
    interrupted: new AbortController().signal,
    makeWay: new AbortController().signal,
    waitMs: 0,
  } as unknown as Context;
  expect(await followTransfers(context, [1], { ended: () => exitCodes.done })).toBe(exitCodes.done);
  expect(sleeps).toEqual([1, 3, 7, 15, 31, 63, 127, 255, 511, 1000, 1000, 1000, 1000, 1000]);
});
