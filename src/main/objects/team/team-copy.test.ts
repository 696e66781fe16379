import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claims } from '../../../shared/domain/claims.ts';
import { openTeamCopy, stored, type OpenTeamCopy } from '../../../../test-support/main/objects/team-copy.ts';
import type { TeamPush, TeamPushAnswer } from './team-copy.ts';

const [me, ben] = [7, 8];
let copy: OpenTeamCopy;
beforeEach(async () => {
  copy = await openTeamCopy();
});
afterEach(() => copy.close());

const changesIn = (push: TeamPush | null) => JSON.parse(push?.changes ?? '[]') as Record<string, unknown>[];
const accepted = (rev: number, more: Partial<TeamPushAnswer> = {}): TeamPushAnswer => ({
  rev,
  refused: [],
  kept: [],
  older: [],
  ...more,
});
const incarnation = '0d1f7a52-6f0b-4b8e-9d0e-3f6c0f0f5a01';

describe('what is due', () => {
  it('is a store with the incarnation that was drawn before it, and it is pushed once', async () => {
    await copy.join();
    await copy.upload('a', { lengthBytes: 5, sha256: 'a'.repeat(64), classification: 'internal' });
    const push = await copy.nextPush();
    expect(changesIn(push)).toEqual([
      {
        kind: 0,
        identifier: 'a',
        state: 0,
        seen_ms: copy.nowMs,
        incarnation: copy.incarnationOf('a'),
        length_bytes: 5,
        sha256: 'a'.repeat(64),
        classification: 'internal',
        source_name: 'a.txt',
        stored_ms: copy.nowMs,
      },
    ]);
    expect(copy.incarnationOf('a')).toMatch(/^[0-9a-f-]{36}$/);
    await copy.team.acknowledge(copy.serviceId, push?.seq ?? 0, accepted(1));
    expect(await copy.nextPush()).toBeNull();
  });

  it('repeats the same bytes until it is answered, whatever changes meanwhile', async () => {
    await copy.join();
    await copy.look('a', 5);
    const push = await copy.nextPush();
    await copy.look('a', 6);
    await copy.type('a', 'new');
    copy.reopen();
    expect(await copy.nextPush()).toEqual(push);
    await copy.team.acknowledge(copy.serviceId, 1, accepted(1));
    // Of the answer that comes twice the second is nothing.
    await copy.team.acknowledge(copy.serviceId, 1, accepted(1));
    const next = await copy.nextPush();
    expect(next).toMatchObject({ seq: 2, before: push?.tag });
    expect(changesIn(next)).toMatchObject([{ identifier: 'a', length_bytes: 6, note: 'new', note_base: '' }]);
  });

  it('is nothing of a service without a team, of an import, and of what the team has said', async () => {
    await copy.look('before', 5);
    await copy.join();
    await copy.import('heard', 9);
    await copy.apply({ identifier: 'told', lengthBytes: 3 });
    expect(await copy.nextPush()).toBeNull();
    expect(await copy.team.stateOf(copy.serviceId)).toMatchObject({ due: 0, refused: 0 });
  });

  it.each([
    ['is longer than the server can hold', 'x'.repeat(2001)],
    ['has more bytes than the server can hold', 'é'.repeat(1001)],
    ['has a NUL', 'a\0b'],
  ])('is nothing of an object whose identifier %s', async (_, identifier) => {
    await copy.join();
    await copy.look(identifier, 5);
    await copy.type(identifier, 'note');
    expect(await copy.nextPush()).toBeNull();
  });

  it('has no note that the server cannot hold, and none of a classification that it could not see', async () => {
    await copy.join();
    await copy.look('a', 5);
    await copy.type('a', 'a\0b');
    await copy.upload('b', { lengthBytes: 5, sha256: 'b'.repeat(64), classification: 'x\0' });
    const changes = changesIn(await copy.nextPush());
    expect(changes).toEqual([{ kind: 0, identifier: 'a', state: 0, seen_ms: copy.nowMs, length_bytes: 5 }]);
  });

  it('of a secret has no value, and of what an imported list says no length, digest or parts', async () => {
    await copy.join();
    await copy.import('a', 9, 'a'.repeat(64));
    await copy.lookOnly('a');
    await copy.addSecret('s');
    await copy.team.setSecretsSince(copy.serviceId, 's');
    expect(changesIn(await copy.nextPush())).toEqual([
      { kind: 0, identifier: 'a', state: 0, seen_ms: copy.nowMs },
      { kind: 1, identifier: 's', state: 2, seen_ms: 0 },
    ]);
  });

  it('that nobody has heard of and that is away is not told', async () => {
    await copy.join();
    await copy.look('a', 5, 'missing');
    expect(await copy.nextPush()).toBeNull();
  });

  it('waits while a transfer works on the object', async () => {
    await copy.join();
    await copy.look('a', 5);
    const release = await copy.work('a');
    expect(await copy.nextPush()).toBeNull();
    await release();
    expect(changesIn(await copy.nextPush())).toMatchObject([{ identifier: 'a' }]);
  });

  it('is refused one by one: half of it is tried again, and a single change is set aside until access changes', async () => {
    await copy.join();
    for (const identifier of ['a', 'b', 'c']) await copy.look(identifier, 5);
    const names = async () => changesIn(await copy.nextPush()).map((each) => each['identifier']);
    expect(await names()).toEqual(['a', 'b', 'c']);
    await copy.team.halvePush(copy.serviceId, 1, '22P05');
    expect(await names()).toEqual(['a', 'b']);
    await copy.team.halvePush(copy.serviceId, 1, '22P05');
    expect(await names()).toEqual(['a']);
    await copy.team.halvePush(copy.serviceId, 1, '22P05');
    expect(await names()).toEqual(['b', 'c']);
    await copy.team.acknowledge(copy.serviceId, 1, accepted(2, { refused: [[2, 'forbidden']] }));
    expect(await copy.team.stateOf(copy.serviceId)).toMatchObject({ due: 0, refused: 2 });
    await copy.team.setAccess(copy.serviceId, [{ area: 1, may: 2, since: 's1' }], 5);
    expect(await copy.team.stateOf(copy.serviceId)).toMatchObject({ due: 2, refused: 0 });
  });

  it('goes on under a new number after another copy of the folder has pushed', async () => {
    await copy.join();
    await copy.look('a', 5);
    const push = await copy.nextPush();
    await copy.team.renewClient(copy.serviceId);
    const again = await copy.nextPush();
    expect(again).toMatchObject({ seq: 1, before: null, changes: push?.changes });
    expect(again?.client).not.toBe(push?.client);
    expect(again?.tag).not.toBe(push?.tag);
  });

  it('has with the first note of an object what was seen of it, although its absence alone was no news', async () => {
    await copy.join();
    await copy.look('a', 5);
    await copy.delete('a');
    expect(await copy.nextPush()).toBeNull();
    await copy.type('a', 'mine');
    expect(changesIn(await copy.nextPush())).toMatchObject([{ identifier: 'a', note: 'mine', state: 5 }]);
  });

  it('has what was uploaded before only if the person shares it', async () => {
    await copy.upload('a', { lengthBytes: 5, sha256: 'a'.repeat(64) });
    await copy.type('a', 'mine');
    await copy.look('seen', 5);
    await copy.import('heard', 5, 'b'.repeat(64));
    await copy.upload('deleted', { lengthBytes: 5, sha256: 'c'.repeat(64) });
    await copy.delete('deleted');
    expect(await copy.team.earlierCount(copy.serviceId)).toBe(1);
    await copy.join({ sharesEarlier: true });
    expect(changesIn(await copy.nextPush())).toMatchObject([
      { identifier: 'a', incarnation: copy.incarnationOf('a'), note: 'mine' },
    ]);
    await copy.team.acknowledge(copy.serviceId, 1, accepted(1));
    expect(await copy.nextPush()).toBeNull();
  });
});

describe('what the team says', () => {
  beforeEach(() => copy.join());

  it('is on the list as somebody’s word', async () => {
    await copy.apply({ identifier: 'a', ...stored(incarnation, 5), note: 'theirs' });
    expect(copy.row('a')).toMatchObject({
      state: 'stored',
      lengthBytes: 5,
      note: 'theirs',
      claimed: claims.digest | claims.length | claims.presence,
    });
  });

  it('does not overwrite what is still to be told', async () => {
    await copy.look('a', 5);
    await copy.type('a', 'mine');
    await copy.apply({
      identifier: 'a',
      state: 'gone',
      seenMs: copy.nowMs + 50,
      note: 'theirs',
      renewBy: null,
    });
    expect(copy.row('a')).toMatchObject({ state: 'stored', note: 'mine' });
    expect(copy.row('a')).not.toHaveProperty('claimed');
  });

  it('of bytes does not overwrite a store that is still to be told', async () => {
    await copy.upload('a', { lengthBytes: 5, sha256: 'a'.repeat(64) });
    const own = copy.incarnationOf('a');
    const later = { storedAtMs: copy.nowMs + 9, seenMs: copy.nowMs + 9 };
    await copy.apply({ identifier: 'a', ...stored(incarnation, 6, 'b'), ...later });
    expect(copy.row('a')).toMatchObject({ lengthBytes: 5, sha256: 'a'.repeat(64) });
    expect(changesIn(await copy.nextPush())).toMatchObject([{ incarnation: own }]);
  });

  it('against what was seen here later is told so, once', async () => {
    await copy.look('a', 5, 'missing');
    // Nobody had heard of it: there was nothing to tell.
    expect(await copy.nextPush()).toBeNull();
    await copy.apply({ identifier: 'a', lengthBytes: 5, seenMs: copy.nowMs - 9 });
    const push = await copy.nextPush();
    expect(changesIn(push)).toMatchObject([{ identifier: 'a', state: 3 }]);
    const rev = copy.lastRev + 1;
    await copy.team.acknowledge(copy.serviceId, push?.seq ?? 0, accepted(rev));
    // The server has kept what it says.
    await copy.apply({ identifier: 'a', lengthBytes: 5, seenMs: copy.nowMs - 9, rev });
    expect(await copy.nextPush()).toBeNull();
    expect(copy.row('a')).toMatchObject({ state: 'missing' });
  });

  it('is taken where the server would not hear what is seen here, and the rest is tried once more', async () => {
    await copy.upload('a', { lengthBytes: 5, sha256: 'a'.repeat(64) });
    await copy.type('a', 'mine');
    const push = await copy.nextPush();
    await copy.team.acknowledge(copy.serviceId, push?.seq ?? 0, accepted(0, { refused: [[1, 'forbidden']] }));
    const later = { storedAtMs: copy.nowMs + 9, seenMs: copy.nowMs + 9, storedBy: ben };
    await copy.apply({ identifier: 'a', ...stored(incarnation, 6, 'b'), ...later });
    expect(copy.row('a')).toMatchObject({ lengthBytes: 6, note: 'mine' });
    const again = changesIn(await copy.nextPush());
    expect(again).toEqual([expect.objectContaining({ identifier: 'a', note: 'mine' })]);
    expect(again[0]).not.toHaveProperty('incarnation');
  });

  it('about a later look is taken, about an earlier one is not', async () => {
    await copy.look('a', 5);
    await copy.look('b', 5);
    await copy.tellAll();
    const before = copy.epochOf('a');
    await copy.apply(
      { identifier: 'a', state: 'missing', seenMs: copy.nowMs + 1, lengthBytes: 5 },
      { identifier: 'b', state: 'missing', seenMs: copy.nowMs - 1, lengthBytes: 5 },
    );
    expect(copy.row('a')).toMatchObject({ state: 'missing', claimed: claims.presence });
    expect(copy.row('b')).toMatchObject({ state: 'stored' });
    expect(copy.row('b')).not.toHaveProperty('claimed');
    // A HEAD that was sent before must not overwrite it.
    expect(copy.epochOf('a')).toBe(before + 1);
  });

  it('of the same look leaves an own one as it is', async () => {
    await copy.look('a', 5);
    await copy.tellAll();
    await copy.apply({ identifier: 'a', seenMs: copy.nowMs + 60_000, lengthBytes: 5 });
    expect(copy.row('a')).toMatchObject({ checkedAtMs: copy.nowMs });
    expect(copy.row('a')).not.toHaveProperty('claimed');
  });

  it('of own bytes leaves them proven, of bytes stored later does not', async () => {
    await copy.upload('a', { lengthBytes: 5, sha256: 'a'.repeat(64) });
    await copy.tellAll();
    const own = copy.incarnationOf('a') ?? '';
    await copy.apply({ identifier: 'a', ...stored(own, 5, 'a'), storedBy: me, storedAtMs: copy.nowMs });
    expect(copy.row('a')).toMatchObject({ sha256: 'a'.repeat(64) });
    expect(copy.row('a')).not.toHaveProperty('claimed');
    const later = { storedAtMs: copy.nowMs + 9, seenMs: copy.nowMs + 9, storedBy: ben };
    await copy.apply({ identifier: 'a', ...stored(incarnation, 5, 'b'), ...later });
    expect(copy.row('a')).toMatchObject({ sha256: 'b'.repeat(64), claimed: claims.digest | claims.length });
  });

  it('of other bytes does not overwrite those that were seen here later', async () => {
    await copy.upload('a', { lengthBytes: 5, sha256: 'a'.repeat(64) });
    await copy.tellAll();
    const earlier = { storedAtMs: copy.nowMs - 9, seenMs: copy.nowMs - 9, storedBy: ben };
    await copy.apply({ identifier: 'a', ...stored(incarnation, 6, 'b'), ...earlier });
    expect(copy.row('a')).toMatchObject({ lengthBytes: 5, sha256: 'a'.repeat(64) });
    expect(copy.row('a')).not.toHaveProperty('claimed');
  });

  it('of bytes that were found after a deletion says nothing of the former digest', async () => {
    await copy.upload('a', { lengthBytes: 5, sha256: 'a'.repeat(64) });
    await copy.tellAll();
    await copy.apply({ identifier: 'a', lengthBytes: 5, seenMs: copy.nowMs + 9 });
    expect(copy.row('a')).toMatchObject({ sha256: null, claimed: claims.length });
    expect(copy.incarnationOf('a')).toBeNull();
  });

  it('is taken where it is the answer to another length that was found here: somebody has looked later', async () => {
    await copy.look('a', 2);
    await copy.tellAll();
    const rev = copy.lastRev;
    const server = { ...stored(incarnation, 1), storedAtMs: copy.nowMs - 9 };
    const later = { state: 'gone', seenMs: copy.nowMs + 9, seenBy: ben } as const;
    await copy.applyPage([{ ...copy.teamRow({ identifier: 'a', ...server, ...later }), rev }]);
    expect(copy.row('a')).toMatchObject({ state: 'gone', lengthBytes: 1 });
    expect(copy.incarnationOf('a')).toBe(incarnation);
  });

  it('of bytes that others have only found leaves what was stored here before joining, which is shared then', async () => {
    await copy.team.leave(copy.serviceId, 'all');
    const sha256 = 'a'.repeat(64);
    await copy.upload('a', { lengthBytes: 5, sha256 });
    await copy.join({ sharesEarlier: true });
    await copy.apply({ identifier: 'a', lengthBytes: 5, seenMs: copy.nowMs + 9 });
    expect(copy.row('a')).toMatchObject({ sha256, storedAtMs: copy.nowMs, sourceName: 'a.txt' });
    expect(copy.row('a')).not.toHaveProperty('claimed');
    expect(changesIn(await copy.nextPush())).toMatchObject([{ identifier: 'a', sha256 }]);
  });

  it('of bytes that others have found leaves nothing of what the team once said of a private row', async () => {
    await copy.apply({ identifier: 'a', ...stored(incarnation, 5) });
    await copy.look('a', 5);
    await copy.tellAll();
    await copy.applyPage([], [{ kind: 'data', identifier: 'a', rev: copy.lastRev + 1, area: 1 }]);
    await copy.applyPage([{ ...copy.teamRow({ identifier: 'a', lengthBytes: 5 }), rev: copy.lastRev + 2 }]);
    expect(copy.row('a')).toMatchObject({ sha256: null, storedAtMs: null });
  });

  it('takes back a file name that it told, and leaves one that an imported list told', async () => {
    const ben = { ...stored(incarnation, 5), sourceName: null };
    await copy.apply({ identifier: 'a', ...ben }, { identifier: 'b', ...ben, sourceName: 'b.txt' });
    await copy.import('a', 5, null, 'a.txt');
    await copy.apply({ identifier: 'a', ...ben }, { identifier: 'b', ...ben });
    expect([copy.row('a')?.sourceName, copy.row('b')?.sourceName]).toEqual(['a.txt', null]);
  });

  it('fills in what is not known of bytes that were found here', async () => {
    await copy.look('a', 5);
    await copy.tellAll();
    await copy.apply({ identifier: 'a', ...stored(incarnation, 5, 'a'), storedAtMs: copy.nowMs - 9 });
    expect(copy.row('a')).toMatchObject({ lengthBytes: 5, sha256: 'a'.repeat(64), claimed: claims.digest });
  });

  it('waits while a transfer works on the object, and is taken when it ends', async () => {
    await copy.look('a', 5);
    await copy.tellAll();
    const release = await copy.work('a');
    await copy.apply({ identifier: 'a', state: 'gone', seenMs: copy.nowMs + 9, lengthBytes: 5 });
    expect(copy.row('a')).toMatchObject({ state: 'deleting' });
    copy.reopen();
    await release();
    expect(copy.row('a')).toMatchObject({ state: 'gone', claimed: claims.presence });
  });

  it('brings a row back that was removed with the upload it was added for', async () => {
    const cancel = await copy.beginUpload('a');
    await copy.apply({ identifier: 'a', ...stored(incarnation, 5) });
    expect(copy.row('a')).toMatchObject({ state: 'uploading' });
    await cancel();
    expect(copy.row('a')).toMatchObject({ state: 'stored', claimed: 7 });
  });

  it('takes a note that is not changed here, and keeps one apart that is', async () => {
    await copy.apply({ identifier: 'a', note: 'first' });
    await copy.apply({ identifier: 'a', note: 'second' });
    expect(copy.row('a')).toMatchObject({ note: 'second' });
    await copy.type('a', 'mine');
    const push = await copy.nextPush();
    expect(changesIn(push)).toMatchObject([{ note: 'mine', note_base: 'second' }]);
    await copy.apply({ identifier: 'a', note: 'third' });
    expect(copy.row('a')).toMatchObject({ note: 'mine' });
    await copy.team.acknowledge(copy.serviceId, 1, accepted(9, { kept: [[1, 'note']] }));
    expect(copy.row('a')).toMatchObject({ note: 'third' });
    expect(await copy.team.stateOf(copy.serviceId)).toMatchObject({ keptApart: 1 });
  });

  it('what was typed after the push goes on from what was told', async () => {
    await copy.look('a', 5);
    await copy.type('a', 'one');
    await copy.nextPush();
    await copy.type('a', 'two');
    await copy.team.acknowledge(copy.serviceId, 1, accepted(1));
    expect(changesIn(await copy.nextPush())).toMatchObject([{ note: 'two', note_base: 'one' }]);
  });

  it('what was typed after the answer goes on from what was told, though it was not read back yet', async () => {
    await copy.look('a', 5);
    await copy.type('a', 'one');
    await copy.setRenewBy('a', '2030-01-01');
    await copy.tellAll({ sharesNotes: true });
    await copy.type('a', 'two');
    expect(changesIn(await copy.nextPush())).toMatchObject([{ note: 'two', note_base: 'one' }]);
  });

  it('of what was told and changed by somebody before it was read back is taken', async () => {
    await copy.look('a', 5);
    await copy.type('a', 'one');
    await copy.setRenewBy('a', '2030-01-01');
    await copy.tellAll({ sharesNotes: true });
    await copy.apply({ identifier: 'a', lengthBytes: 5, note: 'theirs', renewBy: null });
    expect(copy.row('a')).toMatchObject({ note: 'theirs' });
    expect(copy.row('a')).not.toHaveProperty('renewBy');
    expect(await copy.team.stateOf(copy.serviceId)).toMatchObject({ keptApart: 0 });
  });

  it('keeps an own note apart that goes from the team', async () => {
    await copy.look('a', 5);
    await copy.look('b', 5);
    await copy.type('a', 'mine');
    await copy.tellAll({ sharesNotes: true });
    await copy.apply({ identifier: 'a', lengthBytes: 5, note: 'mine' });
    await copy.apply({ identifier: 'b', lengthBytes: 5, note: 'theirs' });
    // From now on its curator shares none.
    await copy.apply({ identifier: 'a', lengthBytes: 5 }, { identifier: 'b', lengthBytes: 5 });
    expect([copy.row('a')?.note, copy.row('b')?.note]).toEqual(['', '']);
    expect(copy.db.prepare('SELECT mine FROM team_kept_apart').all()).toEqual([{ mine: 'mine' }]);
  });

  it('keeps a local note whose push was refused when the server sends an empty one', async () => {
    await copy.apply({ identifier: 'a', note: 'theirs' });
    await copy.type('a', 'mine');
    const push = await copy.nextPush();
    await copy.team.acknowledge(copy.serviceId, push?.seq ?? 0, accepted(0, { refused: [[1, 'forbidden']] }));
    await copy.apply({ identifier: 'a', note: '' });
    expect(copy.row('a')).toMatchObject({ note: 'mine' });
  });

  it('never deletes a note that the team does not have', async () => {
    await copy.look('a', 5);
    await copy.type('a', 'mine');
    await copy.tellAll();
    // Its curator shares no notes.
    await copy.apply({ identifier: 'a', lengthBytes: 5, note: '' });
    await copy.apply({ identifier: 'a', lengthBytes: 5, note: '', seenMs: copy.nowMs + 9 });
    expect(copy.row('a')).toMatchObject({ note: 'mine' });
    await copy.apply({ identifier: 'a', lengthBytes: 5, note: 'theirs' });
    expect(copy.row('a')).toMatchObject({ note: 'theirs' });
    expect(await copy.team.stateOf(copy.serviceId)).toMatchObject({ keptApart: 1 });
    await copy.apply({ identifier: 'a', lengthBytes: 5, note: '' });
    expect(copy.row('a')).toMatchObject({ note: '' });
  });
});

describe('what leaves the list', () => {
  beforeEach(() => copy.join());

  it('of the team alone goes, what was seen here or has a note of one’s own becomes private', async () => {
    await copy.look('seen', 5);
    await copy.tellAll();
    await copy.apply(
      { identifier: 'theirs' },
      { identifier: 'seen', lengthBytes: 5 },
      { identifier: 'noted' },
      { identifier: 'overruled', lengthBytes: 5 },
    );
    await copy.look('overruled', 5);
    await copy.type('noted', 'mine');
    await copy.tellAll();
    await copy.apply({ identifier: 'overruled', state: 'gone', seenMs: copy.nowMs + 9, lengthBytes: 5 });
    const all = ['theirs', 'seen', 'noted', 'overruled'];
    await copy.apply(...all.map((identifier) => ({ identifier, isForgotten: true })));
    expect(all.map((identifier) => copy.row(identifier)?.state ?? null)).toEqual([
      null,
      'stored',
      'stored',
      'gone',
    ]);
    expect(copy.sharedNames()).toEqual([]);
  });

  it('because it left an area goes, unless it came into another one', async () => {
    await copy.apply({ identifier: 'a', rev: 5 }, { identifier: 'b', rev: 6 });
    const moved = (identifier: string, rev: number) => ({ kind: 'data', identifier, rev, area: 1 }) as const;
    await copy.applyPage(
      [copy.teamRow({ identifier: 'b', rev: 8, area: 2 })],
      [moved('a', 7), moved('b', 8)],
    );
    expect(copy.row('a')).toBeNull();
    expect(copy.row('b')).toMatchObject({ state: 'stored' });
    // One that is older than what is known of the object.
    await copy.applyPage([], [moved('b', 7)]);
    expect(copy.row('b')).toMatchObject({ state: 'stored' });
  });

  it('does not come back with what was said of it while a transfer worked on it', async () => {
    await copy.look('a', 5);
    await copy.look('b', 5);
    await copy.tellAll();
    await copy.apply({ identifier: 'a', lengthBytes: 5 }, { identifier: 'b', lengthBytes: 5, area: 2 });
    const access = [
      { area: 1, may: 2, since: 'x' },
      { area: 2, may: 2, since: 'x' },
    ] as const;
    await copy.team.setAccess(copy.serviceId, access, 1);
    await copy.team.beginFill(copy.serviceId, [1, 2], { epoch: 'e', rev: copy.lastRev, tag: 't' });
    const there = ['a', 'b'].map((identifier) =>
      copy.teamRow({ identifier, lengthBytes: 5, area: identifier === 'a' ? 1 : 2 }),
    );
    await copy.team.fillPage(copy.serviceId, there, true);
    const [endA, endB] = [await copy.work('a'), await copy.work('b')];
    await copy.apply({ identifier: 'a', lengthBytes: 5 }, { identifier: 'b', lengthBytes: 5, area: 2 });
    await copy.applyPage([], [{ kind: 'data', identifier: 'a', rev: copy.lastRev + 1, area: 1 }]);
    await copy.team.setAccess(copy.serviceId, access.slice(0, 1), 2);
    await endA();
    await endB();
    expect(copy.sharedNames()).toEqual([]);
  });

  it('because a person took it off is told, with what was not told yet', async () => {
    await copy.apply({ identifier: 'a', lengthBytes: 5 });
    await copy.look('a', 5, 'gone');
    await copy.remove('a');
    const push = await copy.nextPush();
    expect(changesIn(push)).toEqual([
      { kind: 0, identifier: 'a', state: 5, seen_ms: copy.nowMs, length_bytes: 5, forget: true },
    ]);
    // The team's word from before does not bring it back, and from after the push it is gone.
    await copy.apply({ identifier: 'a', state: 'gone', lengthBytes: 5 });
    expect(copy.row('a')).toBeNull();
    await copy.team.acknowledge(copy.serviceId, 1, accepted(20));
    await copy.apply({ identifier: 'a', isForgotten: true });
    expect(copy.row('a')).toBeNull();
    expect(await copy.nextPush()).toBeNull();
  });

  it('is not told of what the team has never heard of, but of what may be on its way', async () => {
    await copy.look('a', 5);
    await copy.look('b', 5);
    await copy.remove('a');
    const push = await copy.nextPush();
    expect(changesIn(push)).toMatchObject([{ identifier: 'b' }]);
    await copy.remove('b');
    await copy.team.acknowledge(copy.serviceId, 1, accepted(1));
    expect(changesIn(await copy.nextPush())).toMatchObject([{ identifier: 'b', forget: true }]);
  });

  it('comes back when somebody stores it anew, unless this person may take off what is stored', async () => {
    await copy.apply({ identifier: 'a', state: 'gone' }, { identifier: 'b', area: 2, state: 'gone' });
    await copy.team.setAccess(
      copy.serviceId,
      [
        { area: 1, may: 2, since: 's' },
        { area: 2, may: 3, since: 's' },
      ],
      1,
    );
    await copy.remove('a');
    await copy.remove('b');
    await copy.apply(
      { identifier: 'a', ...stored(incarnation, 5) },
      { identifier: 'b', area: 2, ...stored(incarnation, 5) },
    );
    expect(copy.row('a')).toMatchObject({ state: 'stored' });
    expect(copy.row('b')).toBeNull();
    expect(changesIn(await copy.nextPush())).toEqual([{ kind: 0, identifier: 'b', forget: true }]);
  });

  it("a colleague's bytes are not pushed as this person's after joining another team", async () => {
    await copy.upload('a', { lengthBytes: 5, sha256: 'a'.repeat(64) });
    await copy.tellAll();
    const later = { storedAtMs: copy.nowMs + 9, seenMs: copy.nowMs + 9, storedBy: ben };
    await copy.apply({ identifier: 'a', ...stored(incarnation, 5, 'b'), ...later });
    await copy.download('a', { lengthBytes: 5, sha256: 'b'.repeat(64) });
    await copy.team.leave(copy.serviceId, 'own');
    expect(copy.row('a')).not.toHaveProperty('claimed');
    expect(copy.incarnationOf('a')).toBeNull();
    await copy.join({ list: 2, sharesEarlier: true });
    expect(await copy.nextPush()).toBeNull();
  });

  it('is not left for another one by joining that, and its place changes by joining it again', async () => {
    await copy.join();
    await copy.apply({ identifier: 'a' });
    for (const other of [{ list: 2 }, { me: 8 }])
      await expect(copy.join(other)).rejects.toThrow('Leave the other team');
    await copy.join({ place: 'elsewhere' });
    expect(await copy.team.stateOf(copy.serviceId)).toMatchObject({ list: 1, me, place: 'elsewhere' });
    expect(copy.sharedNames()).toEqual(['a']);
  });

  it('of a service that was removed is not joined', async () => {
    await expect(
      copy.team.join('removed', { place: '', list: 1, me, sharesEarlier: false }),
    ).rejects.toMatchObject({
      error: { code: 'notFound' },
    });
  });

  it('keeps when the list was read last, also for the next start, until it is left', async () => {
    await copy.join();
    expect(await copy.team.stateOf(copy.serviceId)).toMatchObject({ readMs: null });
    await copy.team.noteRead(copy.serviceId, 1_790_000_000_000);
    copy.reopen();
    expect(await copy.team.stateOf(copy.serviceId)).toMatchObject({ readMs: 1_790_000_000_000 });
    await copy.team.leave(copy.serviceId, 'all');
    await copy.team.noteRead(copy.serviceId, 1_790_000_000_000);
    await copy.join();
    expect(await copy.team.stateOf(copy.serviceId)).toMatchObject({ readMs: null });
  });

  it('leaving a team keeps own, all or none of its objects, as chosen', async () => {
    for (const keep of ['own', 'all', 'none'] as const) {
      await copy.join();
      await copy.look('own', 5);
      await copy.tellAll();
      await copy.apply({ identifier: 'own', lengthBytes: 5 }, { identifier: 'theirs' });
      await copy.look('private', 5);
      await copy.team.leave(copy.serviceId, keep);
      const left = ['own', 'private', 'theirs'].filter((identifier) => copy.row(identifier) !== null);
      expect(left).toEqual(
        { own: ['own', 'private'], all: ['own', 'private', 'theirs'], none: ['private'] }[keep],
      );
      expect(await copy.team.stateOf(copy.serviceId)).toBeNull();
      expect(await copy.nextPush()).toBeNull();
    }
  });
});

describe('a fill', () => {
  const head = { epoch: 'e1', rev: 40, tag: 't40' };
  beforeEach(async () => {
    await copy.join();
  });
  const row = (identifier: string, area = 1) => copy.teamRow({ identifier, area, rev: 30 });

  it('goes on where it was cut, and takes away what does not come', async () => {
    const access = [{ area: 1, may: 2, since: 's1' }] as const;
    expect(await copy.team.setAccess(copy.serviceId, access, 1)).toEqual([1]);
    await copy.apply({ identifier: 'b' }, { identifier: 'd' }, { identifier: 'z', area: 2 });
    await copy.look('e', 5);
    await copy.tellAll();
    await copy.team.serverForgot(copy.serviceId, 0);
    await copy.team.beginFill(copy.serviceId, [1], head);
    await copy.team.fillPage(copy.serviceId, [row('a'), row('c')], false);
    expect(['a', 'b', 'c', 'd'].filter((name) => copy.row(name) !== null)).toEqual(['a', 'c', 'd']);
    copy.reopen();
    const { fill, cursor } = (await copy.team.stateOf(copy.serviceId)) ?? {};
    expect(fill).toEqual({ areas: [1], head, after: { kind: 'data', identifier: 'c' } });
    expect(cursor).toBeNull();
    // It is not begun anew.
    expect(await copy.team.setAccess(copy.serviceId, access, 1)).toEqual([]);
    await copy.team.fillPage(copy.serviceId, [row('f')], true);
    // The area of z is none that this person may see.
    const left = ['a', 'b', 'c', 'd', 'e', 'f', 'z'].filter((name) => copy.row(name) !== null);
    expect(left).toEqual(['a', 'c', 'e', 'f']);
    expect(await copy.team.stateOf(copy.serviceId)).toMatchObject({ fill: null, cursor: head });
    expect(await copy.team.setAccess(copy.serviceId, access, 1)).toEqual([]);
  });

  it('is not over because changes came meanwhile', async () => {
    await copy.team.setAccess(copy.serviceId, [{ area: 1, may: 2, since: 's1' }], 1);
    await copy.team.beginFill(copy.serviceId, [1], head);
    await copy.applyPage([row('a')], [], { epoch: 'e1', rev: 50, tag: 't50' });
    expect((await copy.team.stateOf(copy.serviceId))?.cursor).toBeNull();
    await copy.team.fillPage(copy.serviceId, [row('a')], true);
    expect((await copy.team.stateOf(copy.serviceId))?.cursor).toEqual(head);
  });

  it('of an area that comes later leaves the place in the feed as it is', async () => {
    await copy.applyPage([], [], { epoch: 'e1', rev: 10, tag: 't10' });
    await copy.team.setAccess(copy.serviceId, [{ area: 2, may: 1, since: 's' }], 1);
    await copy.team.beginFill(copy.serviceId, [2], head);
    await copy.team.fillPage(copy.serviceId, [], true);
    expect((await copy.team.stateOf(copy.serviceId))?.cursor?.rev).toBe(10);
  });

  it('that brings another one’s later look leaves what was seen here before', async () => {
    await copy.look('a', 5);
    await copy.tellAll();
    await copy.team.setAccess(copy.serviceId, [{ area: 1, may: 2, since: 's1' }], 1);
    await copy.team.beginFill(copy.serviceId, [1], head);
    await copy.team.fillPage(
      copy.serviceId,
      [{ ...row('a'), state: 'gone', seenMs: copy.nowMs + 9 }, row('b')],
      true,
    );
    await copy.team.setAccess(copy.serviceId, [], 2);
    expect(copy.row('a')).toMatchObject({ state: 'gone' });
    expect(copy.row('b')).toBeNull();
  });

  it('is wanted again where access was taken and given back', async () => {
    await copy.team.setAccess(copy.serviceId, [{ area: 1, may: 2, since: 's1' }], 1);
    await copy.team.beginFill(copy.serviceId, [1], head);
    await copy.team.fillPage(copy.serviceId, [row('a')], true);
    expect(await copy.team.setAccess(copy.serviceId, [{ area: 1, may: 1, since: 's2' }], 2)).toEqual([1]);
    expect(copy.row('a')).toBeNull();
    await copy.team.beginFill(copy.serviceId, [1], head);
    expect(await copy.team.setAccess(copy.serviceId, [], 3)).toEqual([]);
    expect(await copy.team.stateOf(copy.serviceId)).toMatchObject({ fill: null, access: [] });
  });
});

describe('a server that was set back', () => {
  it('is told again what it was told since, and not what others have stored meanwhile', async () => {
    await copy.join();
    await copy.upload('before', { lengthBytes: 5, sha256: 'a'.repeat(64) });
    await copy.tellAll();
    const common = copy.lastRev;
    for (const name of ['mine', 'replaced'])
      await copy.upload(name, { lengthBytes: 5, sha256: 'b'.repeat(64) });
    await copy.tellAll();
    const later = { storedAtMs: copy.nowMs + 9, seenMs: copy.nowMs + 9, storedBy: ben, seenBy: ben };
    await copy.apply({ identifier: 'replaced', ...stored(incarnation, 6, 'c'), ...later });
    expect((await copy.team.anchors(copy.serviceId)).map(({ rev }) => rev)).toContain(common);
    await copy.team.serverForgot(copy.serviceId, common);
    expect((await copy.team.anchors(copy.serviceId)).every(({ rev }) => rev <= common)).toBe(true);
    const told = changesIn(await copy.nextPush());
    expect(told).toMatchObject([
      { identifier: 'mine', incarnation: copy.incarnationOf('mine') },
      { identifier: 'replaced', state: 0 },
    ]);
    expect(told[1]).not.toHaveProperty('incarnation');
    expect(await copy.team.stateOf(copy.serviceId)).toMatchObject({ cursor: null });
  });

  it('gets no note of somebody else as an own one', async () => {
    await copy.join();
    await copy.look('a', 5);
    await copy.type('a', 'mine');
    await copy.tellAll({ sharesNotes: true });
    await copy.apply({ identifier: 'a', lengthBytes: 5, note: 'theirs' });
    await copy.look('a', 6);
    await copy.tellAll();
    await copy.team.serverForgot(copy.serviceId, 0);
    const [told] = changesIn(await copy.nextPush());
    expect(told).toMatchObject({ identifier: 'a', state: 0 });
    expect(told).not.toHaveProperty('note');
  });

  it.each([
    ['has the note of before', 1, 'before'],
    ['has another one since', 9, ''],
  ])('and %s: what it lost is told again on that basis', async (_, rev, base) => {
    await copy.join();
    await copy.apply({ identifier: 'a', note: 'before' });
    await copy.type('a', 'mine');
    await copy.tellAll({ sharesNotes: true });
    await copy.team.serverForgot(copy.serviceId, 1);
    await copy.team.beginFill(copy.serviceId, [1], { epoch: 'e', rev, tag: 't' });
    await copy.team.fillPage(
      copy.serviceId,
      [{ ...copy.teamRow({ identifier: 'a', note: 'before' }), rev }],
      true,
    );
    expect(changesIn(await copy.nextPush())).toMatchObject([{ note: 'mine', note_base: base }]);
  });
});
