import { EventEmitter } from 'node:events';
import { beforeEach, expect, test, vi } from 'vitest';
import type * as heapLimitedWorker from './heap-limited-worker.ts';

const started = vi.hoisted(() => ({ limits: [] as unknown[], isRefused: false }));
vi.mock('node:worker_threads', () => ({
  Worker: vi.fn<() => EventEmitter>(function make(_entry?: URL, options?: { resourceLimits?: unknown }) {
    if (started.isRefused && options?.resourceLimits) throw new Error('not supported');
    started.limits.push(options?.resourceLimits ?? null);
    return new EventEmitter();
  }),
}));

const entry = new URL('file:///thread.js');
let own: typeof heapLimitedWorker;
beforeEach(async () => {
  vi.resetModules();
  Object.assign(started, { limits: [], isRefused: false });
  own = await import('./heap-limited-worker.ts');
});

test('sets the limits of a thread, and of the next when one fails for another reason', () => {
  own.startHeapLimitedWorker(entry, 8).emit('error', new Error('a bug'));
  own.startHeapLimitedWorker(entry, 1);
  expect(started.limits).toEqual([{ maxYoungGenerationSizeMb: 8 }, { maxYoungGenerationSizeMb: 1 }]);
});

test('sets no limits after a thread that died of them', () => {
  const cause = Object.assign(new Error('out of memory'), { code: 'ERR_WORKER_OUT_OF_MEMORY' });
  own.startHeapLimitedWorker(entry, 8).emit('error', cause);
  own.startHeapLimitedWorker(entry, 8);
  expect(started.limits).toEqual([{ maxYoungGenerationSizeMb: 8 }, null]);
});

test('starts a thread without limits where they are refused', () => {
  started.isRefused = true;
  own.startHeapLimitedWorker(entry, 8);
  own.startHeapLimitedWorker(entry, 8);
  expect(started.limits).toEqual([null, null]);
});
