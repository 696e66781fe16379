import { hash } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { allOf } from '../../../test-support/main/transfers/all-rows.ts';
import { World } from '../../../test-support/main/transfers/world.ts';
import { createMakeCurrent, type MakeCurrent } from './copies.ts';

let world: World;
let makeCurrent: MakeCurrent;
beforeEach(async () => {
  world = await World.begin(async ({ folder, ...below }) => {
    const fail = (message: string) => {
      throw new Error(message);
    };
    makeCurrent = createMakeCurrent({
      ...below,
      userDataFolder: folder,
      log: { info: () => undefined, warn: fail, error: fail },
    });
  });
  for (const text of ['first', 'second']) {
    await world.upload('a/1', { ifExists: 'newVersion', text });
    await world.clock.advance(10_000);
  }
});
afterEach(async () => {
  await makeCurrent.close();
  await world.leave();
});

/** Waits until the copy is complete and not enqueued yet. Returns the row of the version. */
async function untilCopied(): Promise<number> {
  const row = await world.rowOf('a/1');
  if (!row) throw new Error('the version is not on the list');
  await world.settle(makeCurrent.begin(row));
  const isDone = async () =>
    (await allOf(world.engine, 'transfers')).some(
      ({ direction, state }) => direction === 'download' && state === 'done',
    );
  while (!(await isDone())) await world.clock.advance(1);
  return row.id;
}

test('stores an object replaced after it was copied with its classification in the list', async () => {
  const id = await untilCopied();
  const text = 'replaced';
  world.service.remove('a/1', 'stranger');
  world.service.put('a/1', Buffer.from(text), 'stranger', 'Public');
  const patch = { classification: 'Public', lengthBytes: text.length, sha256: hash('sha256', text) };
  await world.database.catalogue.update([{ id, patch }]);
  await world.clock.advance(60_000);
  expect(world.service.versions.get('a/1@3')).toMatchObject([{ text }]);
  expect(world.service.classificationOf('a/1@3')).toBe('Public');
});

test.each([false, true])('sends no copy to another address of the service (killed: %s)', async (isKilled) => {
  await untilCopied();
  await world.move(isKilled);
  await world.clock.advance(60_000);
  expect([...world.service.versions.keys()]).toEqual([]);
});
