import type { Clock } from '../ports.ts';

/** Waits before each further start after a death. */
const restartWaitsMs = [100, 1000, 5000];
/** After this lifetime a death counts as the first again. */
const healthyAfterMs = 60_000;

interface Options<W> {
  readonly startAnother: () => Promise<W>;
  /** A worker died or could not be started. */
  readonly onDied: (cause: unknown) => void;
  /** The error that `current` rejects with after the last try. */
  readonly giveUp: () => Error;
  readonly clock: Pick<Clock, 'delay' | 'monotonicMs'>;
}

/**
 * Keeps a worker running: when it dies, another is started after a wait. A failed start counts as a death. Gives up at
 * the fourth death in a row that comes within a minute of its start.
 * @typeParam W `ended` resolves with the cause when the worker has ended for any reason
 *
 * @example
 * const parsers = new RestartingWorker(await startParser(), {
 *   startAnother: startParser,
 *   onDied: (cause) => log.warn('the parser died', { cause }),
 *   giveUp: () => new Error('the parser dies at once'),
 *   clock,
 * });
 * const parser = await parsers.current; // before each call
 */
export class RestartingWorker<W extends { readonly ended: Promise<unknown> }> {
  readonly #options: Options<W>;
  readonly #closing = new AbortController();
  #current: Promise<W>;
  #deaths = 0;

  constructor(first: W, options: Options<W>) {
    this.#options = options;
    this.#current = Promise.resolve(first);
    this.#watch(first);
  }

  /** The running worker, or the next one while none runs. */
  get current(): Promise<W> {
    return this.#current;
  }

  /** Starts no other worker. @returns the last one, for the caller to end; null: none */
  async close(): Promise<W | null> {
    this.#closing.abort();
    return this.#current.catch(() => null);
  }

  #watch(worker: W): void {
    const { clock, onDied } = this.#options;
    const startedMs = clock.monotonicMs();
    void worker.ended.then((cause) => {
      if (this.#closing.signal.aborted) return;
      onDied(cause);
      if (clock.monotonicMs() - startedMs >= healthyAfterMs) this.#deaths = 0;
      this.#current = this.#restart();
      this.#current.catch(() => undefined);
    });
  }

  async #restart(): Promise<W> {
    const { startAnother, onDied, giveUp, clock } = this.#options;
    for (;;) {
      const waitMs = restartWaitsMs[this.#deaths];
      this.#deaths += 1;
      if (waitMs === undefined) throw giveUp();
      await clock.delay(waitMs, this.#closing.signal);
      try {
        const worker = await startAnother();
        this.#watch(worker);
        return worker;
      } catch (cause) {
        onDied(cause);
      }
    }
  }
}
