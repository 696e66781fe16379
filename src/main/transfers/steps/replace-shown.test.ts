import { createHash } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import {
  newText,
  oldText,
  replacedId as id,
  textAt,
  untilOver,
} from '../../../../test-support/main/transfers/replace-world.ts';
import { serviceId } from '../../../../test-support/main/transfers/world-acts.ts';
import { World } from '../../../../test-support/main/transfers/world.ts';

const sha256 = createHash('sha256').update(newText).digest('hex');

/** A Replace that has verified its new object, and waits for its last look. */
async function beginReplaced(start: (world: World) => Promise<unknown> = replace): Promise<World> {
  const world = await World.begin();
  onTestFinished(() => world.leave());
  world.service.put(id, Buffer.from(oldText), 'stranger', 'Internal');
  await world.know(id);
  await start(world);
  await world.clock.advance(30_000);
  expect(await world.seen(() => world.transfers())).toMatchObject([
    { state: 'verifying', replacing: { step: 'check', againAtMs: expect.any(Number) as number } },
  ]);
  return world;
}

const replace = (world: World) => world.upload(id, { ifExists: 'replace', text: newText });

test('the list shows the new object as soon as it is verified, and the last look changes nothing of it', async () => {
  const world = await beginReplaced();
  const shown = await world.rowOf(id);
  expect(shown).toMatchObject({ state: 'stored', lengthBytes: newText.length, sha256 });
  expect(await world.database.catalogue.history(shown?.id ?? 0, 5)).toEqual([]);
  await untilOver(world);
  expect(await world.rowOf(id)).toMatchObject({ state: 'stored', sha256, storedAtMs: shown?.storedAtMs });
  expect(await world.database.catalogue.history(shown?.id ?? 0, 5)).toMatchObject([{ action: 'replaced' }]);
});

test('the list shows another classification as soon as its object is verified', async () => {
  const world = await beginReplaced((begun) => begun.reclassify(id, 'Secret'));
  expect(await world.rowOf(id)).toMatchObject({ state: 'stored', classification: 'Secret' });
});

test('an object that is gone at the last look does not count as stored until it is stored again', async () => {
  const world = await beginReplaced();
  world.service.remove(id, 'stranger');
  world.service.weatherOf = (what) =>
    what === 'POST' ? { kind: 'unavailable', retryAfterMs: 60_000 } : null;
  await world.clock.advance(50_000);
  expect(await world.rowOf(id)).toMatchObject({ state: 'uploading', sha256: null });
  world.service.weatherOf = () => null;
  await untilOver(world);
  await world.look();
  expect(textAt(world)).toBe(newText);
  expect(await world.rowOf(id)).toMatchObject({ state: 'stored', sha256 });
});

test('killed before the last look, it stays in the list and is looked at', async () => {
  const world = await beginReplaced();
  await world.kill(1_000);
  expect(await world.rowOf(id)).toMatchObject({ state: 'stored', sha256 });
  await world.clock.advance(1_000);
  expect(await world.unfinished()).toBe(1);
  await untilOver(world);
  await world.look();
  expect(await world.rowOf(id)).toMatchObject({ state: 'stored', sha256 });
});

test('does not count as stored if the service is left before the last look', async () => {
  const world = await beginReplaced();
  await world.move(false);
  expect(await world.transfers()).toMatchObject([{ state: 'failed', error: { code: 'replaceLeft' } }]);
  expect(await world.rowOf(id)).toMatchObject({ state: 'unknown', sha256: null });
});

test('a deletion waits for the last look', async () => {
  const world = await beginReplaced();
  await world.delete(id);
  await world.clock.advance(5_000);
  expect(textAt(world)).toBe(newText);
  await untilOver(world);
  await world.clock.advance(60_000);
  expect(textAt(world)).toBeUndefined();
  expect(await world.undoCopies.ofObject(serviceId, id)).toHaveLength(1);
});
