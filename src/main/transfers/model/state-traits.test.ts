import { expect, test } from 'vitest';
import { statesWhere } from './state-traits.ts';

test('what is finished is in no group of what goes on, and only what has not succeeded may begin again', () => {
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

test('bytes that are on their way may all go again, and nobody says of them that they have arrived', () => {
  expect(statesWhere(({ movesBytes }) => movesBytes === true)).toEqual(['sending', 'receiving']);
  expect(statesWhere((traits) => traits.movesBytes === true && !traits.isBeginning)).toEqual([]);
  expect(statesWhere((traits) => traits.movesBytes === true && traits.mayHaveArrived === true)).toEqual([]);
});
