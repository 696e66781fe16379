import { expect, it } from 'vitest';
import { createTestClock, createTestLog } from '../../test-support/main/test-ports.ts';
import { createBackground } from './background.ts';
import { createHooks } from './hooks.ts';
import { Started } from './lib/started.ts';

function open() {
  const started = new Started();
  const background = createBackground(() => undefined);
  const hooks = createHooks(started, { background, clock: createTestClock(), log: createTestLog() });
  return { started, hooks };
}

it('calls no feature that has closed', async () => {
  const { started, hooks } = open();
  const steps: string[] = [];
  for (const name of ['first', 'second']) {
    hooks.onClose(() => {
      steps.push(`${name} closed`);
      hooks.signals.wake();
    });
    hooks.onWake(() => steps.push(`${name} woken`));
  }
  hooks.signals.wake();
  await started.close();
  expect(steps).toEqual(['first woken', 'second woken', 'second closed', 'first woken', 'first closed']);
});

it('asks every feature before a service changes, until one refuses', async () => {
  const { hooks } = open();
  const asked: string[] = [];
  hooks.beforeServiceChange(async (...change) => void asked.push(change.join()));
  hooks.beforeServiceChange(async (_, what) => {
    if (what === 'move') throw new Error('it stays');
  });
  hooks.beforeServiceChange(async (...change) => void asked.push(change.join()));
  await hooks.signals.requireChangeable('s', 'remove');
  await expect(hooks.signals.requireChangeable('s', 'move')).rejects.toThrow('it stays');
  expect(asked).toEqual(['s,remove', 's,remove', 's,move']);
});
