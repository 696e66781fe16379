import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { systemClock } from './clock.ts';

it('waits, or rejects with the reason of its signal, and leaves nothing on it', async () => {
  const off = new AbortController();
  await systemClock.delay(1, off.signal);
  expect(getEventListeners(off.signal, 'abort')).toEqual([]);
  const waiting = systemClock.delay(60_000, off.signal);
  off.abort(new Error('not any more'));
  await expect(waiting).rejects.toThrow('not any more');
  await expect(systemClock.delay(60_000, off.signal)).rejects.toThrow('not any more');
});
