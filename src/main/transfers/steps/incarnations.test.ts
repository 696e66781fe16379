import { afterEach, beforeEach, expect, test } from 'vitest';
import { serviceId, World } from '../../../../test-support/main/transfers/world.ts';

/** Whoever stores an object draws a UUID before, which names these bytes. It is told to a team, and here read from what it is told. */

let world: World;
beforeEach(async () => {
  world = await World.begin();
  await world.database.team.join(serviceId, { place: '', list: 1, me: 1, sharesEarlier: false });
});
afterEach(() => world.leave());

type Told = { identifier: string; incarnation?: string; sha256?: string; state?: number };

async function tell(): Promise<Told[]> {
  const { team } = world.database;
  const push = await team.nextPush(serviceId);
  if (push === null) return [];
  const changes = JSON.parse(push.changes) as Told[];
  await team.acknowledge(serviceId, push.seq, { rev: changes.length, refused: [], kept: [], older: [] });
  return changes;
}

/** Of the upload that is under way. */
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

test.each(ways)('%s has one of its own', async (_, store) => {
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

test('a store whose answer was lost keeps that of before, also after a kill', async () => {
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

test('a store that follows one that the list knows has another', async () => {
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

test('what somebody else has stored has none', async () => {
  world.service.put('a', Buffer.from('theirs'), 'stranger');
  await world.upload('a', { ifExists: 'skip' });
  await world.clock.advance(60_000);
  expect(await tell()).toMatchObject([{ identifier: 'a', state: 0 }]);
  await world.upload('b');
  await world.clock.advance(60_000);
  expect((await tell())[0]).toHaveProperty('incarnation');
  // Deleted by another, and stored again by one who sends as many bytes.
  await world.delete('b');
  await world.clock.advance(60_000);
  world.service.put('b', Buffer.from('upload 2 of b'), 'stranger');
  await world.download('b');
  await world.clock.advance(60_000);
  const told = await tell();
  expect(told).toMatchObject([{ identifier: 'b' }]);
  expect(told[0]).not.toHaveProperty('incarnation');
});
