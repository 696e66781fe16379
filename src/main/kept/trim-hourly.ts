import type { Clock, Log } from '../ports.ts';
import type { Kept } from './kept.ts';

const everyMs = 3_600_000;

/** What is beyond its time goes while Coffer runs too, which may be for months. */
export function trimHourly(deps: { kept: Pick<Kept, 'trim'>; clock: Clock; log: Log }): {
  close(): Promise<void>;
} {
  const { kept, clock, log } = deps;
  const closing = new AbortController();

  async function trimAgainAndAgain(): Promise<void> {
    for (;;) {
      await clock.delay(everyMs, closing.signal);
      await kept.trim().catch((cause: unknown) => log.error('what is kept was not trimmed', { cause }));
    }
  }
  const trimming = trimAgainAndAgain().catch(() => undefined); // it ends with Coffer alone

  return {
    async close() {
      closing.abort(new Error('Coffer closes'));
      await trimming;
    },
  };
}
