import { afterEach, beforeEach, expect, test } from 'vitest';
import { accepted } from '../../../../test-support/main/objects/team-copy.ts';
import { serviceId } from '../../../../test-support/main/transfers/world-acts.ts';
import { World } from '../../../../test-support/main/transfers/world.ts';
import * as given from '../../../../test-support/main/transfers/store/record-factory.ts';
import { openStores } from '../../../../test-support/main/transfers/store/stores.ts';
import type { State } from '../model/state.ts';

/**
 * Each upload draws a UUID before it stores an object, to name these bytes. Here it is read from what a team is told.
 */

let world: World;
beforeEach(async () => {
  world = await World.begin();
  await world.database.team.join(serviceId, { place: '', list: 1, me: 1, sharesEarlier: false });
  await world.database.team.setSecretsSince(serviceId, 'shared');
});
afterEach(() => world.leave());

type Told = { identifier: string; incarnation?: string; sha256?: string; state?: number };

async function tell(): Promise<Told[]> {
  const { team } = world.database;
  const push = await team.nextPush(serviceId, Infinity);
  if (push === null) return [];
  const changes = JSON.parse(push.changes) as Told[];
  await team.acknowledge(serviceId, push.seq, accepted(changes.length));
  return changes;
}

/** The incarnation of the upload in progress. */
async function drawn(): Promise<string | undefined> {
  return (await world.database.transfers.interrupted())[0]?.incarnation;
}

const ways: [string, () => Promise<void>][] = [
  ['an upload', () => world.upload('b')],
  ['a deferred upload', () => world.upload('b', { route: 'deferred' })],
  ['a file in parts', () => world.upload('b', { sizeBytes: 400 })],
  ['a new version', () => world.upload('a', { ifExists: 'newVersion' })],
  ['an upload beside', () => world.upload('a', { ifExists: 'keepBoth' })],
  ['a Replace', () => world.upload('a', { ifExists: 'replace' })],
  ['another classification', () => world.reclassify('a', 'Secret')],
  ['another identifier', () => world.rename('a', 'b')],
  ['a secret', () => world.storeSecret()],
];

test.each(ways)('%s has an incarnation of its own', async (_, store) => {
  await world.upload('a');
  await world.clock.advance(60_000);
  const [first] = await tell();
  expect(first?.incarnation).toMatch(/^[0-9a-f-]{36}$/);
  await store();
  await world.clock.advance(600_000);
  const incarnations = (await tell()).flatMap(({ incarnation }) => incarnation ?? []);
  expect(incarnations).toHaveLength(1);
  expect(incarnations).not.toContain(first?.incarnation);
});

test('an upload whose answer was lost keeps its incarnation, also after a kill', async () => {
  world.setWeather({ kind: 'lossy' });
  await world.upload('a');
  await world.clock.advance(100);
  const before = await drawn();
  expect(before).toMatch(/^[0-9a-f-]{36}$/);
  await world.kill(10_000);
  world.setWeather({ kind: 'fine' });
  await world.clock.advance(600_000);
  expect(await tell()).toMatchObject([{ identifier: 'a', state: 0, incarnation: before }]);
});

test('storing a deleted object again draws a new incarnation', async () => {
  await world.upload('a');
  await world.clock.advance(60_000);
  const [first] = await tell();
  await world.delete('a');
  await world.clock.advance(60_000);
  const [gone] = await tell();
  expect(gone).toMatchObject({ identifier: 'a', state: 5 });
  await world.upload('a');
  await world.clock.advance(60_000);
  const [again] = await tell();
  expect(again?.incarnation).toMatch(/^[0-9a-f-]{36}$/);
  expect(again?.incarnation).not.toBe(first?.incarnation);
});

test('an object stored by somebody else has none', async () => {
  world.service.put('a', Buffer.from('theirs'), 'stranger');
  await world.upload('a', { ifExists: 'skip' });
  await world.clock.advance(60_000);
  expect(await tell()).toMatchObject([{ identifier: 'a', state: 0 }]);
  await world.upload('b');
  await world.clock.advance(60_000);
  expect((await tell())[0]).toHaveProperty('incarnation');
  // Deleted, and stored again by a stranger with the same length.
  await world.delete('b');
  await world.clock.advance(60_000);
  world.service.put('b', Buffer.from('upload 2 of b'), 'stranger');
  await world.download('b');
  await world.clock.advance(60_000);
  const told = await tell();
  expect(told).toMatchObject([{ identifier: 'b' }]);
  expect(told[0]).not.toHaveProperty('incarnation');
});

test.each([
  { why: 'may have been carried out', mayBeThere: true, isSame: true },
  { why: 'was refused', mayBeThere: false, isSame: false },
  { why: 'may have been carried out, with another file', mayBeThere: true, file: 'other', isSame: false },
])('a retry of an upload that $why: keeps its incarnation: $isSame', async ({ mayBeThere, file, isSame }) => {
  using opened = await openStores([given.serviceId], () => 1_800_000_000_000);
  const { transfers } = opened.stores;
  const upload = given.newUpload('a');
  const [added] = await transfers.enqueue(given.serviceId, [upload]);
  const id = added?.id ?? 0;
  const claim = async () => {
    const { origin } = given;
    const wish = {
      serviceId: given.serviceId,
      queue: 'small',
      limit: 1,
      includesIdle: true,
      origin,
    } as const;
    return (await transfers.claim(wish))[0]?.incarnation;
  };
  const before = await claim();
  const error = { code: 'forbidden', status: 403 } as const;
  const state: State = { name: 'failed', error };
  const work = { ...upload.work, mayBeThere } as never;
  await transfers.apply([{ id, change: { state, work } }]);
  const change = { file: { path: '/b', fileName: 'b', sizeBytes: 9, mtimeMs: 1 } };
  if (file === undefined) await transfers.retry({ kind: 'ids', ids: [id] }, new Map());
  else await transfers.editAndRetry(id, change, new Map());
  const after = await claim();
  expect([typeof before, typeof after]).toEqual(['string', 'string']);
  expect(after === before).toBe(isSame);
});

test('an object that HEAD finds in place of the upload has none', async () => {
  using opened = await openStores([given.serviceId], () => 1_800_000_000_000);
  const { transfers } = opened.stores;
  for (const identifier of ['ours', 'other']) {
    const [added] = await transfers.enqueue(given.serviceId, [given.newUpload(identifier)]);
    const { serviceId: id, origin } = given;
    await transfers.claim({ serviceId: id, queue: 'small', limit: 1, includesIdle: true, origin });
    const sha256 = identifier === 'ours' ? 'a'.repeat(64) : null;
    const patch = { state: 'stored', lengthBytes: 9, sha256 } as const;
    const state: State = { name: 'done', outcome: null, savedPath: null };
    const row = { kind: 'stored', patch, history: { action: 'uploaded' } } as const;
    await transfers.apply([{ id: added?.id ?? 0, change: { state }, row }]);
  }
  const rows = opened.db.prepare('SELECT identifier FROM object WHERE incarnation IS NOT NULL').all();
  expect(rows).toEqual([{ identifier: 'ours' }]);
});
