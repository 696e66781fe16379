import { networkInterfaces } from 'node:os';
import type * as Electron from 'electron';
import { theChromium } from './app.ts';
import { provideOnly, refuse, ShellEmitter } from './refuse.ts';

/** How far wall time must get ahead of monotonic time, in ms, to count as sleep. */
const sleepMs = 10_000;

/** Called periodically: whether the computer slept since the last call. Setting the clock forward looks the same. */
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
 * Sleep is noticed afterwards: `suspend` and `resume` are emitted together. `shutdown` is never emitted, because a
 * session that ends here sends signals. Electron does not report screen locks on Linux either.
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
  /** On Linux Electron misses shutdowns if the first listener is for `shutdown` (lib/browser/api/power-monitor.ts). */
  override on(event: string, listener: (...args: unknown[]) => void): this {
    const isFirst = this.eventNames().every((name) => name === 'newListener');
    if (isFirst && event === 'shutdown')
      refuse('powerMonitor never tells of a shutdown if its first listener is for that');
    return super.on(event, listener);
  }
}
export const powerMonitor = provideOnly('powerMonitor', new PowerMonitor());

/** Only keeps account, so that a test sees what would keep the computer awake. */
const blockers = new Set<number>();
let lastBlocker = -1;
export const powerSaveBlocker = provideOnly('powerSaveBlocker', {
  start(type: string): number {
    theChromium('powerSaveBlocker');
    if (type !== 'prevent-app-suspension') refuse(`powerSaveBlocker: "${type}" is not provided`);
    lastBlocker += 1;
    blockers.add(lastBlocker);
    return lastBlocker;
  },
  stop: (id: number): boolean => blockers.delete(id),
  isStarted: (id: number): boolean => blockers.has(id),
} satisfies typeof Electron.powerSaveBlocker);

export const net = provideOnly('net', {
  isOnline: (): boolean => {
    theChromium('net');
    return Object.values(networkInterfaces()).some((addresses) =>
      addresses?.some(({ internal }) => !internal),
    );
  },
  /** For requests that a protocol handler passes on. */
  fetch: async (
    request: Request,
    options?: { bypassCustomProtocolHandlers?: boolean },
  ): Promise<Response> => {
    if (options?.bypassCustomProtocolHandlers !== true)
      refuse('net.fetch is provided past the protocol handlers only');
    return fetch(request);
  },
});
