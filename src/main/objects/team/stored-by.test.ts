import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTeamCopy, stored, type OpenTeamCopy } from '../../../../test-support/main/objects/team-copy.ts';

const incarnation = '0d1f7a52-6f0b-4b8e-9d0e-3f6c0f0f5a01';
const bytes = { lengthBytes: 5, sha256: 'a'.repeat(64) };
let copy: OpenTeamCopy;
beforeEach(async () => {
  copy = await openTeamCopy();
  await copy.join();
  await copy.team.setPeople(copy.serviceId, [
    { id: 7, shown: 'Anna Berg', isEnded: false },
    { id: 8, shown: 'Ben Aalto', isEnded: false },
    { id: 9, shown: 'Zoë', isEnded: false },
  ]);
});
afterEach(() => copy.close());

/** Who stored it, who saw it last, and whether it is shared. */
function marks(identifier: string) {
  const { storedBy, seenBy, isOwnStored, isShared } = copy.row(identifier) ?? {};
  return { storedBy, seenBy, isOwnStored, isShared };
}

it('names who stored an object, except this person', async () => {
  await copy.upload('mine', bytes);
  await copy.look('found', 5);
  await copy.apply({ identifier: 'theirs', ...stored(incarnation, 5), seenBy: 9 });
  expect(marks('mine')).toEqual({ isOwnStored: true });
  expect(marks('found')).toEqual({});
  expect(marks('theirs')).toEqual({ storedBy: 'Ben Aalto', seenBy: 'Zoë', isShared: true });
  await copy.tellAll();
  expect(marks('mine')).toEqual({ isOwnStored: true, isShared: true });
});

it('a store from another computer of this person is theirs', async () => {
  await copy.apply({ identifier: 'mine', ...stored(incarnation, 5), storedBy: 7, seenBy: 7 });
  expect(marks('mine')).toEqual({ isOwnStored: true, isShared: true });
});

it('a search finds who stored it by the beginning of any word, and oneself by name or as "me"', async () => {
  await copy.upload('mine', bytes);
  await copy.look('found', 5);
  await copy.apply(
    { identifier: 'ben', ...stored(incarnation, 5) },
    { identifier: 'zoe', ...stored(incarnation, 5), storedBy: 9 },
  );
  expect(await copy.find('by:aal')).toEqual(['ben']);
  expect(await copy.find('by:zoë')).toEqual(['zoe']);
  expect(await copy.find('by:me')).toEqual(['mine']);
  expect(await copy.find('by:berg')).toEqual(['mine']);
  expect(await copy.find('-by:b*a by:me by:ben by:z')).toEqual(['mine', 'zoe']);
  expect(await copy.find('by:"ben"')).toEqual([]);
  expect(await copy.find('by:""')).toEqual(['found']);
});

it('the index follows when an object is told, stored again or made private, or a name changes', async () => {
  await copy.upload('mine', bytes);
  await copy.apply({ identifier: 'ben', ...stored(incarnation, 5) });
  expect(await copy.find('shared:no')).toEqual(['mine']);
  await copy.tellAll();
  expect(await copy.find('shared:no')).toEqual([]);
  await copy.upload('ben', { ...bytes, sha256: 'b'.repeat(64) });
  expect(await copy.find('by:ben')).toEqual([]);
  expect(await copy.find('by:me')).toEqual(['ben', 'mine']);
  await copy.apply({ identifier: 'mine', isForgotten: true });
  expect(await copy.find('shared:yes')).toEqual(['ben']);
  await copy.apply({ identifier: 'zoe', ...stored(incarnation, 5), storedBy: 9 });
  expect(await copy.find('by:cleo')).toEqual([]);
  await copy.team.setPeople(copy.serviceId, [{ id: 9, shown: 'Cleo', isEnded: false }]);
  expect(await copy.find('by:cleo')).toEqual(['zoe']);
});

it('sorts by who stored it: this person, the others by name, unknown people last', async () => {
  await copy.look('a', 5);
  await copy.upload('b', bytes);
  await copy.apply(
    { identifier: 'c', ...stored(incarnation, 5), storedBy: 9 },
    { identifier: 'd', ...stored(incarnation, 5) },
  );
  const sorted = () => copy.find('', { column: 'storedBy', direction: 'ascending' });
  expect(await sorted()).toEqual(['b', 'd', 'c', 'a']);
  await copy.apply({ identifier: 'd', ...stored(incarnation, 6), storedBy: 9, storedAtMs: copy.nowMs + 1 });
  expect(await sorted()).toEqual(['b', 'c', 'd', 'a']);
});

it('after leaving, nobody else is named, and this person not for what others have stored', async () => {
  await copy.upload('mine', bytes);
  await copy.tellAll();
  await copy.apply({ identifier: 'ben', ...stored(incarnation, 5) });
  expect(await copy.find('by:me')).toEqual(['mine']);
  await copy.team.leave(copy.serviceId, 'all');
  expect(marks('ben')).toEqual({});
  expect(marks('mine')).toEqual({ isOwnStored: true });
  // On a busy machine the index reads the list again a little later.
  await expect.poll(() => copy.find('by:ben')).toEqual([]);
  // Without a team there are no names.
  expect(await copy.find('by:""')).toEqual(['ben', 'mine']);
});

describe('an object that was missing, and is there again with the same length', () => {
  beforeEach(async () => {
    await copy.upload('mine', bytes);
    await copy.check('mine', { present: false });
  });
  const checkAgain = () => copy.check('mine', { present: true, lengthBytes: 5 });

  it('may be somebody else’s', async () => {
    await checkAgain();
    expect(copy.row('mine')).toMatchObject({ state: 'stored', lengthBytes: 5 });
    expect(marks('mine')).toEqual({});
  });

  it('may be, also if an upload was cancelled meanwhile', async () => {
    const cancel = await copy.beginUpload('mine');
    await cancel();
    await checkAgain();
    expect(marks('mine')).toEqual({});
  });

  it('is this person’s, if a download found the same bytes', async () => {
    await copy.download('mine', bytes);
    expect(marks('mine')).toEqual({ isOwnStored: true });
  });

  it('is not, if they were deleted before', async () => {
    await copy.delete('mine');
    await copy.download('mine', bytes);
    expect(marks('mine')).toEqual({});
  });
});

it('what was missing, and found and downloaded again, does not count as stored here when a team is joined', async () => {
  await copy.team.leave(copy.serviceId, 'own');
  await copy.upload('again', bytes);
  await copy.check('again', { present: false });
  await copy.check('again', { present: true, lengthBytes: 5 });
  await copy.download('again', bytes);
  expect((await copy.team.earlier(copy.serviceId, true)).count).toBe(0);
  await copy.join({ sharesEarlier: true });
  await copy.tellAll();
  expect(marks('again')).toEqual({});
});
