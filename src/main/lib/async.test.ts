import { getEventListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { KeyedMutex, mapConcurrent, Mutex, untilAborted } from './async.ts';

describe('Mutex', () => {
  test('runs work in order, starts none within the call, and continues after a failure', async () => {
    const mutex = new Mutex();
    const steps: string[] = [];
    const breaker = Promise.withResolvers<void>();
    const slow = mutex.runExclusive(async () => {
      steps.push('slow begins');
      await breaker.promise;
      steps.push('slow ends');
      throw new Error('no luck');
    });
    const next = mutex.runExclusive(async () => steps.push('next'));
    expect(steps).toEqual([]);
    await setImmediate();
    expect(steps).toEqual(['slow begins']);
    breaker.resolve();
    await expect(slow).rejects.toThrow('no luck');
    expect(await next).toBe(3);
    expect(steps).toEqual(['slow begins', 'slow ends', 'next']);
  });
});

describe('KeyedMutex', () => {
  test('runs the work of a key in order and that of others concurrently, and continues after a failure', async () => {
    const mutex = new KeyedMutex<string>();
    const steps: string[] = [];
    const breaker = Promise.withResolvers<void>();
    const slow = mutex.runExclusive('a', async () => {
      steps.push('slow begins');
      await breaker.promise;
      steps.push('slow ends');
      throw new Error('no luck');
    });
    const next = mutex.runExclusive('a', async () => steps.push('next'));
    await mutex.runExclusive('b', async () => steps.push('other'));
    expect(steps).toEqual(['slow begins', 'other']);
    breaker.resolve();
    await expect(slow).rejects.toThrow('no luck');
    await next;
    expect(steps).toEqual(['slow begins', 'other', 'slow ends', 'next']);
  });
});

describe('mapConcurrent', () => {
  /** Work that ends on demand. */
  function createWork() {
    const begun: string[] = [];
    const open = new Map<string, PromiseWithResolvers<string>>();
    return {
      begun,
      work: (item: string) => {
        const result = Promise.withResolvers<string>();
        begun.push(item);
        open.set(item, result);
        return result.promise;
      },
      end: async (item: string) => {
        open.get(item)?.resolve(item.toUpperCase());
        await settle();
      },
      fail: async (item: string) => {
        open.get(item)?.reject(new Error(`${item} failed`));
        await settle();
      },
    };
  }
  const settle = async () => {
    for (let turns = 0; turns < 5; turns += 1) await setImmediate();
  };

  test('runs no more than the limit at once, and returns results in the order of the items', async () => {
    const { begun, work, end } = createWork();
    const results = mapConcurrent(['a', 'b', 'c'], 2, work);
    await settle();
    expect(begun).toEqual(['a', 'b']);
    await end('b');
    expect(begun).toEqual(['a', 'b', 'c']);
    await end('c');
    await end('a');
    expect(await results).toEqual(['A', 'B', 'C']);
  });

  test('starts nothing after a failure, and rejects with the first one when all running work has ended', async () => {
    const { begun, work, end, fail } = createWork();
    let isOver = false;
    const results = mapConcurrent(['a', 'b', 'c', 'd'], 3, work).finally(() => (isOver = true));
    results.catch(() => undefined);
    await settle();
    await fail('b');
    await fail('a');
    expect([begun, isOver]).toEqual([['a', 'b', 'c'], false]);
    await end('c');
    await expect(results).rejects.toThrow('b failed');
    expect(begun).toEqual(['a', 'b', 'c']);
  });

  test('waits for running work when the items fail', async () => {
    const { begun, work, end } = createWork();
    async function* items() {
      yield 'a';
      throw new Error('no more');
    }
    let isOver = false;
    const results = mapConcurrent(items(), 2, work).finally(() => (isOver = true));
    results.catch(() => undefined);
    await settle();
    expect([begun, isOver]).toEqual([['a'], false]);
    await end('a');
    await expect(results).rejects.toThrow('no more');
  });

  test('runs one item without borrowed room, more with it, and returns the room after each', async () => {
    const { begun, work, end } = createWork();
    let free = 0;
    const borrow = () => {
      if (free === 0) return null;
      free -= 1;
      return () => (free += 1);
    };
    const results = mapConcurrent(['a', 'b', 'c', 'd'], borrow, work);
    await settle();
    expect(begun).toEqual(['a']);
    free = 1;
    await end('a');
    expect([begun, free]).toEqual([['a', 'b', 'c'], 0]);
    await end('b');
    await end('c');
    await end('d');
    expect(await results).toEqual(['A', 'B', 'C', 'D']);
    expect(free).toBe(1);
  });

  test('lets others who wait for borrowed room go before the next item', async () => {
    const { begun, work, end } = createWork();
    let [isFree, isWaiting] = [true, false];
    const release = () => {
      isFree = true;
      void setImmediate().then(() => (isFree = !isWaiting));
    };
    const borrow = () => (isFree ? ((isFree = false), release) : null);
    const results = mapConcurrent(['a', 'b', 'c'], borrow, work);
    await settle();
    expect(begun).toEqual(['a', 'b']);
    isWaiting = true;
    await end('b');
    expect(begun).toEqual(['a', 'b']);
    await end('a');
    expect(begun).toEqual(['a', 'b', 'c']);
    await end('c');
    expect(await results).toEqual(['A', 'B', 'C']);
  });
});

test('untilAborted waits for work, or rejects with the reason of the signal', async () => {
  const stop = new AbortController();
  expect(await untilAborted(Promise.resolve(1), stop.signal)).toBe(1);
  const { promise } = Promise.withResolvers<never>();
  const waiting = untilAborted(promise, stop.signal);
  stop.abort(new Error('stopped'));
  await expect(waiting).rejects.toThrow('stopped');
  await expect(untilAborted(promise, stop.signal)).rejects.toThrow('stopped');
});

test('untilAborted leaves nothing at the signal, and a failure that comes too late is nobody’s', async () => {
  const stop = new AbortController();
  await expect(untilAborted(Promise.reject(new Error('failed')), stop.signal)).rejects.toThrow('failed');
  expect(await untilAborted(1, stop.signal)).toBe(1);
  expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
  const late = Promise.withResolvers<never>();
  const waiting = untilAborted(late.promise, stop.signal);
  stop.abort(new Error('stopped'));
  await expect(waiting).rejects.toThrow('stopped');
  late.reject(new Error('failed late'));
  await setImmediate();
});
