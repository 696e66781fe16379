import { expect, onTestFinished, test } from 'vitest';
import type { Selection } from '../../shared/domain/object.ts';
import type { Task } from '../../shared/domain/task.ts';
import { createTestLog, createTestPublisher } from '../../../test-support/main/test-ports.ts';
import { World } from '../../../test-support/main/transfers/world.ts';
import { serviceId } from '../../../test-support/main/transfers/world-acts.ts';
import { createBulkOperations, type BulkOperations } from './bulk-operations.ts';
import { heldMs } from './delete-objects.ts';

/** A person's window over a service that has these objects, in virtual time. */
async function begin(...identifiers: string[]) {
  let bulk: BulkOperations | null = null;
  const world = await World.begin(async (below) => {
    const ports = { log: createTestLog(), publisher: createTestPublisher(), onChanged: () => undefined };
    bulk = createBulkOperations({ ...below, ...ports });
  });
  onTestFinished(() => world.leave());
  const calls = () => {
    if (bulk === null) throw new Error('nothing was started');
    return bulk;
  };
  for (const identifier of identifiers) world.service.put(identifier, Buffer.from(identifier), 'stranger');
  const ids: number[] = [];
  for (const identifier of identifiers) ids.push(await world.know(identifier));
  const selection: Selection = { kind: 'ids', ids };
  const tasks = async () => (await calls().handlers['tasks.list'](undefined)).tasks;
  return {
    world,
    ids,
    selection,
    calls: () => calls().handlers,
    quit: async () => {
      await world.settle(calls().close());
      await world.reopen();
    },
    remove: async (held: { isHeld?: true } = { isHeld: true }) => {
      const task = await calls().handlers['objects.delete']({ selection, ...held });
      await world.clock.advance(100);
      return task;
    },
    taskNow: async ({ id }: Task) => (await tasks()).find((task) => task.id === id),
    sent: () =>
      world.service.requests.filter(({ what }) => what === 'DELETE').map(({ identifier }) => identifier),
    statesOf: async () => (await world.database.catalogue.getMany(ids)).map(({ state }) => state),
    heldOf: async (id = ids[0] ?? 0) => (await world.engine.overlay([id])).get(id)?.heldDeletion,
    unsent: async () => (await calls().handlers['objects.unsentDeletions']({ serviceId })).count,
  };
}

test('sends nothing for ten seconds, then each deletion once', async () => {
  const { world, remove, sent, taskNow, statesOf, heldOf } = await begin('a/1', 'a/2');
  const task = await remove();
  await world.clock.advance(heldMs - 200);
  expect(sent()).toEqual([]);
  expect(await statesOf()).toEqual(['stored', 'stored']);
  expect(await heldOf()).toEqual(expect.any(Number));
  expect(await taskNow(task)).toMatchObject({ state: 'running', isHeld: true });
  await world.clock.advance(60_000);
  expect(sent().toSorted()).toEqual(['a/1', 'a/2']);
  expect(await heldOf()).toBeUndefined();
  expect(await taskNow(task)).toMatchObject({ state: 'done', missing: 2 });
  expect(await taskNow(task)).not.toHaveProperty('isHeld');
});

test('what a row undoes is the deletion that is held then, not one taken back before', async () => {
  const { world, calls, ids, remove, sent, heldOf } = await begin('a/1');
  const id = ids[0] ?? 0;
  expect(await calls()['objects.keep']({ id })).toEqual({ isKept: false });
  await calls()['tasks.cancel'](await remove());
  await remove();
  expect(await calls()['objects.keep']({ id })).toEqual({ isKept: true });
  expect(await heldOf()).toBeUndefined();
  await world.clock.advance(60_000);
  expect(sent()).toEqual([]);
  await remove({});
  expect(await calls()['objects.keep']({ id })).toEqual({ isKept: false });
});

test('what is undone was never sent, and leaves no trace', async () => {
  const { world, calls, ids, remove, sent, taskNow, statesOf, heldOf } = await begin('a/1');
  const task = await remove();
  await calls()['tasks.cancel']({ id: task.id });
  await world.clock.advance(60_000);
  expect(sent()).toEqual([]);
  expect(await statesOf()).toEqual(['stored']);
  expect(await heldOf()).toBeUndefined();
  expect(await taskNow(task)).toMatchObject({ state: 'cancelled', isHeld: true, done: 0 });
  expect(await world.database.catalogue.history(ids[0] ?? 0, 5)).toEqual([]);
  expect(await world.unfinished()).toBe(0);
});

test('undoes one of several', async () => {
  const { world, remove, sent, taskNow, heldOf } = await begin('a/1', 'a/2');
  const task = await remove();
  await world.settle(world.engine.actions.cancel({ kind: 'ids', ids: [(await heldOf()) ?? 0] }));
  await world.clock.advance(60_000);
  expect(sent()).toEqual(['a/2']);
  expect(await taskNow(task)).toMatchObject({ state: 'done', total: 1, done: 1, missing: 1 });
});

test('deletes again what was undone', async () => {
  const { world, calls, remove, sent } = await begin('a/1');
  await calls()['tasks.cancel']({ id: (await remove()).id });
  await world.clock.advance(100);
  await remove();
  await world.clock.advance(60_000);
  expect(sent()).toEqual(['a/1']);
});

test('a second press changes nothing, and a deletion at once lets the first go', async () => {
  const { world, remove, sent, taskNow } = await begin('a/1');
  const first = await remove();
  const second = await remove();
  await world.clock.advance(1_000);
  expect(await taskNow(second)).toMatchObject({ state: 'done', missing: 0 });
  expect(sent()).toEqual([]);
  await remove({});
  await world.clock.advance(1_000);
  expect(sent()).toEqual(['a/1']);
  await world.clock.advance(60_000);
  expect(sent()).toEqual(['a/1']);
  expect(await taskNow(first)).toMatchObject({ state: 'done', missing: 1 });
});

test.each([-86_400_000, 86_400_000])('a wall clock that jumps by %i ms sends nothing early', async (byMs) => {
  const { world, remove, sent } = await begin('a/1');
  await remove();
  world.clock.setWall(byMs);
  await world.clock.advance(heldMs - 1_000);
  expect(sent()).toEqual([]);
  await world.clock.advance(2_000);
  expect(sent()).toEqual(['a/1']);
});

test.each(['quit', 'kill'] as const)(
  'after a %s within the ten seconds nothing is sent by itself',
  async (how) => {
    const { world, calls, remove, sent, statesOf, quit, unsent } = await begin('a/1', 'a/2');
    await remove();
    await (how === 'quit' ? quit() : world.kill(1_000));
    await world.clock.advance(600_000);
    expect(sent()).toEqual([]);
    expect(await statesOf()).toEqual(['stored', 'stored']);
    expect(await unsent()).toBe(2);
    // It survives another start.
    await quit();
    expect(await unsent()).toBe(2);
    await world.settle(calls()['objects.answerUnsent']({ serviceId, answer: 'delete' }) as Promise<unknown>);
    await world.clock.advance(60_000);
    expect(sent().toSorted()).toEqual(['a/1', 'a/2']);
    expect(await unsent()).toBe(0);
  },
);

test('keeps what was not sent, if the person wants so', async () => {
  const { world, calls, remove, sent, unsent } = await begin('a/1');
  await remove();
  await world.kill(1_000);
  await world.settle(calls()['objects.answerUnsent']({ serviceId, answer: 'keep' }) as Promise<unknown>);
  await world.clock.advance(60_000);
  expect(sent()).toEqual([]);
  expect(await unsent()).toBe(0);
});

test('an object that was stored again since is not offered for deletion', async () => {
  const { world, remove, unsent } = await begin('a/1');
  await remove();
  await world.kill(1_000);
  // It does not wait for a deletion that nobody may ever want.
  await world.upload('a/1', { ifExists: 'replace' });
  await world.finish();
  expect(world.service.versions.get('a/1')?.at(-1)?.text).toContain('upload');
  expect(await unsent()).toBe(0);
});

test('an upload of the same name waits for the deletion', async () => {
  const { world, remove, sent } = await begin('a/1');
  await remove();
  await world.upload('a/1', { text: 'new', ifExists: 'skip' });
  await world.clock.advance(60_000);
  expect(sent()).toEqual(['a/1']);
  expect(world.service.versions.get('a/1')?.at(-1)?.text).toBe('new');
});

test('sends nothing to another address', async () => {
  const { world, remove, sent, taskNow } = await begin('a/1');
  const task = await remove();
  await world.move(false);
  await world.clock.advance(60_000);
  expect(sent()).toEqual([]);
  expect(world.services[0].requests.filter(({ what }) => what === 'DELETE')).toEqual([]);
  expect(await taskNow(task)).toMatchObject({ state: 'done', total: 0 });
});

test('goes on while everything else is paused', async () => {
  const { world, remove, sent } = await begin('a/1');
  await world.settle(world.engine.actions.pause('all', true));
  await remove();
  await world.settle(world.engine.actions.pause('all', false));
  await world.clock.advance(1_000);
  expect(sent()).toEqual([]);
  await world.clock.advance(60_000);
  expect(sent()).toEqual(['a/1']);
});

test('counts an object that was taken off the list before its turn', async () => {
  const { world, ids, remove, sent, taskNow } = await begin('a/1');
  const task = await remove();
  await world.database.catalogue.remove(ids);
  await world.clock.advance(60_000);
  expect(sent()).toEqual([]);
  expect(await taskNow(task)).toMatchObject({
    state: 'done',
    done: 1,
    failed: 1,
    failures: [{ identifier: 'a/1', error: { code: 'notFound', what: 'object' } }],
  });
});
