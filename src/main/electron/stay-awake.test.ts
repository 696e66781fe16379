import { expect, test, vi } from 'vitest';
import { Emitter } from '../lib/emitter.ts';
import { stayAwakeForWork } from './stay-awake.ts';

const { blockers } = vi.hoisted(() => ({ blockers: { started: 0, open: new Map<number, string>() } }));
vi.mock('electron', () => ({
  powerSaveBlocker: {
    // Electron counts from 0.
    start(type: string) {
      blockers.open.set(blockers.started, type);
      return blockers.started++;
    },
    stop: (id: number) => blockers.open.delete(id),
  },
}));

test('keeps the computer awake while there is work, and not afterwards', () => {
  const changed = new Emitter<[]>();
  let isBusy = false;
  stayAwakeForWork({ keepsAwake: () => isBusy, onChanged: changed.event });
  const become = (latest: boolean) => {
    isBusy = latest;
    changed.fire();
    changed.fire();
    return [...blockers.open.values()];
  };
  expect([...blockers.open]).toEqual([]);
  expect(become(true)).toEqual(['prevent-app-suspension']);
  expect(become(false)).toEqual([]);
  expect(become(true)).toEqual(['prevent-app-suspension']);
  expect(blockers.started).toBe(2);
});

test('work that goes on at the start counts', () => {
  blockers.open.clear();
  stayAwakeForWork({ keepsAwake: () => true, onChanged: new Emitter<[]>().event });
  expect(blockers.open.size).toBe(1);
});
