import { expect, it } from 'vitest';
import type { Priority } from '../../../shared/domain/transfer.ts';
import { targetAt, type Queued } from './order.ts';

const queue: readonly Queued[] = (
  [
    [1, 'now'],
    [2, 'normal'],
    [3, 'normal'],
    [4, 'normal'],
    [5, 'whenIdle'],
  ] satisfies [number, Priority][]
).map(([id, priority]) => ({ id, priority }));

it('puts one before another of its priority', () => {
  expect(targetAt(queue, 4, 1, true)).toEqual({ before: 2, place: 2, at: 1 });
  expect(targetAt(queue, 2, 2, true)).toEqual({ before: 4, place: 3, at: 2 });
});

it('stays among its own priority', () => {
  expect(targetAt(queue, 3, 0, true)).toMatchObject({ before: 2 });
  expect(targetAt(queue, 2, 4, true)).toMatchObject({ before: null, place: 4 });
  expect(targetAt(queue, 5, 0, true)).toBeNull();
});

it('does not guess what it cannot see', () => {
  const piece = queue.slice(0, 4);
  expect(targetAt(piece, 2, 3, false)).toBeNull();
  expect(targetAt(piece, 2, 3, true)).toMatchObject({ before: null });
  expect(targetAt(piece, 99, 0, true)).toBeNull();
});
