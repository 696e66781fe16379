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

/**
 * Calls `work` for each item, at most `limit` at once, and resolves with the results in the order of the items. After
 * a failure nothing more starts; rejects with the first failure when all running work has ended.
 *
 * @example
 * const sizes = await mapConcurrent(paths, 4, async (path) => (await stat(path)).size);
 */
export async function mapConcurrent<T, R>(
  items: Iterable<T> | AsyncIterable<T>,
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];

  function start(item: T, index: number): void {
    const done = work(item)
      .then(
        (result) => void (results[index] = result),
        (cause: unknown) => void failures.push(cause),
      )
      .finally(() => running.delete(done));
    running.add(done);
  }

  try {
    let index = 0;
    for await (const item of items) {
      while (running.size >= limit && failures.length === 0) await Promise.race(running);
      if (failures.length > 0) break;
      start(item, index++);
    }
  } catch (cause) {
    failures.push(cause);
  }
  await Promise.all(running);
  if (failures.length > 0) throw failures[0];
  return results;
}

/**
 * Calls `work` for each item, and for the next one as soon as the one before calls `onTurn` or ends: of what waits for
 * its turn elsewhere, one at a time waits there. Failures as with `mapConcurrent`.
 *
 * @example
 * await eachInTurn(paths, async (path, onTurn) => {
 *   await permits.acquire();
 *   onTurn();
 *   await upload(path).finally(() => permits.release());
 * });
 */
export async function eachInTurn<T>(
  items: Iterable<T>,
  work: (item: T, onTurn: () => void) => Promise<void>,
): Promise<void> {
  const running: Promise<void>[] = [];
  const failures: unknown[] = [];
  for (const item of items) {
    const { promise: turn, resolve: onTurn } = Promise.withResolvers<void>();
    const failed = (cause: unknown) => void failures.push(cause);
    running.push(work(item, onTurn).catch(failed).finally(onTurn));
    await turn;
    if (failures.length > 0) break;
  }
  await Promise.all(running);
  if (failures.length > 0) throw failures[0];
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
