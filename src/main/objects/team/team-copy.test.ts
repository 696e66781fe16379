import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { factBits } from '../../../shared/domain/unverified.ts';
import {
  accepted,
  openTeamCopy,
  stored,
  type OpenTeamCopy,
} from '../../../../test-support/main/objects/team-copy.ts';
import type { TeamPush } from './team-copy.ts';

const [me, ben] = [7, 8];
let copy: OpenTeamCopy;
beforeEach(async () => {
  copy = await openTeamCopy();
});
afterEach(() => copy.close());

const changesIn = (push: TeamPush | null) => JSON.parse(push?.changes ?? '[]') as Record<string, unknown>[];
const incarnation = '0d1f7a52-6f0b-4b8e-9d0e-3f6c0f0f5a01';

describe('changes that are due', () => {
  it('include a store with the incarnation drawn before it, and are pushed once', async () => {
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

  it('pushes them as the same bytes until answered, whatever changes meanwhile', async () => {
    await copy.join();
    await copy.look('a', 5);
    const push = await copy.nextPush();
    await copy.look('a', 6);
    await copy.type('a', 'new');
    copy.reopen();
    expect(await copy.nextPush()).toEqual(push);
    await copy.team.acknowledge(copy.serviceId, 1, accepted(1));
    // A repeated answer has no effect.
    await copy.team.acknowledge(copy.serviceId, 1, accepted(1));
    const next = await copy.nextPush();
    expect(next).toMatchObject({ seq: 2, before: push?.tag });
    expect(changesIn(next)).toMatchObject([{ identifier: 'a', length_bytes: 6, note: 'new', note_base: '' }]);
  });

  it('include nothing of a service without a team, of an import, or of what the team has said', async () => {
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
  ])('include no object whose identifier %s', async (_, identifier) => {
    await copy.join();
    await copy.look(identifier, 5);
    await copy.type(identifier, 'note');
    expect(await copy.nextPush()).toBeNull();
  });

  it('include no note, and no object with a classification, that the server cannot hold', async () => {
    await copy.join();
    await copy.look('a', 5);
    await copy.type('a', 'a\0b');
    await copy.upload('b', { lengthBytes: 5, sha256: 'b'.repeat(64), classification: 'x\0' });
    const changes = changesIn(await copy.nextPush());
    expect(changes).toEqual([{ kind: 0, identifier: 'a', state: 0, seen_ms: copy.nowMs, length_bytes: 5 }]);
  });

  it('include no value of a secret, and no length, digest or parts from an imported list', async () => {
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

  it('include no missing object that nobody has heard of', async () => {
    await copy.join();
    await copy.look('a', 5, 'missing');
    expect(await copy.nextPush()).toBeNull();
  });

  it('wait while a transfer owns the object', async () => {
    await copy.join();
    await copy.look('a', 5);
    const release = await copy.work('a');
    expect(await copy.nextPush()).toBeNull();
    await release();
    expect(changesIn(await copy.nextPush())).toMatchObject([{ identifier: 'a' }]);
  });

  it('halves them after a refusal, and sets a single one aside until access changes', async () => {
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

  it('pushes them as a new client after another copy of the folder has pushed', async () => {
    await copy.join();
    await copy.look('a', 5);
    const push = await copy.nextPush();
    await copy.team.renewClient(copy.serviceId);
    const again = await copy.nextPush();
    expect(again).toMatchObject({ seq: 1, before: null, changes: push?.changes });
    expect(again?.client).not.toBe(push?.client);
    expect(again?.tag).not.toBe(push?.tag);
  });

  it('include with the first note of an object what was seen of it, even that it is missing', async () => {
    await copy.join();
    await copy.look('a', 5);
    await copy.delete('a');
    expect(await copy.nextPush()).toBeNull();
    await copy.type('a', 'mine');
    expect(changesIn(await copy.nextPush())).toMatchObject([{ identifier: 'a', note: 'mine', state: 5 }]);
  });

  it('include earlier uploads only if the person shares them', async () => {
    await copy.upload('a', { lengthBytes: 5, sha256: 'a'.repeat(64) });
    await copy.type('a', 'mine');
    await copy.look('seen', 5);
    await copy.import('heard', 5, 'b'.repeat(64));
    await copy.upload('deleted', { lengthBytes: 5, sha256: 'c'.repeat(64) });
    await copy.delete('deleted');
    // A history that came with a list proves nothing, also once the object was fetched here.
    const uploaded = { atMs: 1, action: 'uploaded', detail: null, activityToken: null };
    await copy.import('forged', 5, null, null, { storedAtMs: 1, history: [uploaded] });
    await copy.download('forged', { lengthBytes: 5, sha256: 'd'.repeat(64) });
    expect(copy.row('forged')).not.toHaveProperty('unverified');
    expect(await copy.team.earlier(copy.serviceId, true)).toMatchObject({
      count: 1,
      first: [{ kind: 'data', identifier: 'a' }],
    });
    await copy.join({ sharesEarlier: true });
    expect(changesIn(await copy.nextPush())).toMatchObject([
      { identifier: 'a', incarnation: copy.incarnationOf('a'), note: 'mine' },
    ]);
    await copy.team.acknowledge(copy.serviceId, 1, accepted(1));
    expect(await copy.nextPush()).toBeNull();
  });
});

describe('the team’s rows', () => {
  beforeEach(() => copy.join());

  it('lists them as claims', async () => {
    await copy.apply({ identifier: 'a', ...stored(incarnation, 5), note: 'theirs' });
    expect(copy.row('a')).toMatchObject({
      state: 'stored',
      lengthBytes: 5,
      note: 'theirs',
      unverified: factBits.digest | factBits.length | factBits.presence,
    });
  });

  it('do not overwrite what is still to be told', async () => {
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
    expect(copy.row('a')).not.toHaveProperty('unverified');
  });

  it('do not overwrite a store that is still to be told', async () => {
    await copy.upload('a', { lengthBytes: 5, sha256: 'a'.repeat(64) });
    const own = copy.incarnationOf('a');
    const later = { storedAtMs: copy.nowMs + 9, seenMs: copy.nowMs + 9 };
    await copy.apply({ identifier: 'a', ...stored(incarnation, 6, 'b'), ...later });
    expect(copy.row('a')).toMatchObject({ lengthBytes: 5, sha256: 'a'.repeat(64) });
    expect(changesIn(await copy.nextPush())).toMatchObject([{ incarnation: own }]);
  });

  it('that contradict a later look here are contradicted, once', async () => {
    await copy.look('a', 5, 'missing');
    // Nobody had heard of it: there was nothing to tell.
    expect(await copy.nextPush()).toBeNull();
    await copy.apply({ identifier: 'a', lengthBytes: 5, seenMs: copy.nowMs - 9 });
    const push = await copy.nextPush();
    expect(changesIn(push)).toMatchObject([{ identifier: 'a', state: 3 }]);
    const rev = copy.lastRev + 1;
    await copy.team.acknowledge(copy.serviceId, push?.seq ?? 0, accepted(rev));
    // The server has kept its state.
    await copy.apply({ identifier: 'a', lengthBytes: 5, seenMs: copy.nowMs - 9, rev });
    expect(await copy.nextPush()).toBeNull();
    expect(copy.row('a')).toMatchObject({ state: 'missing' });
  });

  it('takes them where the server refused what was seen here, and tries the rest once more', async () => {
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

  it('takes them from a later look, not from an earlier one', async () => {
    await copy.look('a', 5);
    await copy.look('b', 5);
    await copy.tellAll();
    const before = copy.epochOf('a');
    await copy.apply(
      { identifier: 'a', state: 'missing', seenMs: copy.nowMs + 1, lengthBytes: 5 },
      { identifier: 'b', state: 'missing', seenMs: copy.nowMs - 1, lengthBytes: 5 },
    );
    expect(copy.row('a')).toMatchObject({ state: 'missing', unverified: factBits.presence });
    expect(copy.row('b')).toMatchObject({ state: 'stored' });
    expect(copy.row('b')).not.toHaveProperty('unverified');
    // A HEAD that was sent before must not overwrite it.
    expect(copy.epochOf('a')).toBe(before + 1);
  });

  it('with the same state leave an own look as it is', async () => {
    await copy.look('a', 5);
    await copy.tellAll();
    await copy.apply({ identifier: 'a', seenMs: copy.nowMs + 60_000, lengthBytes: 5 });
    expect(copy.row('a')).toMatchObject({ checkedAtMs: copy.nowMs });
    expect(copy.row('a')).not.toHaveProperty('unverified');
  });

  it('leave own bytes proven, unless others were stored later', async () => {
    await copy.upload('a', { lengthBytes: 5, sha256: 'a'.repeat(64) });
    await copy.tellAll();
    const own = copy.incarnationOf('a') ?? '';
    await copy.apply({ identifier: 'a', ...stored(own, 5, 'a'), storedBy: me, storedAtMs: copy.nowMs });
    expect(copy.row('a')).toMatchObject({ sha256: 'a'.repeat(64) });
    expect(copy.row('a')).not.toHaveProperty('unverified');
    const later = { storedAtMs: copy.nowMs + 9, seenMs: copy.nowMs + 9, storedBy: ben };
    await copy.apply({ identifier: 'a', ...stored(incarnation, 5, 'b'), ...later });
    expect(copy.row('a')).toMatchObject({
      sha256: 'b'.repeat(64),
      unverified: factBits.digest | factBits.length,
    });
  });

  it('of other bytes do not overwrite those that were seen here later', async () => {
    await copy.upload('a', { lengthBytes: 5, sha256: 'a'.repeat(64) });
    await copy.tellAll();
    const earlier = { storedAtMs: copy.nowMs - 9, seenMs: copy.nowMs - 9, storedBy: ben };
    await copy.apply({ identifier: 'a', ...stored(incarnation, 6, 'b'), ...earlier });
    expect(copy.row('a')).toMatchObject({ lengthBytes: 5, sha256: 'a'.repeat(64) });
    expect(copy.row('a')).not.toHaveProperty('unverified');
  });

  it('of bytes found after a deletion do not restore the former digest', async () => {
    await copy.upload('a', { lengthBytes: 5, sha256: 'a'.repeat(64) });
    await copy.tellAll();
    await copy.apply({ identifier: 'a', lengthBytes: 5, seenMs: copy.nowMs + 9 });
    expect(copy.row('a')).toMatchObject({ sha256: null, unverified: factBits.length });
    expect(copy.incarnationOf('a')).toBeNull();
  });

  it('takes them as the answer to another length found here: somebody has looked later', async () => {
    await copy.look('a', 2);
    await copy.tellAll();
    const rev = copy.lastRev;
    const server = { ...stored(incarnation, 1), storedAtMs: copy.nowMs - 9 };
    const later = { state: 'gone', seenMs: copy.nowMs + 9, seenBy: ben } as const;
    await copy.applyPage([{ ...copy.teamRow({ identifier: 'a', ...server, ...later }), rev }]);
    expect(copy.row('a')).toMatchObject({ state: 'gone', lengthBytes: 1 });
    expect(copy.incarnationOf('a')).toBe(incarnation);
  });

  it('of bytes that others only found leave what was stored here before joining, which is then shared', async () => {
    await copy.team.leave(copy.serviceId, 'all');
    const sha256 = 'a'.repeat(64);
    await copy.upload('a', { lengthBytes: 5, sha256 });
    await copy.join({ sharesEarlier: true });
    await copy.apply({ identifier: 'a', lengthBytes: 5, seenMs: copy.nowMs + 9 });
    expect(copy.row('a')).toMatchObject({ sha256, storedAtMs: copy.nowMs, sourceName: 'a.txt' });
    expect(copy.row('a')).not.toHaveProperty('unverified');
    expect(changesIn(await copy.nextPush())).toMatchObject([{ identifier: 'a', sha256 }]);
  });

  it('of bytes that others found replace what the team once said of a private row', async () => {
    await copy.apply({ identifier: 'a', ...stored(incarnation, 5) });
    await copy.look('a', 5);
    await copy.tellAll();
    await copy.applyPage([], [{ kind: 'data', identifier: 'a', rev: copy.lastRev + 1, area: 1 }]);
    await copy.applyPage([{ ...copy.teamRow({ identifier: 'a', lengthBytes: 5 }), rev: copy.lastRev + 2 }]);
    expect(copy.row('a')).toMatchObject({ sha256: null, storedAtMs: null });
  });

  it('withdraw a file name that the team told, but not one from an imported list', async () => {
    const ben = { ...stored(incarnation, 5), sourceName: null };
    await copy.apply({ identifier: 'a', ...ben }, { identifier: 'b', ...ben, sourceName: 'b.txt' });
    await copy.import('a', 5, null, 'a.txt');
    await copy.apply({ identifier: 'a', ...ben }, { identifier: 'b', ...ben });
    expect([copy.row('a')?.sourceName, copy.row('b')?.sourceName]).toEqual(['a.txt', null]);
  });

  it('fill in unknown facts of bytes found here', async () => {
    await copy.look('a', 5);
    await copy.tellAll();
    await copy.apply({ identifier: 'a', ...stored(incarnation, 5, 'a'), storedAtMs: copy.nowMs - 9 });
    expect(copy.row('a')).toMatchObject({
      lengthBytes: 5,
      sha256: 'a'.repeat(64),
      unverified: factBits.digest,
    });
  });

  it('wait while a transfer owns the object, and are applied when it ends', async () => {
    await copy.look('a', 5);
    await copy.tellAll();
    const release = await copy.work('a');
    await copy.apply({ identifier: 'a', state: 'gone', seenMs: copy.nowMs + 9, lengthBytes: 5 });
    expect(copy.row('a')).toMatchObject({ state: 'deleting' });
    copy.reopen();
    await release();
    expect(copy.row('a')).toMatchObject({ state: 'gone', unverified: factBits.presence });
  });

  it('bring back a row removed with the upload that had added it', async () => {
    const cancel = await copy.beginUpload('a');
    await copy.apply({ identifier: 'a', ...stored(incarnation, 5) });
    expect(copy.row('a')).toMatchObject({ state: 'uploading' });
    await cancel();
    expect(copy.row('a')).toMatchObject({ state: 'stored', unverified: 7 });
  });

  it('replace a note unchanged here, and set a changed one apart', async () => {
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
    expect(await copy.team.stateOf(copy.serviceId)).toMatchObject({ noteConflicts: 1 });
  });

  it('let a note typed after the push build on the pushed one', async () => {
    await copy.look('a', 5);
    await copy.type('a', 'one');
    await copy.nextPush();
    await copy.type('a', 'two');
    await copy.team.acknowledge(copy.serviceId, 1, accepted(1));
    expect(changesIn(await copy.nextPush())).toMatchObject([{ note: 'two', note_base: 'one' }]);
  });

  it('let a note typed after the answer build on the pushed one, even before that is read back', async () => {
    await copy.look('a', 5);
    await copy.type('a', 'one');
    await copy.setRenewBy('a', '2030-01-01');
    await copy.tellAll({ sharesNotes: true });
    await copy.type('a', 'two');
    expect(changesIn(await copy.nextPush())).toMatchObject([{ note: 'two', note_base: 'one' }]);
  });

  it('replace a pushed note that somebody changed before it was read back', async () => {
    await copy.look('a', 5);
    await copy.type('a', 'one');
    await copy.setRenewBy('a', '2030-01-01');
    await copy.tellAll({ sharesNotes: true });
    await copy.apply({ identifier: 'a', lengthBytes: 5, note: 'theirs', renewBy: null });
    expect(copy.row('a')).toMatchObject({ note: 'theirs' });
    expect(copy.row('a')).not.toHaveProperty('renewBy');
    expect(await copy.team.stateOf(copy.serviceId)).toMatchObject({ noteConflicts: 0 });
  });

  it('set an own note apart when the team loses it', async () => {
    await copy.look('a', 5);
    await copy.look('b', 5);
    await copy.type('a', 'mine');
    await copy.tellAll({ sharesNotes: true });
    await copy.apply({ identifier: 'a', lengthBytes: 5, note: 'mine' });
    await copy.apply({ identifier: 'b', lengthBytes: 5, note: 'theirs' });
    // From now on the list shares no notes.
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

  it('never delete a note that the team does not have', async () => {
    await copy.look('a', 5);
    await copy.type('a', 'mine');
    await copy.tellAll();
    // The list shares no notes.
    await copy.apply({ identifier: 'a', lengthBytes: 5, note: '' });
    await copy.apply({ identifier: 'a', lengthBytes: 5, note: '', seenMs: copy.nowMs + 9 });
    expect(copy.row('a')).toMatchObject({ note: 'mine' });
    await copy.apply({ identifier: 'a', lengthBytes: 5, note: 'theirs' });
    expect(copy.row('a')).toMatchObject({ note: 'theirs' });
    expect(await copy.team.stateOf(copy.serviceId)).toMatchObject({ noteConflicts: 1 });
    await copy.apply({ identifier: 'a', lengthBytes: 5, note: '' });
    expect(copy.row('a')).toMatchObject({ note: '' });
  });
});

describe('leaving the list', () => {
  beforeEach(() => copy.join());

  it('drops objects, but makes those private that were seen here or have an own note', async () => {
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

  it('by leaving an area drops an object, unless it came into another one', async () => {
    await copy.apply({ identifier: 'a', rev: 5 }, { identifier: 'b', rev: 6 });
    const moved = (identifier: string, rev: number) => ({ kind: 'data', identifier, rev, area: 1 }) as const;
    await copy.applyPage(
      [copy.teamRow({ identifier: 'b', rev: 8, area: 2 })],
      [moved('a', 7), moved('b', 8)],
    );
    expect(copy.row('a')).toBeNull();
    expect(copy.row('b')).toMatchObject({ state: 'stored' });
    // A departure that is older than the known row.
    await copy.applyPage([], [moved('b', 7)]);
    expect(copy.row('b')).toMatchObject({ state: 'stored' });
  });

  it('is not undone by rows held back during a transfer', async () => {
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

  it('can not be undone, whatever the team has heard', async () => {
    await copy.look('a', 5, 'gone');
    expect(await copy.remove('a', 'r')).toBe(false);
    await expect(copy.putBack('r')).rejects.toMatchObject({ error: { code: 'notFound', what: 'removal' } });
    expect(copy.row('a')).toBeNull();
  });

  it('because a person took the object off is told, with what was not told yet', async () => {
    await copy.apply({ identifier: 'a', lengthBytes: 5 });
    await copy.look('a', 5, 'gone');
    await copy.remove('a');
    const push = await copy.nextPush();
    expect(changesIn(push)).toEqual([
      { kind: 0, identifier: 'a', state: 5, seen_ms: copy.nowMs, length_bytes: 5, forget: true },
    ]);
    // Older rows of the team do not bring it back, and after the push it is gone.
    await copy.apply({ identifier: 'a', state: 'gone', lengthBytes: 5 });
    expect(copy.row('a')).toBeNull();
    await copy.team.acknowledge(copy.serviceId, 1, accepted(20));
    await copy.apply({ identifier: 'a', isForgotten: true });
    expect(copy.row('a')).toBeNull();
    expect(await copy.nextPush()).toBeNull();
  });

  it('says nothing of an object that the team has never heard of, unless a push may be on its way', async () => {
    await copy.look('a', 5);
    await copy.look('b', 5);
    await copy.remove('a');
    const push = await copy.nextPush();
    expect(changesIn(push)).toMatchObject([{ identifier: 'b' }]);
    await copy.remove('b');
    await copy.team.acknowledge(copy.serviceId, 1, accepted(1));
    expect(changesIn(await copy.nextPush())).toMatchObject([{ identifier: 'b', forget: true }]);
  });

  it('is undone when somebody stores the object again, unless this person curates its area', async () => {
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

  it("does not push a colleague's bytes as this person's after joining another team", async () => {
    await copy.upload('a', { lengthBytes: 5, sha256: 'a'.repeat(64) });
    await copy.tellAll();
    const later = { storedAtMs: copy.nowMs + 9, seenMs: copy.nowMs + 9, storedBy: ben };
    await copy.apply({ identifier: 'a', ...stored(incarnation, 5, 'b'), ...later });
    await copy.download('a', { lengthBytes: 5, sha256: 'b'.repeat(64) });
    await copy.team.leave(copy.serviceId, 'own');
    expect(copy.row('a')).not.toHaveProperty('unverified');
    expect(copy.incarnationOf('a')).toBeNull();
    await copy.join({ list: 2, sharesEarlier: true });
    expect(await copy.nextPush()).toBeNull();
  });

  it('joining another team does not leave this one, and joining this one again changes its place', async () => {
    await copy.join();
    await copy.apply({ identifier: 'a' });
    for (const other of [{ list: 2 }, { me: 8 }])
      await expect(copy.join(other)).rejects.toThrow('Leave the other team');
    await copy.join({ place: 'elsewhere' });
    expect(await copy.team.stateOf(copy.serviceId)).toMatchObject({ list: 1, me, place: 'elsewhere' });
    expect(copy.sharedNames()).toEqual(['a']);
  });

  it('a removed service joins no team', async () => {
    await expect(
      copy.team.join('removed', { place: '', list: 1, me, sharesEarlier: false }),
    ).rejects.toMatchObject({
      error: { code: 'notFound' },
    });
  });

  it('remembers when the list was read last, over restarts, until the team is left', async () => {
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

  it('continues where it was cut, and drops rows that do not come', async () => {
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
    // It does not begin again.
    expect(await copy.team.setAccess(copy.serviceId, access, 1)).toEqual([]);
    await copy.team.fillPage(copy.serviceId, [row('f')], true);
    // The area of z is not visible to this person.
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

  it('of an area added later leaves the place in the feed as it is', async () => {
    await copy.applyPage([], [], { epoch: 'e1', rev: 10, tag: 't10' });
    await copy.team.setAccess(copy.serviceId, [{ area: 2, may: 1, since: 's' }], 1);
    await copy.team.beginFill(copy.serviceId, [2], head);
    await copy.team.fillPage(copy.serviceId, [], true);
    expect((await copy.team.stateOf(copy.serviceId))?.cursor?.rev).toBe(10);
  });

  it('with somebody’s later look leaves what was seen here before', async () => {
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

  it('is needed again where access was taken and given back', async () => {
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
  it('hears again what it lost, but not what others have stored meanwhile', async () => {
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

  it('is not told somebody else’s note as an own one', async () => {
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
    ['has the previous note', 1, 'before'],
    ['has another one since', 9, ''],
  ])('and %s: the lost note is told again on that basis', async (_, rev, base) => {
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
