import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Log } from '../ports.ts';
import { quitAfter } from './lifecycle.ts';

const app = vi.hoisted(() => ({ current: null as unknown as EventEmitter & { quit: () => void } }));
vi.mock('electron', () => ({
  get app() {
    return app.current;
  },
}));

/** Like Electron's: `quit` asks before-quit, and goes on when nobody prevents it. */
let ended = 0;
beforeEach(() => {
  vi.useFakeTimers();
  ended = 0;
  const emitter = new EventEmitter();
  const quit = () => {
    let isPrevented = false;
    emitter.emit('before-quit', { preventDefault: () => (isPrevented = true) });
    if (!isPrevented) ended += 1;
  };
  app.current = Object.assign(emitter, { quit });
});
afterEach(() => {
  vi.useRealTimers();
});
const log = { info: vi.fn<Log['info']>(), warn: vi.fn<Log['warn']>(), error: vi.fn<Log['error']>() };

test('quitting waits for close, once', async () => {
  let finish = () => undefined as void;
  const close = vi.fn<() => Promise<void>>(() => new Promise((resolve) => (finish = resolve)));
  quitAfter(async () => true, close, log);
  app.current.emit('window-all-closed');
  app.current.quit();
  await vi.advanceTimersByTimeAsync(1_000);
  expect([close.mock.calls.length, ended]).toEqual([1, 0]);
  finish();
  await vi.advanceTimersByTimeAsync(0);
  expect([close.mock.calls.length, ended]).toEqual([1, 1]);
});

test.each([
  ['takes too long', () => new Promise<void>(() => undefined)],
  ['fails', () => Promise.reject(new Error('broken'))],
])('a close that %s is logged, and does not keep the program', async (_how, close) => {
  log.error.mockClear();
  quitAfter(async () => true, close, log);
  app.current.quit();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(ended).toBe(1);
  expect(log.error).toHaveBeenCalledOnce();
});

test('what is not agreed to does not happen, and can be asked for again', async () => {
  const close = vi.fn<() => Promise<void>>(async () => undefined);
  let isAgreed = false;
  quitAfter(async () => isAgreed, close, log);
  app.current.quit();
  await vi.advanceTimersByTimeAsync(0);
  expect([close.mock.calls.length, ended]).toEqual([0, 0]);
  isAgreed = true;
  app.current.quit();
  await vi.advanceTimersByTimeAsync(0);
  expect([close.mock.calls.length, ended]).toEqual([1, 1]);
});
