import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { beginEditWorld } from '../../../test-support/main/edits/edit-world.ts';
import { serviceId } from '../../../test-support/main/transfers/world-acts.ts';

/** Coffer is killed while a save replaces its object. */

const name = 'a/minutes.txt';
const saved = 'as it is now, and longer';

/**
 * @param killedAt number of requests and durable writes after the save before the kill; null: no kill
 * @returns how many there were
 */
async function saveOnce(killedAt: number | null): Promise<number> {
  const edits = await beginEditWorld();
  const { world, handlers, list } = edits;
  try {
    world.service.put(name, Buffer.from('as it was'), 'stranger');
    const objectId = await world.know(name);
    await world.settle(Promise.resolve(handlers()['edits.setSaveAs']({ serviceId, saveAs: 'replace' })));
    const { id } = await world.settle(Promise.resolve(handlers()['edits.begin']({ objectId })));
    for (let round = 0; round < 100 && (await list())[0]?.state !== 'editing'; round += 1)
      await world.clock.advance(100);
    const before = world.steps;
    await writeFile((await edits.copyOf({ id })) ?? '', saved);
    if (killedAt !== null) world.stopsAt = before + killedAt;
    const isKilled = killedAt !== null;
    for (let round = 0; round < 100 && world.isAlive && isKilled; round += 1)
      await world.clock.advance(2_000);
    expect(world.isAlive).toBe(!isKilled);
    world.stopsAt = null;
    if (isKilled) await world.kill(5_000);
    // A deletion that may have been sent takes up to ten minutes to be settled.
    for (let round = 0; round < 400 && (await list())[0]?.storedAtMs === null; round += 1)
      await world.clock.advance(2_000);
    const steps = world.steps - before;
    expect(await list()).toMatchObject([{ id, state: 'editing', identifier: name, mine: null, error: null }]);
    const there = [...world.service.versions].filter(([identifier]) => world.service.peek(identifier));
    expect(there.map(([identifier]) => identifier)).toEqual([name]);
    const stored = world.service.versions.get(name)?.map(({ text }) => text);
    expect(stored).toEqual(['as it was', saved]);
    expect(await world.rowOf(name)).toMatchObject({ state: 'stored', lengthBytes: saved.length });
    const kept = await world.undoCopies.ofObject(serviceId, name);
    expect(kept.map(({ lengthBytes }) => lengthBytes)).toEqual(['as it was'.length]);
    expect([edits.problems, world.problems]).toEqual([[], []]);
    return steps;
  } finally {
    await edits.leave();
  }
}

/** Kills at every twelfth step from `first` on. @returns the steps that failed */
async function failuresFrom(first: number): Promise<[number, string][]> {
  const steps = await saveOnce(null);
  expect(steps).toBeGreaterThan(30);
  const failed: [number, string][] = [];
  for (let at = first; at < steps - 4; at += 12)
    await saveOnce(at).catch((cause: unknown) => failed.push([at, String(cause)]));
  return failed;
}

test('continues after a kill at any of its requests and writes, and replaces the object once', async () => {
  expect(await failuresFrom(1)).toEqual([]);
});

test('continues after a kill at any other request or write', { tags: 'all' }, async () => {
  expect(await failuresFrom(7)).toEqual([]);
});
