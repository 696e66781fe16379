import { afterEach, expect, test } from 'vitest';
import { makeTestFolder } from '../../../test-support/main/test-ports.ts';
import { startSessionBus, type SessionBus } from '../../../test-support/session-bus.ts';
import { showsSigns } from './desktop-signs.ts';

let bus: SessionBus | null = null;
afterEach(async () => {
  await bus?.stop();
  bus = null;
});

test.runIf(process.platform === 'linux').each([
  ['nothing', [], false],
  ['icons', ['org.kde.StatusNotifierWatcher'], true],
  ['notifications', ['org.freedesktop.Notifications'], true],
  ['something else', ['org.freedesktop.NotificationsOfMine'], false],
])('a desktop that shows %s', async (_what, names, isShown) => {
  bus = await startSessionBus(await makeTestFolder(), names);
  expect(await showsSigns({ ...process.env, ...bus.env })).toBe(isShown);
});

test.runIf(process.platform === 'linux')('shows nothing without a session bus', async () => {
  const environment = { ...process.env, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' };
  expect(await showsSigns(environment)).toBe(false);
});

test('counts as shown where it can ask nobody, as on other systems', async () => {
  expect(await showsSigns({ PATH: '/nowhere' }, 'linux')).toBe(true);
  expect(await showsSigns({ PATH: '/nowhere' }, 'win32')).toBe(true);
});
