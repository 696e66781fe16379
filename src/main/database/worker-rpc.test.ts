import { MessageChannel, type Worker } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import { toAppError, AppFailure } from '../../shared/app-failure.ts';
import { connect, remote, serve, type Ask } from './worker-rpc.ts';

interface Numbers {
  double(n: number): Promise<number>;
  fail(): Promise<void>;
  breakRule(): Promise<void>;
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
    size: 1,
  };
  serve(port1, (room) => (room === 'numbers' ? numbers : undefined), toAppError);
  const { ask } = connect(
    port2 as unknown as Worker,
    () => 0,
    () => undefined,
  );
  return { seen, ask, numbers: remote<Numbers>(ask, 'numbers') };
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
