/**
 * Works on `limit` items at a time, in their order. After a failure nothing new begins; rejects with the first one when
 * everything under way has ended.
 */
export async function workInParallel<T>(
  items: AsyncIterable<T>,
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.asyncIterator]();
  let hasFailed = false;
  const workers = Array.from({ length: limit }, async () => {
    try {
      while (!hasFailed) {
        const next = await iterator.next();
        if (next.done) return;
        await work(next.value);
      }
    } catch (cause) {
      hasFailed = true;
      throw cause;
    }
  });
  for (const outcome of await Promise.allSettled(workers)) {
    if (outcome.status === 'rejected') throw outcome.reason;
  }
}
