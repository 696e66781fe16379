import { expect, test } from 'vitest';
import type { EventName, LeftBehind } from '../../shared/contract.ts';
import type { Context } from '../context.ts';
import { leaveNothing } from './leave-nothing.ts';

test.each(['transfers.ended', 'transfers.changed'] as const)(
  'sees at %s that nothing is left, while the clock stands still',
  async (event) => {
    const listeners = new Map<EventName, () => void>();
    const copy: LeftBehind = { kind: 'object', identifier: 'a', lastPart: '', count: 1, isGoing: true };
    let left = [copy];
    const looked = Promise.withResolvers<void>();
    const delay = (ms: number, signal?: AbortSignal) =>
      ms === 0
        ? Promise.resolve()
        : new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()));
    const context = {
      io: { clock: { monotonicMs: () => 0, delay } },
      coffer: {
        follow: async (name: EventName, listener: () => void) => void listeners.set(name, listener),
        async call(name: string) {
          if (name === 'services.list') return { services: [{ id: 's', baseAddress: 'https://a' }] };
          if (name === 'command.leftBehind') looked.resolve();
          return { left };
        },
      },
      interrupted: new AbortController().signal,
      waitMs: 1000,
    } as unknown as Context;
    const leaving = leaveNothing(context, false);
    await looked.promise;
    left = [];
    listeners.get(event)?.();
    expect(await leaving).toBe(false);
  },
);
