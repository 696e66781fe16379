import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createFakeMain } from '../../../../../test-support/renderer/testing.tsx';
import { limitMemory, MemoryExceeded } from './memory-limit.ts';

const megabyte = 1024 * 1024;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function start(memoryBytes: () => Promise<number>) {
  const { client } = createFakeMain();
  const measure = vi.fn<() => Promise<number>>(memoryBytes);
  client.memoryBytes = measure;
  const until = new AbortController();
  return { measure, until, signal: limitMemory(client, until.signal) };
}

it('aborts once the page has grown by more than 512 MB', async () => {
  let megabytes = 300;
  const { signal } = start(async () => megabytes * megabyte);
  await vi.advanceTimersByTimeAsync(1000);
  megabytes = 812;
  await vi.advanceTimersByTimeAsync(1000);
  expect(signal.aborted).toBe(false);
  megabytes = 813;
  await vi.advanceTimersByTimeAsync(50);
  expect(signal.reason).toBeInstanceOf(MemoryExceeded);
});

it('stops looking when it is told to', async () => {
  const { measure, until } = start(async () => 0);
  await vi.advanceTimersByTimeAsync(1000);
  until.abort();
  await vi.advanceTimersByTimeAsync(50);
  const looks = measure.mock.calls.length;
  await vi.advanceTimersByTimeAsync(1000);
  expect(measure).toHaveBeenCalledTimes(looks);
});

it('aborts when the memory cannot be measured', async () => {
  const { signal } = start(async () => {
    throw new Error('no answer');
  });
  await vi.advanceTimersByTimeAsync(0);
  expect(signal.aborted).toBe(true);
});
