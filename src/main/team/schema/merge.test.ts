import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  readable,
  startTeamServer,
  type Change,
  type Member,
} from '../../../../test-support/main/team/team-database.ts';

const { shareTeam } = startTeamServer();

/** The object that a test is about. */
let identifier = '';
let met = 0;

const sha = (digit: string) => digit.repeat(64);

/** A change by a member who has stored bytes. */
const stored = (atMs: number, more: Partial<Change> = {}): Change => ({
  identifier,
  state: 0,
  seen_ms: atMs,
  stored_ms: atMs,
  incarnation: randomUUID(),
  length_bytes: 10,
  sha256: sha('1'),
  ...more,
});
const found = (atMs: number, lengthBytes = 10): Change => ({
  identifier,
  state: 0,
  seen_ms: atMs,
  length_bytes: lengthBytes,
});
const missing = (atMs: number): Change => ({ identifier, state: 3, seen_ms: atMs });
const deleted = (atMs: number): Change => ({ identifier, state: 5, seen_ms: atMs });

type Row = {
  state: number;
  seen_by: number;
  stored_by: number | null;
  sha256: string | null;
  length_bytes: string;
  note: string;
  classification: string | null;
  is_forgotten: boolean;
};

/** Anna and Ben contribute; the curator watches. */
async function meet() {
  const { curator, join } = await shareTeam();
  met += 1;
  identifier = `object ${String(met)}`;
  return {
    curator,
    anna: await join('anna', 2),
    ben: await join('ben', 2),
    row: async () => {
      const [row] = await curator.rows<Row>(
        `select state, seen_by, stored_by, encode(sha256, 'hex') as sha256, length_bytes, note, classification, is_forgotten
         from ${readable.objects} where identifier = $1`,
        identifier,
      );
      return row;
    },
    history: async (by?: Member) => {
      const rows = await curator.rows<{ action: string; person: number }>(
        'select action, person from coffer.history_1(1, 0::smallint, $1, null) order by rev, action',
        identifier,
      );
      return rows.filter(({ person }) => by === undefined || person === by.id).map(({ action }) => action);
    },
  };
}

describe('two people who were apart', () => {
  it.each(['the later one last', 'the later one first'])(
    'both store, and push %s: what was stored later wins',
    async (order) => {
      const { anna, ben, row, history } = await meet();
      const tell = [
        () => anna.push(stored(1000)),
        () => ben.push(stored(2000, { sha256: sha('2'), length_bytes: 20 })),
      ];
      if (order === 'the later one first') tell.reverse();
      const answers = [];
      for (const push of tell) answers.push((await push()).older);
      expect(answers).toEqual(order === 'the later one first' ? [[], [1]] : [[], []]);
      expect(await row()).toMatchObject({
        sha256: sha('2'),
        length_bytes: '20',
        stored_by: ben.id,
        seen_by: ben.id,
      });
      expect(await history(anna)).toEqual([order === 'the later one first' ? 'storedBefore' : 'stored']);
    },
  );

  it('one stores, the other deletes later: deleted, and the bytes are the last known', async () => {
    const { anna, ben, row, history } = await meet();
    await ben.push(stored(1000));
    await anna.push(deleted(2000));
    expect(await row()).toMatchObject({ state: 5, seen_by: anna.id, stored_by: ben.id, sha256: sha('1') });
    expect(await history()).toEqual(['stored', 'deleted']);
  });

  it('one stores again after a deletion that is pushed last: stored', async () => {
    const { anna, ben, row } = await meet();
    await anna.push(stored(1000));
    await ben.push(stored(3000, { sha256: sha('3') }));
    await anna.push(deleted(2000));
    expect(await row()).toMatchObject({ state: 0, seen_by: ben.id, sha256: sha('3') });
  });

  it('one looks, the other looks later and finds nothing: missing', async () => {
    const { anna, ben, row } = await meet();
    await anna.push(stored(1000));
    await ben.push(missing(3000));
    await anna.push(found(2000));
    expect(await row()).toMatchObject({ state: 3, seen_by: ben.id });
  });

  it('bytes of another length are found: who stored them is unknown, and so is their digest', async () => {
    const { anna, ben, row, history } = await meet();
    await anna.push(stored(1000));
    await ben.push(found(2000, 11));
    expect(await row()).toMatchObject({
      state: 0,
      stored_by: null,
      sha256: null,
      length_bytes: '11',
      seen_by: ben.id,
    });
    expect(await history(ben)).toEqual(['foundOther']);
  });

  it('bytes are found after a deletion: other bytes, although of the same length', async () => {
    const { anna, ben, row } = await meet();
    await anna.push(stored(1000));
    await anna.push(deleted(2000));
    await ben.push(found(3000));
    expect(await row()).toMatchObject({ state: 0, stored_by: null, sha256: null });
  });

  it('the person who stored what others found pushes late: it is filled in', async () => {
    const { anna, ben, row } = await meet();
    await ben.push(found(2000));
    await anna.push(stored(1000));
    expect(await row()).toMatchObject({ stored_by: anna.id, sha256: sha('1'), seen_by: ben.id });
  });

  it('accepts a digest only with the incarnation of its bytes', async () => {
    const { anna, ben, row } = await meet();
    await anna.push({ ...stored(1000), sha256: undefined } as never);
    await ben.push({ ...found(2000), sha256: sha('f') });
    expect(await row()).toMatchObject({ sha256: null });
  });

  it('both change the note: the first stays, and the other is kept apart', async () => {
    const { anna, ben, row, history, curator } = await meet();
    await curator.push(stored(1000));
    await anna.push({ identifier, note: 'hers', note_base: '' });
    expect((await ben.push({ identifier, note: 'his', note_base: '' })).kept).toEqual([[1, 'note']]);
    expect(await row()).toMatchObject({ note: 'hers' });
    expect(await history(ben)).toEqual(['noteKeptApart']);
    expect((await ben.push({ identifier, note: 'his', note_base: 'hers' })).kept).toEqual([]);
    expect(await row()).toMatchObject({ note: 'his' });
  });

  it('both correct the classification: as with notes, but only by the person who stored it, or a curator', async () => {
    const { anna, ben, row, curator } = await meet();
    await anna.push(stored(1000, { classification: 'public' }));
    const correct = (classification: string, base: string): Change => ({
      identifier,
      sets_class: true,
      class_base: base,
      classification,
    });
    expect((await ben.push(correct('secret', 'public'))).refused).toEqual([[1, 'forbidden']]);
    await anna.push(correct('internal', 'public'));
    expect((await curator.push(correct('secret', 'public'))).kept).toEqual([[1, 'classification']]);
    expect(await row()).toMatchObject({ classification: 'internal' });
  });

  it('one takes it off the list, the other sees it there: it is back', async () => {
    const { anna, ben, row } = await meet();
    await anna.push(stored(1000));
    await anna.push(missing(2000));
    await anna.push({ identifier, forget: true });
    expect(await row()).toMatchObject({ is_forgotten: true });
    await ben.push(found(3000));
    expect(await row()).toMatchObject({ is_forgotten: false, state: 0 });
  });

  it('one takes it off the list, the other changes the note: it stays off', async () => {
    const { anna, ben, row, history } = await meet();
    await anna.push(stored(1000));
    await anna.push(missing(2000));
    await anna.push({ identifier, forget: true });
    await ben.push({ identifier, note: 'still wanted' });
    expect(await row()).toMatchObject({ is_forgotten: true, note: 'still wanted' });
    expect(await history(ben)).toEqual(['noteChanged']);
  });

  it('only a curator takes a stored object off the list', async () => {
    const { anna, curator, row } = await meet();
    await anna.push(stored(1000));
    expect((await anna.push({ identifier, forget: true })).refused).toEqual([[1, 'forbidden']]);
    await curator.push({ identifier, forget: true });
    expect(await row()).toMatchObject({ is_forgotten: true });
  });

  it('one deletes what another has stored and takes it off the list, both in one push: it is off', async () => {
    const { anna, ben, row, history } = await meet();
    await anna.push(stored(1000));
    expect((await ben.push({ ...found(2000), forget: true })).refused).toEqual([[1, 'forbidden']]);
    expect((await ben.push({ ...deleted(3000), forget: true })).refused).toEqual([]);
    expect(await row()).toMatchObject({ state: 5, is_forgotten: true });
    expect(await history(ben)).toEqual(['deleted', 'forgotten']);
  });

  it('one stores again what another had stored and corrects its classification, both in one push: accepted', async () => {
    const { anna, ben, row, history } = await meet();
    await anna.push(stored(1000, { classification: 'public' }));
    const anew = { ...stored(2000, { classification: 'internal' }), sets_class: true, class_base: 'public' };
    expect((await ben.push(anew)).refused).toEqual([]);
    expect(await row()).toMatchObject({ classification: 'internal', stored_by: ben.id });
    expect(await history(ben)).toEqual(['classificationChanged', 'stored']);
  });

  it('correcting the classification to its current value changes nothing', async () => {
    const { anna, history } = await meet();
    await anna.push(stored(1000, { classification: 'public' }));
    await anna.push({ identifier, sets_class: true, class_base: null, classification: 'public' });
    expect(await history()).toEqual(['stored']);
  });

  it('at equal times the first push wins', async () => {
    const { anna, ben, row } = await meet();
    await anna.push(stored(1000));
    await ben.push(missing(1000));
    expect(await row()).toMatchObject({ state: 0, seen_by: anna.id });
    await ben.push(stored(1000, { sha256: sha('2') }));
    expect(await row()).toMatchObject({ sha256: sha('1'), stored_by: anna.id });
  });

  it('the length at which others find a chunked file is that of its manifest', async () => {
    const { anna, ben, row } = await meet();
    await anna.push(stored(1000, { length_bytes: 5_000_000, parts: { manifestBytes: 700 } }));
    await ben.push(found(2000, 700));
    expect(await row()).toMatchObject({ stored_by: anna.id, length_bytes: '5000000' });
  });
});
