import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';
import { followPresence } from './presence.ts';

const shell = vi.hoisted(() => ({ power: null as unknown as EventEmitter }));
vi.mock('electron', () => ({
  get powerMonitor() {
    return shell.power;
  },
  net: { isOnline: () => true },
}));

test('reports a window that is minimised or hidden, a locked screen and sleep', () => {
  shell.power = new EventEmitter();
  const window = new EventEmitter();
  const heard: string[] = [];
  followPresence(window as never, { onAway: () => heard.push('away'), onBack: () => heard.push('back') });
  for (const event of ['minimize', 'hide']) window.emit(event);
  for (const event of ['lock-screen', 'suspend']) shell.power.emit(event);
  expect(heard).toEqual(['away', 'away', 'away', 'away']);
  shell.power.emit('resume');
  expect(heard.at(-1)).toBe('back');
});

// Both Electron and Chromium listen to logind.
test('counts a sleep that is told twice once, and the next one again', () => {
  vi.useFakeTimers();
  shell.power = new EventEmitter();
  const heard: string[] = [];
  followPresence(new EventEmitter() as never, {
    onAway: () => heard.push('away'),
    onBack: () => heard.push('back'),
  });
  const sleep = () => {
    for (const event of ['suspend', 'suspend', 'resume', 'resume']) shell.power.emit(event);
  };
  sleep();
  expect(heard).toEqual(['away', 'back']);
  vi.advanceTimersByTime(60_000);
  sleep();
  expect(heard).toEqual(['away', 'back', 'away', 'back']);
  vi.useRealTimers();
});
