import { setImmediate } from 'node:timers/promises';

/**
 * Runs one piece of work at a time, in the order of the calls. A failure reaches only its own caller; the next work
 * runs all the same. Work starts in a later microtask, never within the call. Not re-entrant: work that awaits its
 * own mutex waits for ever.
 *
 * @example
 * const mutex = new Mutex();
 * const increment = () =>
 *   mutex.runExclusive(async () => {
 *     await write((await read()) + 1);
 *   });
 * await Promise.all([increment(), increment()]); // two more, not one
 */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  runExclusive<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(() => work());
    this.#last = result.catch(() => undefined);
    return result;
  }
}

/**
 * A `Mutex` for each key, kept only while work of that key runs or waits. Work of different keys runs concurrently.
 *
 * @example
 * const mutex = new KeyedMutex<string>();
 * const rename = (id: string, name: string) =>
 *   mutex.runExclusive(id, async () => {
 *     await put(id, { ...(await get(id)), name });
 *   });
 */
export class KeyedMutex<Key> {
  readonly #last = new Map<Key, Promise<unknown>>();

  runExclusive<T>(key: Key, work: () => Promise<T>): Promise<T> {
    const result = (this.#last.get(key) ?? Promise.resolve()).then(() => work());
    const settled = result.catch(() => undefined);
    this.#last.set(key, settled);
    void settled.then(() => {
      if (this.#last.get(key) === settled) this.#last.delete(key);
    });
    return result;
  }
}

/** Returns a permit; call once. */
export type Release = () => void;

/**
 * Calls `work` for each item, at most `limit` at once, and resolves with the results in the order of the items. After
 * a failure nothing more starts; rejects with the first failure when all running work has ended.
 * @param limit a number, or a function that lends room: then one item always runs, more run while it returns a
 * `Release`, and the room is returned after each item, so that others who wait for it have their turn
 *
 * @example
 * const sizes = await mapConcurrent(paths, 4, async (path) => (await stat(path)).size);
 */
export async function mapConcurrent<T, R>(
  items: Iterable<T> | AsyncIterable<T>,
  limit: number | (() => Release | null),
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  let isOwnFree = true;

  function takeRoom(): Release | null {
    if (typeof limit === 'number') return running.size < limit ? () => undefined : null;
    if (!isOwnFree) return limit();
    isOwnFree = false;
    return () => (isOwnFree = true);
  }

  /** null: something has failed. */
  async function waitForRoom(): Promise<Release | null> {
    while (failures.length === 0) {
      const release = takeRoom();
      if (release) return release;
      await Promise.race(running);
      // Let others that wait for the returned room go first.
      await setImmediate();
    }
    return null;
  }

  function start(item: T, index: number, release: Release): void {
    const done = work(item)
      .then(
        (result) => void (results[index] = result),
        (cause: unknown) => void failures.push(cause),
      )
      .finally(() => {
        running.delete(done);
        release();
      });
    running.add(done);
  }

  try {
    let index = 0;
    for await (const item of items) {
      const release = await waitForRoom();
      if (release === null) break;
      start(item, index++, release);
    }
  } catch (cause) {
    failures.push(cause);
  }
  await Promise.all(running);
  if (failures.length > 0) throw failures[0];
  return results;
}

/**
 * Waits for `work` until the signal is aborted, then rejects with its reason. The work itself continues.
 *
 * @example
 * const stats = await untilAborted(stat(path), signal);
 */
export function untilAborted<T>(work: Promise<T> | T, signal: AbortSignal): Promise<T> {
  // By hand, as it stands in the way of each request: `Promise.race` takes several promises more.
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    const settle =
      <V>(pass: (value: V) => void) =>
      (value: V) => {
        signal.removeEventListener('abort', onAbort);
        pass(value);
      };
    Promise.resolve(work).then(settle(resolve), settle(reject));
  });
}
