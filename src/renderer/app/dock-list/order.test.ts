import { expect, it } from 'vitest';
import type { Priority } from '../../../shared/domain/transfer.ts';
import { around, targetAt, type Block, type Queued } from './use-reorder.ts';

const one = (id: number) => block([id]);
function block(ids: number[]): Block {
  const priority = queue.find(({ id }) => id === ids[0])?.priority ?? 'normal';
  return { priority, ids: new Set(ids) };
}

const queue: readonly Queued[] = (
  [
    [1, 'now'],
    [2, 'normal'],
    [3, 'normal'],
    [4, 'normal'],
    [5, 'whenIdle'],
  ] satisfies [number, Priority][]
).map(([id, priority]) => ({ id, priority }));

it('moves an entry before another of its priority', () => {
  expect(targetAt(queue, one(4), 1, true)).toEqual({ before: 2, place: 2, at: 1 });
  expect(targetAt(queue, one(2), 2, true)).toEqual({ before: 4, place: 3, at: 2 });
});

it('keeps an entry within its priority', () => {
  expect(targetAt(queue, one(3), 0, true)).toMatchObject({ before: 2 });
  expect(targetAt(queue, one(2), 4, true)).toMatchObject({ before: null, place: 4 });
  expect(targetAt(queue, one(5), 0, true)).toBeNull();
});

it('does not guess beyond the loaded rows', () => {
  const piece = queue.slice(0, 4);
  expect(targetAt(piece, one(2), 3, false)).toBeNull();
  expect(targetAt(piece, one(2), 3, true)).toMatchObject({ before: null });
  expect(targetAt(piece, one(99), 0, true)).toBeNull();
});

it('moves several of one priority together, also when not adjacent', () => {
  expect(targetAt(queue, block([2, 4]), 0, true)).toEqual({ before: 3, place: 2, at: 1 });
  expect(targetAt(queue, block([3, 2, 5]), 2, true)).toEqual({ before: null, place: 3, at: 2 });
  expect(targetAt(queue, block([2, 3, 4]), 1, true)).toBeNull();
  expect(around(queue, block([2, 4]))).toMatchObject({ start: 1, isWhole: false });
  expect(around(queue, block([2, 3]))).toMatchObject({ start: 1, isWhole: true });
});
