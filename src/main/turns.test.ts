import { expect, it } from 'vitest';
import { createTurns } from './turns.ts';

it('runs the work of a key in order, that of others beside it, and goes on after a failure', async () => {
  const inTurn = createTurns();
  const steps: string[] = [];
  const gate = Promise.withResolvers<void>();
  const slow = inTurn('a', async () => {
    steps.push('slow begins');
    await gate.promise;
    steps.push('slow ends');
    throw new Error('no luck');
  });
  const next = inTurn('a', async () => steps.push('next'));
  await inTurn('b', async () => steps.push('other'));
  expect(steps).toEqual(['slow begins', 'other']);
  gate.resolve();
  await expect(slow).rejects.toThrow('no luck');
  await next;
  expect(steps).toEqual(['slow begins', 'other', 'slow ends', 'next']);
});
