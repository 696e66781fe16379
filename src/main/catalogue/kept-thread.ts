import { AppFailure } from '../../shared/errors.ts';
import type { Clock } from '../ports.ts';
import { ThreadGone, type Ask } from './worker-rpc.ts';
import type { Thread } from './thread.ts';

/** Before each further try to start a thread that died. */
const restartWaitsMs = [100, 1000, 5000];
/** A thread that lived this long was well: if it dies, that is counted anew. */
const wellAfterMs = 60_000;

export interface KeptThread {
  readonly ask: Ask;
  readonly close: () => Promise<void>;
}

/**
 * Keeps a thread going: when it dies, another is started over the same folder. What was asked for and not answered
 * rejects with catalogueStopped, what is asked for meanwhile waits. When it dies again and again, everything rejects.
 * @param first the catalogue is open on it
 * @param startAnother opens the catalogue on another thread
 */
export function keepThread(
  first: Thread,
  startAnother: () => Promise<Thread>,
  onDied: (cause: unknown) => void,
  delay: Clock['delay'],
): KeptThread {
  const closing = new AbortController();
  let deaths = 0;
  let current = Promise.resolve(first);
  watch(first);

  function watch(thread: Thread): void {
    const startedMs = performance.now();
    void thread.ended.then((cause) => {
      if (closing.signal.aborted) return;
      onDied(cause);
      if (performance.now() - startedMs >= wellAfterMs) deaths = 0;
      current = restart();
      current.catch(() => undefined);
    });
  }

  async function restart(): Promise<Thread> {
    for (;;) {
      const waitMs = restartWaitsMs[deaths];
      deaths += 1;
      if (waitMs === undefined) throw new AppFailure({ code: 'catalogueStopped', isStartedAgain: false });
      await delay(waitMs, closing.signal);
      try {
        const thread = await startAnother();
        watch(thread);
        return thread;
      } catch (cause) {
        onDied(cause);
      }
    }
  }

  return {
    async ask(room, name, args) {
      const thread = await current;
      try {
        return await thread.ask(room, name, args);
      } catch (cause) {
        if (!(cause instanceof ThreadGone)) throw cause;
        throw new AppFailure({ code: 'catalogueStopped', isStartedAgain: true }, { cause });
      }
    },
    async close() {
      closing.abort();
      const thread = await current.catch(() => null);
      await thread?.file.close().catch((cause: unknown) => {
        if (!(cause instanceof ThreadGone)) throw cause;
      });
      await thread?.terminate();
    },
  };
}
