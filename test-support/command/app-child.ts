import { once } from 'node:events';
import { join } from 'node:path';
import { openAfterCommands } from '../../src/main/agent/open-after-commands.ts';
import { createApp } from '../../src/main/app.ts';
import { systemClock } from '../../src/main/clock.ts';
import { createKeychain } from '../../src/main/keychain.ts';
import type { Desktop, Dialogs } from '../../src/main/ports.ts';

/*
 * The app without its window, in a process that can be killed, with the given data folder and the session's keychain.
 * Prints `ready` when it is open, or the error, and quits when its input ends.
 */
const [userData = ''] = process.argv.slice(2);
const app = createApp(
  {
    keychain: createKeychain(),
    clock: systemClock,
    dialogs: {} as Dialogs,
    desktop: {
      notify: () => undefined,
      setProgress: () => undefined,
      setBadge: () => undefined,
    } as unknown as Desktop,
    appearance: { setTheme: () => undefined },
    systemProxy: { resolve: async () => 'DIRECT' },
    environment: {},
    systemLanguages: ['en'],
    paths: { userData, downloads: join(userData, 'downloads'), home: userData },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    publisher: { publish: () => undefined },
  },
  {
    version: '1.0.0',
    platform: 'linux',
    shell: 'chromium',
    files: { log: join(userData, 'logs', 'coffer.log'), licences: '' },
    crashes: { earlier: () => null, dismiss: () => undefined },
    commandFiles: [],
    localServiceWorker: new URL('../../src/local-service/worker.ts', import.meta.url),
    updates: null,
  },
  { open: openAfterCommands('1.0.0') },
);
const reply = await app.router('services.list', undefined);
process.stdout.write(reply.ok ? 'ready\n' : `${reply.error.code}\n`);
await once(process.stdin.resume(), 'end');
await app.close();
