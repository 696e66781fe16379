import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { profileId, World } from '../../../test-support/main/transfers/world.ts';

const old = 'the old one, stored by somebody';
const mine = 'the new one';
const id = 'a/report.txt';

async function begin(): Promise<World> {
  const world = await World.begin();
  onTestFinished(() => world.leave());
  return world;
}

function textAt(world: World, identifier = id): string | undefined {
  const bytes = world.service.peek(identifier);
  return bytes && Buffer.from(bytes).toString();
}

const besides = (world: World) =>
  [...world.service.versions.keys()].filter((name) => name.includes('~') && world.service.peek(name));

/** Time goes on until everything has ended, asks, or has failed; what was killed is started again. */
async function goOn(world: World): Promise<void> {
  for (let round = 0; round < 400; round += 1) {
    await world.clock.advance(round < 20 ? 500 : 20_000);
    if (!world.isAlive) await world.kill(1_000);
    world.setWeather({ kind: 'fine' });
    const all = await world.transfers();
    const isOver = all.every(
      ({ state, waitingFor }) => ['done', 'failed', 'cancelled'].includes(state) || waitingFor === 'answer',
    );
    if (isOver && (await world.database.transfers.interrupted()).length === 0) return;
  }
  throw new Error(`it did not come to its end: ${await world.describeOpen()}`);
}

async function replace(world: World): Promise<void> {
  world.service.put(id, Buffer.from(old), 'stranger');
  await world.know(id);
  await world.upload(id, { ifExists: 'replace', text: mine });
}

test('one object replaces another, which is kept', async () => {
  const world = await begin();
  await replace(world);
  await goOn(world);
  await world.look();
  expect(await world.transfers()).toMatchObject([
    { state: 'done', outcome: { kind: 'stored', verifiedBy: 'digest', replaced: { beside: null } } },
  ]);
  expect(textAt(world)).toBe(mine);
  expect(besides(world)).toEqual([]);
  expect(await world.rowOf(id)).toMatchObject({
    state: 'stored',
    lengthBytes: mine.length,
    sha256: createHash('sha256').update(mine).digest('hex'),
  });
  const [version, ...others] = await world.kept.ofObject(profileId, id);
  expect(others).toEqual([]);
  expect(version).toMatchObject({ lengthBytes: old.length, replacedBy: { lengthBytes: mine.length } });
  expect(await readdir(join(world.folder, 'kept'))).toEqual([version?.file]);
});
