import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A session bus of D-Bus. */
export type SessionBus = {
  /** For its programs. */
  env: { DBUS_SESSION_BUS_ADDRESS: string };
  stop: () => Promise<void>;
};

/** Starts a bus that says it can start these services; none of them answers. @param folder a new one, with a short path: that of a socket has 107 bytes */
export async function startSessionBus(folder: string, names: readonly string[]): Promise<SessionBus> {
  const services = join(folder, 'services');
  mkdirSync(services, { recursive: true });
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
  const [address] = (await once(createInterface(daemon.stdout), 'line')) as [string];
  return {
    env: { DBUS_SESSION_BUS_ADDRESS: address },
    async stop() {
      const ended = once(daemon, 'exit');
      daemon.kill();
      await ended;
    },
  };
}
