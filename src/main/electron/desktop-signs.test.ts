import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, expect, test } from 'vitest';
import { makeTestFolder } from '../../../test-support/main/test-ports.ts';
import { showsSigns } from './desktop-signs.ts';

let bus: ChildProcess | null = null;
afterEach(async () => {
  if (bus === null) return;
  const ended = once(bus, 'exit');
  bus.kill();
  await ended;
  bus = null;
});

/** A session bus that can start these services. @returns the environment of its programs */
async function startBus(...names: string[]) {
  const folder = await makeTestFolder();
  const services = join(folder, 'services');
  mkdirSync(services);
  for (const name of names)
    writeFileSync(join(services, `${name}.service`), `[D-BUS Service]\nName=${name}\nExec=/bin/false\n`);
  const config = join(folder, 'bus.conf');
  writeFileSync(
    config,
    `<busconfig><type>session</type><listen>unix:dir=${folder}</listen><servicedir>${services}</servicedir>
    <policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/></policy></busconfig>`,
  );
  const daemon = spawn('dbus-daemon', [`--config-file=${config}`, '--nofork', '--print-address'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  bus = daemon;
  const [address] = (await once(createInterface(daemon.stdout), 'line')) as [string];
  return { ...process.env, DBUS_SESSION_BUS_ADDRESS: address };
}

test.runIf(process.platform === 'linux').each([
  ['nothing', [], false],
  ['icons', ['org.kde.StatusNotifierWatcher'], true],
  ['notifications', ['org.freedesktop.Notifications'], true],
  ['something else', ['org.freedesktop.NotificationsOfMine'], false],
])('a desktop that shows %s', async (_what, names, isShown) => {
  expect(await showsSigns(await startBus(...names))).toBe(isShown);
});

test.runIf(process.platform === 'linux')('without a session bus nothing is shown', async () => {
  const environment = { ...process.env, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' };
  expect(await showsSigns(environment)).toBe(false);
});

test('where nobody can be asked, as on other systems, it counts as shown', async () => {
  expect(await showsSigns({ PATH: '/nowhere' }, 'linux')).toBe(true);
  expect(await showsSigns({ PATH: '/nowhere' }, 'win32')).toBe(true);
});
