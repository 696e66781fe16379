import { getEventListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { eachInTurn, KeyedMutex, mapConcurrent, Mutex, untilAborted } from './async.ts';

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
});

describe('eachInTurn', () => {
  function createWork() {
    const begun: string[] = [];
    const turns = new Map<string, () => void>();
    const open = new Map<string, PromiseWithResolvers<void>>();
    return {
      begun,
      work: (item: string, onTurn: () => void) => {
        const result = Promise.withResolvers<void>();
        begun.push(item);
        turns.set(item, onTurn);
        open.set(item, result);
        return result.promise;
      },
      turn: async (item: string) => {
        turns.get(item)?.();
        await setImmediate();
      },
      end: async (item: string, failure?: Error) => {
        if (failure) open.get(item)?.reject(failure);
        else open.get(item)?.resolve();
        await setImmediate();
      },
    };
  }

  test('begins with the next item when the one before has its turn or has ended', async () => {
    const { begun, work, turn, end } = createWork();
    let isOver = false;
    const all = eachInTurn(['a', 'b', 'c', 'd'], work).finally(() => (isOver = true));
    expect(begun).toEqual(['a']);
    await turn('a');
    expect(begun).toEqual(['a', 'b']);
    await end('a');
    expect(begun).toEqual(['a', 'b']);
    await end('b');
    expect(begun).toEqual(['a', 'b', 'c']);
    await turn('c');
    await turn('d');
    await end('d');
    expect([begun, isOver]).toEqual([['a', 'b', 'c', 'd'], false]);
    await end('c');
    await all;
  });

  test('begins nothing after a failure, and rejects with the first one when everything has ended', async () => {
    const { begun, work, turn, end } = createWork();
    let isOver = false;
    const all = eachInTurn(['a', 'b', 'c', 'd'], work).finally(() => (isOver = true));
    all.catch(() => undefined);
    await turn('a');
    await turn('b');
    await end('b', new Error('b failed'));
    await turn('c');
    await end('c', new Error('c failed'));
    expect([begun, isOver]).toEqual([['a', 'b', 'c'], false]);
    await end('a');
    await expect(all).rejects.toThrow('b failed');
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
