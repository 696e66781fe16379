import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { World } from '../../../../test-support/main/transfers/world.ts';

/** Which objects count as stored here: only these may `coffer sync --delete` delete without being told their names. */

let world: World;
beforeEach(async () => {
  world = await World.begin();
});
afterEach(() => world.leave());

const isOwn = async (identifier: string) => (await world.rowOf(identifier))?.isOwnStored === true;
const theirs = () => world.service.put('a', Buffer.from('same bytes'), 'stranger');
const upload = (ifExists: 'ask' | 'skip' | 'keepBoth') => world.upload('a', { ifExists, text: 'same bytes' });

describe('bytes that somebody else had stored', () => {
  beforeEach(theirs);

  test.each(['ask', 'skip', 'keepBoth'] as const)(
    'stay theirs where the file has the same: %s',
    async (ifExists) => {
      await upload(ifExists);
      await world.clock.advance(600_000);
      expect(world.service.versions.get('a')).toHaveLength(1);
      expect(await isOwn('a')).toBe(false);
    },
  );

  test('stay theirs after a deferred upload was refused', async () => {
    await world.upload('a', { ifExists: 'ask', route: 'deferred', text: 'same bytes' });
    await world.clock.advance(600_000);
    expect(await isOwn('a')).toBe(false);
  });

  test('stay theirs when they are listed and downloaded', async () => {
    await world.download('a');
    await world.clock.advance(60_000);
    expect(await world.rowOf('a')).toMatchObject({ state: 'stored', sha256: expect.any(String) as string });
    expect(await isOwn('a')).toBe(false);
  });

  test('are this person’s once replaced, and after the Undo', async () => {
    await world.upload('a', { ifExists: 'replace', text: 'other bytes' });
    await world.clock.advance(600_000);
    expect(await isOwn('a')).toBe(true);
    await world.undo('a');
    await world.clock.advance(600_000);
    expect(Buffer.from(world.service.get('a') ?? []).toString()).toBe('same bytes');
    expect(await isOwn('a')).toBe(true);
  });
});

test.each(['a fresh upload', 'a lost answer'])('what was stored here is this person’s: %s', async (way) => {
  if (way === 'a lost answer')
    world.service.weatherOf = (what) => (what === 'POST' ? { kind: 'lossy' } : null);
  await upload('ask');
  await world.clock.advance(200);
  world.service.weatherOf = () => null;
  await world.clock.advance(600_000);
  expect(await isOwn('a')).toBe(true);
  expect(await world.transfers()).toMatchObject([{ outcome: { kind: 'stored' } }]);
});

test('a moved object is this person’s under its new identifier', async () => {
  await upload('ask');
  await world.clock.advance(60_000);
  await world.rename('a', 'b');
  await world.clock.advance(600_000);
  expect([await isOwn('a'), await isOwn('b')]).toEqual([true, true]);
  // Somebody else stores there, and a check finds it.
  const { id = 0 } = (await world.rowOf('a')) ?? {};
  await world.database.catalogue.update([{ id, patch: { state: 'stored', lengthBytes: 10 } }]);
  expect(await isOwn('a')).toBe(false);
});

test('a move deletes nothing that somebody else has stored at the former identifier meanwhile', async () => {
  await upload('ask');
  await world.clock.advance(60_000);
  world.service.weatherOf = (what) => (what === 'DELETE' ? { kind: 'unreachable' } : null);
  await world.rename('a', 'b');
  await world.clock.advance(60_000);
  world.service.remove('a', 'stranger');
  world.service.put('a', Buffer.from('their byte'), 'stranger');
  world.service.weatherOf = () => null;
  await world.clock.advance(600_000);
  expect(Buffer.from(world.service.get('a') ?? []).toString()).toBe('their byte');
  const { id = 0 } = (await world.rowOf('a')) ?? {};
  await world.database.catalogue.update([{ id, patch: { state: 'stored', lengthBytes: 10 } }]);
  expect(await isOwn('a')).toBe(false);
});
