import { setImmediate } from 'node:timers/promises';

/**
 * Does something about each, as many at once as there is room for: one always, more while `borrow` gives room, which goes back after
 * each so that others have their turn. After a failure nothing more begins. @throws the first failure, when all that ran has ended
 */
export async function doSideBySide<T>(
  items: readonly T[],
  borrow: () => (() => void) | null,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = [...items];
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  let isOwnFree = true;

  function takeRoom(): (() => void) | null {
    if (!isOwnFree) return borrow();
    isOwnFree = false;
    return () => (isOwnFree = true);
  }

  for (;;) {
    while (queue.length > 0 && failures.length === 0) {
      const leave = takeRoom();
      if (leave === null) break;
      const done = work(queue.shift() as T)
        .catch((cause: unknown) => void failures.push(cause))
        .finally(() => {
          running.delete(done);
          leave();
        });
      running.add(done);
    }
    if (running.size === 0) break;
    await Promise.race(running);
    // Who waits for the room that was just left goes first.
    await setImmediate();
  }
  if (failures.length > 0) throw failures[0];
}
