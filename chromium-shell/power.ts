import { networkInterfaces } from 'node:os';
import type * as Electron from 'electron';
import { theChromium } from './app.ts';
import { provideOnly, ShellEmitter } from './refuse.ts';

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
 * Sleep is noticed afterwards: `suspend` and `resume` come together. `shutdown` is a SIGTERM or SIGHUP, which is how a
 * session ends its programs. The lock of the screen Electron does not tell on Linux either.
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
    for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
      process.prependListener(signal, () => this.emit('shutdown'));
    }
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
} satisfies Partial<Electron.Net>);
