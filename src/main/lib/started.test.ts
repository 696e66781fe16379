import { expect, it } from 'vitest';
import { Started } from './started.ts';

it('closes what was started in the opposite order, once, one after the other', async () => {
  const started = new Started();
  const closed: string[] = [];
  started.add(() => closed.push('first'));
  started.add(async () => {
    await Promise.resolve();
    closed.push('second');
  });
  started.add(() => closed.push('third'));
  await started.close();
  await started.close();
  expect(closed).toEqual(['third', 'second', 'first']);
});

it('closes the others, too, when one fails, and tells the first failure', async () => {
  const started = new Started();
  const closed: string[] = [];
  started.add(() => closed.push('first'));
  started.add(() => Promise.reject(new Error('second')));
  started.add(() => {
    throw new Error('third');
  });
  await expect(started.close()).rejects.toThrow('third');
  expect(closed).toEqual(['first']);
});
