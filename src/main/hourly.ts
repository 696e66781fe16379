import type { Clock } from './ports.ts';

const hourMs = 3_600_000;

export interface Hourly {
  /** Resolves when what runs at the moment has ended. */
  readonly close: () => Promise<void>;
}

/**
 * Does this once an hour while Coffer runs, which may be for months. A failure is told, and tried again an hour later.
 * @param firstAfterMs from now
 */
export function everyHour(
  clock: Clock,
  work: () => Promise<void>,
  onFailed: (cause: unknown) => void,
  firstAfterMs = hourMs,
): Hourly {
  const closing = new AbortController();

  async function repeat(): Promise<void> {
    for (let delayMs = firstAfterMs; ; delayMs = hourMs) {
      await clock.delay(delayMs, closing.signal);
      await work().catch(onFailed);
    }
  }
  const repeating = repeat().catch(() => undefined); // it ends with Coffer alone

  return {
    async close() {
      closing.abort(new Error('Coffer closes'));
      await repeating;
    },
  };
}
