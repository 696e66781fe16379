import { EventEmitter } from 'node:events';
import { MessageChannel, type Worker } from 'node:worker_threads';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { toAppError, AppFailure } from '../../shared/app-failure.ts';
import { connect, remote, sendEvent, serve, ThreadGone, type Ask } from './worker-rpc.ts';

interface Numbers {
  double(n: number): Promise<number>;
  fail(): Promise<void>;
  breakRule(): Promise<void>;
  /** Announces the number before it answers. */
  announce(n: number): Promise<number>;
  /** Notes the number in a microtask. */
  doubleLater(n: number): Promise<number>;
  /** Not implemented by the server. */
  missing(): Promise<void>;
}

function startNumbers() {
  const { port1, port2 } = new MessageChannel();
  onTestFinished(() => {
    port1.close();
  });
  const seen: number[] = [];
  const numbers = {
    async double(n: number) {
      seen.push(n);
      return n * 2;
    },
    async fail() {
      throw new AppFailure({ code: 'notFound', what: 'object' });
    },
    async breakRule() {
      throw Object.assign(new Error('NOT NULL constraint failed'), { errcode: 1299 });
    },
    async announce(n: number) {
      sendEvent(port1, n);
      return n;
    },
    async doubleLater(n: number) {
      await Promise.resolve();
      seen.push(n);
      return n * 2;
    },
    size: 1,
  };
  const posts = { calls: vi.spyOn(port2, 'postMessage'), answers: vi.spyOn(port1, 'postMessage') };
  const heard: unknown[] = [];
  serve(port1, (room) => (room === 'numbers' ? numbers : undefined), toAppError);
  const { ask } = connect(
    port2 as unknown as Worker,
    () => 0,
    (event) => heard.push(event),
  );
  return { seen, ask, posts, heard, numbers: remote<Numbers>(ask, 'numbers') };
}

it('calls by name, in order, and passes on expected errors with their codes', async () => {
  const { numbers, seen } = startNumbers();
  expect(await Promise.all([3, 1, 2].map((n) => numbers.double(n)))).toEqual([6, 2, 4]);
  expect(seen).toEqual([3, 1, 2]);
  await expect(numbers.fail()).rejects.toMatchObject({ error: { code: 'notFound', what: 'object' } });
});

it('passes on the code of what SQLite refuses', async () => {
  const { numbers } = startNumbers();
  await expect(numbers.breakRule()).rejects.toMatchObject({ errcode: 1299 });
});

it('sends all calls of one turn in one message, and their answers in one', async () => {
  const { numbers, seen, posts } = startNumbers();
  const asked: Promise<number>[] = [];
  // Callbacks of one turn, with microtasks after each.
  for (const n of [1, 2, 3]) setImmediate(() => void asked.push(numbers.double(n)));
  await nextTurn();
  expect(await Promise.all(asked)).toEqual([2, 4, 6]);
  expect(seen).toEqual([1, 2, 3]);
  expect(posts.calls).toHaveBeenCalledTimes(1);
  expect(posts.answers).toHaveBeenCalledTimes(1);
  await numbers.double(4);
  expect(posts.calls).toHaveBeenCalledTimes(2);
});

it('finishes what follows an answer before the next answer of the message', async () => {
  const { numbers } = startNumbers();
  const noted: number[] = [];
  const first = numbers.double(1).then(async (n) => {
    for (let step = 0; step < 20; step += 1) await Promise.resolve();
    noted.push(n);
  });
  const second = numbers.double(2).then((n) => noted.push(n));
  await Promise.all([first, second]);
  expect(noted).toEqual([2, 4]);
});

it('answers each call of a message by itself: those that fail, and those that take longer', async () => {
  const { numbers, seen } = startNumbers();
  const results = await Promise.allSettled([
    numbers.doubleLater(1),
    numbers.fail(),
    numbers.breakRule(),
    numbers.double(2),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
  // What a call does in a microtask comes before the next call.
  expect(seen).toEqual([1, 2]);
});

it('tells events before the answers of the calls that they come from', async () => {
  const { numbers, heard } = startNumbers();
  await Promise.all(
    [1, 2].map(async (n) => {
      await numbers.announce(n);
      heard.push(`answered ${String(n)}`);
    }),
  );
  expect(heard.indexOf(1)).toBeLessThan(heard.indexOf('answered 1'));
  expect(heard.indexOf(2)).toBeLessThan(heard.indexOf('answered 2'));
});

it('fails only the call whose arguments cannot be cloned', async () => {
  const { ask } = startNumbers();
  const calls = [1, () => 2, 3].map((n) => ask('numbers', 'double', [n]));
  const [first, second, third] = await Promise.allSettled(calls);
  expect([first, third]).toEqual([
    { status: 'fulfilled', value: 2 },
    { status: 'fulfilled', value: 6 },
  ]);
  expect(second).toMatchObject({ status: 'rejected', reason: { name: 'DataCloneError' } });
});

it('fails what was sent, and what was not sent yet, when the thread dies', async () => {
  const worker = Object.assign(new EventEmitter(), { postMessage: vi.fn<() => void>() });
  const { ask, ended } = connect(
    worker as unknown as Worker,
    () => 0,
    () => undefined,
  );
  const sent = ask('numbers', 'double', [1]);
  await nextTurn();
  expect(worker.postMessage).toHaveBeenCalledTimes(1);
  const unsent = ask('numbers', 'double', [2]);
  worker.emit('exit');
  await ended;
  await expect(sent).rejects.toBeInstanceOf(ThreadGone);
  await expect(unsent).rejects.toBeInstanceOf(ThreadGone);
  expect(await ended).toBeInstanceOf(ThreadGone);
  await expect(ask('numbers', 'double', [3])).rejects.toBeInstanceOf(ThreadGone);
});

it('serves own functions only', async () => {
  const { ask, numbers } = startNumbers();
  await expect(numbers.missing()).rejects.toThrow('not open for numbers.missing');
  for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty', 'size']) {
    await expect(ask('numbers', name, [])).rejects.toThrow(`not open for numbers.${name}`);
  }
  await expect(ask('others', 'double', [1])).rejects.toThrow('not open for others.double');
});

it('makes no call when the language itself inspects a room', async () => {
  const asked: string[] = [];
  const ask: Ask = async (_, name) => void asked.push(name);
  const numbers = remote<Numbers>(ask, 'numbers');
  expect(await Promise.resolve(numbers)).toBe(numbers);
  expect(Reflect.get(numbers, Symbol.iterator)).toBeUndefined();
  expect(Reflect.get(numbers, 'toJSON')).toBeUndefined();
  expect(Reflect.get(numbers, 'constructor')).toBeUndefined();
  expect(asked).toEqual([]);
  expect(() => ({ ...numbers })).toThrow('cannot be listed');
  expect(Reflect.get(numbers, 'double')).toBe(Reflect.get(numbers, 'double'));
});

it('accepts only interfaces of asynchronous functions of plain values', () => {
  const ask: Ask = async () => undefined;
  // @ts-expect-error: not asynchronous
  remote<{ now(): number }>(ask, 'room');
  // @ts-expect-error: a function cannot be sent
  remote<{ each(work: () => void): Promise<void> }>(ask, 'room');
  // @ts-expect-error: neither within a value
  remote<{ open(options: { onEnd?: () => void }): Promise<void> }>(ask, 'room');
  // @ts-expect-error: nor back
  remote<{ open(): Promise<{ close(): void }> }>(ask, 'room');
  // @ts-expect-error: a signal aborts on its own thread alone
  remote<{ wait(signal: AbortSignal): Promise<void> }>(ask, 'room');
  expect(remote<{ wait(id: string): Promise<Map<string, Date>> }>(ask, 'room')).toBeDefined();
});
