import { expect, test } from 'vitest';
import { statesWhere } from './state.ts';

test('finished states are in no group of running ones, and only unsuccessful ones are retryable', () => {
  expect(statesWhere(({ life }) => life === 'failed' || life === 'over')).toEqual([
    'done',
    'failed',
    'lost',
    'cancelled',
  ]);
  expect(statesWhere(({ life, group }) => life === 'working' && group !== 'running')).toEqual([]);
  expect(statesWhere(({ life, group }) => life === 'over' && group !== 'done')).toEqual([]);
  expect(statesWhere(({ isRetryable }) => isRetryable === true)).toEqual(['failed', 'lost', 'cancelled']);
});

test('states that move bytes start over and never count as arrived', () => {
  expect(statesWhere(({ movesBytes }) => movesBytes === true)).toEqual(['sending', 'receiving']);
  expect(statesWhere((traits) => traits.movesBytes === true && !traits.isBeginning)).toEqual([]);
  expect(statesWhere((traits) => traits.movesBytes === true && traits.mayHaveArrived === true)).toEqual([]);
});
