import { networkInterfaces } from 'node:os';
import { theChromium } from './app.ts';
import { provideOnly, refuse, ShellEmitter } from './refuse.ts';

/** How much further the wall clock goes than the other one before it counts as sleep. */
const sleepMs = 10_000;

/** Called now and then: whether the computer slept since the last call. A clock that is set forward looks the same. */
export function createSleepWatch(wallMs: () => number, awakeMs: () => number): () => boolean {
  let lastMs = wallMs() - awakeMs();
  return () => {
    const aheadMs = wallMs() - awakeMs();
    const hasSlept = aheadMs - lastMs > sleepMs;
    lastMs = aheadMs;
    return hasSlept;
  };
}

/*
 * Sleep is noticed afterwards: `suspend` and `resume` come together. `shutdown`, which logind tells Electron, never comes:
 * a session that ends sends signals, and for those Electron does not emit it. The lock of the screen Electron does not
 * tell on Linux either.
 */
class PowerMonitor extends ShellEmitter {
  constructor() {
    super('powerMonitor', ['suspend', 'resume', 'shutdown', 'lock-screen', 'unlock-screen']);
    const hasSlept = createSleepWatch(Date.now, () => performance.now());
    setInterval(() => {
      if (!hasSlept()) return;
      this.emit('suspend');
      this.emit('resume');
    }, 2_000).unref();
  }
}
export const powerMonitor = provideOnly('powerMonitor', new PowerMonitor());

export const net = provideOnly('net', {
  isOnline: (): boolean => {
    theChromium('net');
    return Object.values(networkInterfaces()).some((addresses) =>
      addresses?.some(({ internal }) => !internal),
    );
  },
  /** For what a protocol handler of a scheme of Chromium's lets through. */
  fetch: async (
    request: Request,
    options?: { bypassCustomProtocolHandlers?: boolean },
  ): Promise<Response> => {
    if (options?.bypassCustomProtocolHandlers !== true)
      refuse('net.fetch is provided past the protocol handlers only');
    return fetch(request);
  },
});
