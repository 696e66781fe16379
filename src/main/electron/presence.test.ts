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

test('a window that is minimised or hidden, a locked screen and sleep are all reported', () => {
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
