import { expect, test } from 'vitest';
import { createVirtualClock } from '../../test-support/main/transfers/virtual-clock.ts';
import { everyHour } from './hourly.ts';

const hourMs = 3_600_000;

test('what fails is told and tried again an hour later; closed, nothing is tried any more', async () => {
  const clock = createVirtualClock();
  const failure = new Error('the disk is away');
  const failures: unknown[] = [];
  let tries = 0;
  const work = async () => {
    tries += 1;
    if (tries === 1) throw failure;
  };
  const hourly = everyHour(clock, work, (cause) => failures.push(cause), 1000);
  await clock.advance(1000);
  expect([tries, failures]).toEqual([1, [failure]]);
  await clock.advance(hourMs);
  expect(tries).toBe(2);
  await hourly.close();
  await clock.advance(2 * hourMs);
  expect([tries, failures]).toEqual([2, [failure]]);
});
