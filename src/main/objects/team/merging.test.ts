import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { factBits } from '../../../shared/domain/unverified.ts';
import {
  accepted,
  openTeamCopy,
  startMs,
  stored,
  type OpenTeamCopy,
} from '../../../../test-support/main/objects/team-copy.ts';

let copy: OpenTeamCopy;
beforeEach(async () => {
  copy = await openTeamCopy();
  await copy.join();
});
afterEach(() => copy.close());

const sha256 = 'a'.repeat(64);
const acceptedWithNotes = (rev: number) => accepted(rev, { sharesNotes: true });
const refusedAll = accepted(0, { refused: [[1, 'forbidden']] });

async function push(presentMs?: number): Promise<{ seq: number; changes: Record<string, unknown>[] }> {
  const next = await copy.nextPush(presentMs);
  return {
    seq: next?.seq ?? 0,
    changes: JSON.parse(next?.changes ?? '[]') as Record<string, unknown>[],
  };
}

it('an object removed and stored again while its note was pushed gets the note back', async () => {
  await copy.look('a', 5);
  await copy.type('a', 'mine');
  await copy.setRenewBy('a', '2030-01-01');
  const { seq } = await push();
  await copy.remove('a');
  await copy.upload('a', { lengthBytes: 5, sha256 });
  await copy.team.acknowledge(copy.serviceId, seq, acceptedWithNotes(1));
  await copy.tellAll({ sharesNotes: true });
  await copy.apply({
    identifier: 'a',
    ...stored(copy.incarnationOf('a') ?? '', 5, 'a'),
    note: 'mine',
    renewBy: '2030-01-01',
  });
  expect(copy.row('a')).toMatchObject({ note: 'mine', renewBy: '2030-01-01' });
});

it('a store that the server refuses stays proven here when others find bytes of the same length', async () => {
  await copy.upload('a', { lengthBytes: 5, sha256, classification: 'Secret' });
  const { seq } = await push();
  await copy.team.acknowledge(copy.serviceId, seq, refusedAll);
  await copy.apply({ identifier: 'a', lengthBytes: 5, state: 'gone', seenMs: copy.nowMs - 9 });
  expect(copy.row('a')).toMatchObject({ state: 'stored', sha256, storedAtMs: copy.nowMs });
  expect(copy.row('a')).not.toHaveProperty('unverified');
});

it('a length from a refused look gives way to a later look, as on the server', async () => {
  const theirs = { identifier: 'a', ...stored('x', 5), storedAtMs: startMs - 9 };
  await copy.apply({ ...theirs, seenMs: startMs - 9 });
  await copy.check('a', { present: true, lengthBytes: 6 });
  const { seq } = await push();
  await copy.team.acknowledge(copy.serviceId, seq, refusedAll);
  await copy.apply({ ...theirs, state: 'gone', seenMs: startMs + 9 });
  expect(copy.row('a')).toMatchObject({ state: 'gone', lengthBytes: 5, unverified: 7 });
});

it('an object whose store the server refused can be taken off the list', async () => {
  await copy.apply({ identifier: 'a', lengthBytes: 5, state: 'gone', seenMs: copy.nowMs - 9 });
  await copy.upload('a', { lengthBytes: 6, sha256, classification: 'Secret' });
  await copy.delete('a');
  await copy.remove('a');
  const { changes } = await push();
  expect(changes).toMatchObject([{ identifier: 'a', state: 5, forget: true, classification: 'Secret' }]);
  expect(changes[0]).not.toHaveProperty('incarnation');
});

it('a length seen after the team’s bytes were stored stays proven', async () => {
  await copy.upload('a', { lengthBytes: 5, sha256 });
  await copy.tellAll();
  await copy.apply({ identifier: 'a', lengthBytes: 5, seenMs: copy.nowMs });
  expect(copy.row('a')).toMatchObject({ lengthBytes: 5, sha256: null });
  expect(copy.row('a')?.unverified ?? 0).not.toBe(factBits.length);
});

it('tells a deletion here once somebody who has not looked writes about the object', async () => {
  await copy.look('a', 5);
  await copy.delete('a');
  expect((await push()).changes).toEqual([]);
  await copy.apply({ identifier: 'a', state: 'unknown', seenMs: 0, note: 'theirs' });
  expect(copy.row('a')).toMatchObject({ state: 'gone', note: 'theirs' });
  expect((await push()).changes).toMatchObject([{ identifier: 'a', state: 5, seen_ms: copy.nowMs }]);
});

it('a missing object, not worth telling before, is told once an older look disagrees, even with an own note', async () => {
  await copy.look('a', 5, 'missing');
  expect((await push()).changes).toEqual([]);
  await copy.apply({ identifier: 'a', lengthBytes: 5, state: 'missing', seenMs: startMs - 9 });
  await copy.type('a', 'mine');
  const { seq, changes } = await push();
  expect(changes).not.toHaveProperty([0, 'state']);
  await copy.team.acknowledge(copy.serviceId, seq, acceptedWithNotes(copy.lastRev + 1));
  await copy.apply({ identifier: 'a', lengthBytes: 5, seenMs: startMs - 5, note: 'mine' });
  expect(copy.row('a')).toMatchObject({ state: 'missing', note: 'mine' });
  expect((await push()).changes).toMatchObject([{ state: 3, seen_ms: startMs }]);
});

it('tells a missing object again once an older look comes with an own note, even after the team removed it', async () => {
  await copy.apply({ identifier: 'a', lengthBytes: 5, seenMs: startMs - 20 });
  await copy.check('a', { present: false });
  await copy.team.acknowledge(copy.serviceId, (await push()).seq, acceptedWithNotes(copy.lastRev + 1));
  await copy.apply({ identifier: 'a', isForgotten: true });
  await copy.apply({ identifier: 'a', lengthBytes: 5, state: 'missing', seenMs: startMs - 9 });
  await copy.type('a', 'mine');
  await copy.team.acknowledge(copy.serviceId, (await push()).seq, acceptedWithNotes(copy.lastRev + 1));
  await copy.apply({ identifier: 'a', lengthBytes: 5, seenMs: startMs - 5, note: 'mine' });
  expect(copy.row('a')).toMatchObject({ state: 'missing', note: 'mine' });
  expect((await push()).changes).toMatchObject([{ state: 3, seen_ms: startMs }]);
});

it('a length seen before joining is told once an older look disagrees, even with an own note', async () => {
  await copy.team.leave(copy.serviceId, 'all');
  await copy.look('a', 6);
  await copy.join();
  await copy.apply({ identifier: 'a', lengthBytes: 6, seenMs: startMs - 9 });
  await copy.type('a', 'mine');
  await copy.team.acknowledge(copy.serviceId, (await push()).seq, acceptedWithNotes(copy.lastRev + 1));
  await copy.apply({ identifier: 'a', lengthBytes: 5, seenMs: startMs - 5, note: 'mine' });
  expect(copy.row('a')).toMatchObject({ lengthBytes: 6 });
  expect((await push()).changes).toMatchObject([{ state: 0, length_bytes: 6 }]);
});

const dayMs = 24 * 60 * 60 * 1000;
const skews = [
  ['90 seconds', 90_000],
  ['a month', 30 * dayMs],
  ['a year', 365 * dayMs],
] as const;

it.each(skews)('a look by a clock that is %s ahead is told as of the server’s present', async (_, skewMs) => {
  const presentMs = startMs - skewMs;
  const theirs = { identifier: 'a', lengthBytes: 5 };
  await copy.apply({ ...theirs, seenMs: presentMs - 9 }, { identifier: 'b', seenMs: presentMs + 9 });
  await copy.check('a', { present: false });
  const latestFirst = async () => copy.find('', { column: 'checked', direction: 'descending' });
  expect(await latestFirst()).toEqual(['a', 'b']);
  const look = await push(presentMs);
  expect(look.changes).toMatchObject([{ state: 3, seen_ms: presentMs }]);
  expect(copy.row('a')).toMatchObject({ state: 'missing', checkedAtMs: presentMs });
  expect(await latestFirst()).toEqual(['b', 'a']);
  await copy.team.acknowledge(copy.serviceId, look.seq, acceptedWithNotes(3));
  // Somebody has found it there before the note reaches the server: the answer to the look is never read.
  await copy.type('a', 'mine');
  const note = await push(presentMs + 20);
  await copy.team.acknowledge(copy.serviceId, note.seq, acceptedWithNotes(5));
  await copy.apply({ ...theirs, rev: 5, seenMs: presentMs + 9, note: 'mine' });
  expect(copy.row('a')).toMatchObject({ state: 'stored', checkedAtMs: presentMs + 9 });
  expect(await push()).toMatchObject({ changes: [] });
});

it.each(skews)(
  'a store by a clock that is %s ahead is told and listed as of the server’s present',
  async (_, skewMs) => {
    await copy.upload('a', { lengthBytes: 5, sha256 });
    const presentMs = startMs - skewMs;
    const moments = { seen_ms: presentMs, stored_ms: presentMs };
    expect((await push(presentMs)).changes).toMatchObject([moments]);
    expect(copy.row('a')).toMatchObject({ storedAtMs: presentMs, checkedAtMs: presentMs });
  },
);

describe.each(skews)('by a clock that is %s behind', (_, skewMs) => {
  const heardMs = startMs + skewMs;

  it('a look is dated after what was heard before it', async () => {
    await copy.apply({ identifier: 'a', lengthBytes: 5, seenMs: heardMs });
    await copy.check('a', { present: true, lengthBytes: 6 });
    const first = await push();
    expect(first.changes).toMatchObject([{ state: 0, length_bytes: 6, seen_ms: heardMs + 1 }]);
    await copy.check('a', { present: false });
    await copy.team.acknowledge(copy.serviceId, first.seq, acceptedWithNotes(2));
    expect((await push()).changes).toMatchObject([{ state: 3, seen_ms: heardMs + 2 }]);
  });

  it('a store is dated after the deletion heard of before it', async () => {
    await copy.apply({ identifier: 'a', ...stored('x', 5), state: 'gone', seenMs: heardMs });
    await copy.upload('a', { lengthBytes: 6, sha256 });
    const [change] = (await push()).changes;
    expect(change).toMatchObject({ state: 0, seen_ms: heardMs + 1, stored_ms: heardMs + 1 });
  });

  it('a look is not dated after what was heard after it', async () => {
    await copy.look('a', 6);
    await copy.apply({ identifier: 'a', lengthBytes: 5, seenMs: heardMs });
    expect((await push()).changes).toMatchObject([{ state: 0, seen_ms: startMs }]);
  });
});

it('a look keeps its time if something was heard while its answer was on its way', async () => {
  await copy.apply({ identifier: 'a', lengthBytes: 5, seenMs: startMs + 200 });
  await copy.check('a', { present: true, lengthBytes: 6 });
  expect((await push()).changes).toMatchObject([{ length_bytes: 6, seen_ms: startMs }]);
});
