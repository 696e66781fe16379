import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hoursOfWeek, type Hour } from '../../../shared/domain/settings.ts';
import { serviceId } from '../../../../test-support/main/transfers/world-acts.ts';
import { World } from '../../../../test-support/main/transfers/world.ts';

/** The computer's clock was a year ahead, and is corrected. Times written meanwhile are a year in the future. */

const minuteMs = 60_000;
const yearMs = 365 * 24 * 60 * minuteMs;
let world: World;
beforeEach(async () => {
  world = await World.begin();
  world.clock.setWall(yearMs);
});
afterEach(() => world.leave());

const states = async () => [...(await world.transfers()), ...(await world.jobs())].map(({ state }) => state);

/** Corrects the clock. After a restart only the times in the database are left. */
async function putRight(isRestarted: boolean): Promise<void> {
  world.clock.setWall(-yearMs);
  if (isRestarted) await world.kill(1000);
}

describe.each([
  ['while Coffer runs', false],
  ['over a restart', true],
])('%s', (_name, isRestarted) => {
  test('a download that waits for its next try does not wait for a year', async () => {
    world.service.put('a', Buffer.from('bytes'), 'stranger');
    world.service.weatherOf = (what) => (what === 'GET' ? { kind: 'errors' } : null);
    await world.download('a');
    await world.clock.advance(3000);
    expect(await states()).toEqual(['waiting']);
    world.service.weatherOf = () => null;
    await putRight(isRestarted);
    for (const { retryAtMs } of await world.transfers())
      expect((retryAtMs ?? 0) - world.clock.nowMs()).toBeLessThanOrEqual(minuteMs);
    await world.clock.advance(2 * minuteMs);
    expect(await states()).toEqual(['done']);
  });

  test('a Replace verifies once more a minute after it has stored', async () => {
    await world.upload('a', { ifExists: 'replace' });
    await world.clock.advance(minuteMs);
    await world.upload('a', { ifExists: 'replace', text: 'new' });
    await world.clock.advance(10_000);
    await putRight(isRestarted);
    const [replace] = (await world.transfers()).toSorted((a, b) => b.id - a.id);
    expect(replace?.replacing?.step).toBe('check');
    expect((replace?.replacing?.againAtMs ?? Infinity) - world.clock.nowMs()).toBeLessThanOrEqual(minuteMs);
    await world.clock.advance(3 * minuteMs);
    expect(await states()).toEqual(['done', 'done']);
  });

  test('a hold of the service ends on time', async () => {
    world.setWeather({ kind: 'tooMany', retryAfterMs: 2 * minuteMs });
    await world.upload('a');
    await world.clock.advance(1000);
    await putRight(isRestarted);
    expect(
      (world.engine.breakers.of(serviceId).heldUntilMs() ?? 0) - world.clock.nowMs(),
    ).toBeLessThanOrEqual(2 * minuteMs + 1000);
    world.service.weather = { kind: 'fine' };
    await world.clock.advance(3 * minuteMs);
    expect(await states()).toEqual(['done']);
  });

  test('continues to check a deferred upload', async () => {
    world.service.processingMs = 20_000;
    await world.upload('a', { route: 'deferred' });
    await world.clock.advance(5000);
    await putRight(isRestarted);
    await world.clock.advance(minuteMs);
    expect(await states()).toEqual(['done']);
  });

  test('gives up a deferred download after its window if the service does not answer', async () => {
    world.service.put('a', Buffer.from('bytes'), 'stranger');
    world.service.processingMs = 20_000;
    await world.download('a', 'deferred');
    await world.clock.advance(5000);
    expect(await states()).toEqual(['processing']);
    world.setWeather({ kind: 'unreachable' });
    await putRight(isRestarted);
    await world.clock.advance(35 * minuteMs);
    expect(await states()).toEqual(['lost']);
  });

  test('retries what failed with all others', async () => {
    world.service.refuses = () => ({ code: 'forbidden', status: 403 });
    await world.upload('a');
    await world.clock.advance(1000);
    expect(await states()).toEqual(['failed']);
    world.service.refuses = () => null;
    await putRight(isRestarted);
    await world.settle(world.engine.actions.retry({ kind: 'all' }));
    await world.clock.advance(minuteMs);
    expect(await states()).toEqual(['done']);
  });
});

test('a paused hour ends when the clock is corrected to another one', async () => {
  const now = new Date(world.clock.nowMs() - yearMs);
  const hours = Array.from({ length: hoursOfWeek }, (): Hour => 'paused');
  // Only the hour of the true clock, and some after it, are free.
  const free = ((now.getDay() + 6) % 7) * 24 + now.getHours();
  for (let hour = free; hour < free + 6; hour += 1) hours[hour % hoursOfWeek] = 'full';
  world.settings = { ...world.settings, limitByHour: true, hours };
  await world.upload('a');
  await world.clock.advance(10_000);
  expect(await states()).toEqual(['waiting']);
  await putRight(false);
  await world.clock.advance(2 * minuteMs);
  expect(await states()).toEqual(['done']);
});
