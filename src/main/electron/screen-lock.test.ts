import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const { monitor, said } = vi.hoisted(() => ({
  monitor: { now: null as EventEmitter | null },
  said: { text: '' },
}));
vi.mock('electron', () => ({
  powerMonitor: { on: (name: string, listener: () => void) => monitor.now?.on(name, listener) },
}));
vi.mock('node:child_process', () => ({
  execFile: (
    _file: string,
    _words: string[],
    _options: object,
    done: (failure: null, text: string) => void,
  ) => done(null, said.text),
}));
const { followScreenLock } = await import('./screen-lock.ts');

let locks: number;
let isNeeded: boolean;

beforeEach(() => {
  vi.useFakeTimers();
  monitor.now = new EventEmitter();
  [locks, isNeeded, said.text] = [0, true, 'no\n'];
  followScreenLock(
    () => isNeeded,
    () => (locks += 1),
  );
});
afterEach(() => {
  vi.clearAllTimers();
  vi.useRealTimers();
});

test('a reported lock, or sleep, ends approvals', () => {
  monitor.now?.emit('lock-screen');
  monitor.now?.emit('suspend');
  expect(locks).toBe(2);
});

test.runIf(process.platform === 'linux')('asks logind on Linux, while there is something to end', () => {
  vi.advanceTimersByTime(12_000);
  expect(locks).toBe(0);
  said.text = 'yes\n';
  vi.advanceTimersByTime(3_000);
  expect(locks).toBe(1);
  isNeeded = false;
  vi.advanceTimersByTime(10_000);
  expect(locks).toBe(1);
});
