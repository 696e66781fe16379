import { expect, it, onTestFinished, vi } from 'vitest';
import { openTeamCopy } from '../../../../test-support/main/objects/team-copy.ts';
import { MergeRows } from './merge-rows.ts';
import { Outbox } from './outbox.ts';

/** Names of the methods that are called from now on. */
function watchCalls(...classes: { prototype: object }[]): Set<string> {
  const called = new Set<string>();
  for (const { prototype } of classes)
    for (const name of Object.getOwnPropertyNames(prototype)) {
      const { value: method } = Object.getOwnPropertyDescriptor(prototype, name) ?? {};
      if (name === 'constructor' || typeof method !== 'function') continue;
      vi.spyOn(prototype as Record<string, () => unknown>, name).mockImplementation(function (
        this: unknown,
        ...args
      ) {
        called.add(name);
        return Reflect.apply(method as (...given: unknown[]) => unknown, this, args);
      });
    }
  onTestFinished(() => void vi.restoreAllMocks());
  return called;
}

it('runs nothing of a team before the first one', async () => {
  const copy = await openTeamCopy();
  onTestFinished(() => copy.close());
  const called = watchCalls(Outbox, MergeRows);
  await copy.upload('a', { lengthBytes: 5, sha256: 'a'.repeat(64) });
  await copy.look('a', 6);
  await copy.type('a', 'note');
  expect([...called]).toEqual([]);
  await copy.join();
  await copy.look('a', 7);
  expect([...called]).toEqual(expect.arrayContaining(['begin', 'changed', 'adopted', 'takeHeld']));
});

it('hears of changes again after a restart with a team', async () => {
  const copy = await openTeamCopy();
  onTestFinished(() => copy.close());
  await copy.join();
  copy.reopen();
  const called = watchCalls(Outbox);
  await copy.look('a', 7);
  expect([...called]).toContain('changed');
});
