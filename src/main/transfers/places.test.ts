import { expect, test } from 'vitest';
import { createPlaces } from './places.ts';

test('what is asked beside files waits for a place, and goes before the next file', async () => {
  const places = createPlaces(() => 2);
  const { signal } = new AbortController();
  const leaveFile = places.take();
  const leaveFirst = await places.wait(signal);
  expect(places.hasRoom()).toBe(false);
  const second = places.wait(signal);
  leaveFile();
  const leaveSecond = await second;
  expect(places.hasRoom()).toBe(false);
  leaveFirst();
  leaveSecond();
  expect(places.hasRoom()).toBe(true);
});

test('who stops waiting keeps no place, also when its turn comes at that moment', async () => {
  const places = createPlaces(() => 1);
  const stop = new AbortController();
  const leave = places.take();
  const [stopped, late] = [places.wait(stop.signal), places.wait(stop.signal)];
  stop.abort(new Error('stopped'));
  leave();
  await expect(Promise.all([stopped, late])).rejects.toThrow('stopped');
  await expect(late).rejects.toThrow('stopped');
  expect(places.hasRoom()).toBe(true);
});
