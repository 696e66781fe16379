import { afterEach, beforeEach, expect, test } from 'vitest';
import { World } from './test/world.ts';

let world: World;
beforeEach(async () => {
  world = await World.begin('fixed');
});
afterEach(() => world.leave());

test('uploads get through a service that takes one request a second', async () => {
  world.service.processingMs = 200;
  world.setWeather({ kind: 'oneASecond' });
  for (let count = 0; count < 8; count += 1) await world.upload();
  await world.clock.advance(120_000);
  expect(world.all().map(({ state }) => state)).toEqual(Array(8).fill('done'));
  await world.end();
});
