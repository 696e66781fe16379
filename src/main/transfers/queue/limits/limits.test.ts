import { expect, test } from 'vitest';
import {
  hoursOfWeek,
  settingsDefault,
  type Hour,
  type Settings,
} from '../../../../shared/domain/settings.ts';
import { createVirtualClock } from '../../../../../test-support/main/transfers/virtual-clock.ts';
import { createLimits } from './limits.ts';

const both = { uploadBytesPerSecond: 5_000_000, downloadBytesPerSecond: 1_000_000 };
const neither = { uploadBytesPerSecond: null, downloadBytesPerSecond: null };

/** `current()` with `hour` now and `next` from the next hour on. */
function said(hour: Hour, next: Hour, limits: Partial<Settings>) {
  const clock = createVirtualClock();
  const date = new Date(clock.nowMs());
  const now = ((date.getDay() + 6) % 7) * 24 + date.getHours();
  const hours = Array.from({ length: hoursOfWeek }, (_, at) => (at === now ? hour : next));
  const settings = { ...settingsDefault, ...limits, limitByHour: true, hours };
  const nextHourMs = date.setMinutes(60, 0, 0);
  const current = createLimits(clock, () => settings).current();
  return current && { ...current, untilMs: current.untilMs === nextHourMs ? 'next hour' : current.untilMs };
}

test('tells the present limit and when it ends, also while only a later one applies', () => {
  expect(said('limited', 'full', both)).toEqual({ ...both, untilMs: 'next hour' });
  expect(said('full', 'limited', both)).toEqual({ ...neither, untilMs: 'next hour' });
  expect(said('paused', 'full', both)).toMatchObject({ untilMs: 'next hour' });
  expect(said('full', 'full', both)).toBeNull();
  expect(said('limited', 'full', neither)).toBeNull();
});
