import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isUnverified } from '../../../shared/domain/unverified.ts';
import { historyActionSchema, objectStateSchema, type ObjectRecord } from '../../../shared/domain/object.ts';
import { openTeamCopy, startMs, type OpenTeamCopy } from '../../../../test-support/main/objects/team-copy.ts';

/*
 * What an imported list or the team says of an object that this installation has stored or seen. Unknown facts may be filled in; nothing
 * that was known changes, and nobody else writes its history.
 */

let copy: OpenTeamCopy;
beforeEach(async () => {
  copy = await openTeamCopy();
});
afterEach(() => copy.close());

const digest = (letter: string) => letter.repeat(64);
const bytes = { lengthBytes: 5, sha256: digest('a') };
const words = fc.constantFrom(null, 'theirs');
const moment = fc.option(fc.constantFrom(0, startMs - 1, startMs, startMs + 1e9));
const inParts = fc.record({
  count: fc.integer({ min: 1, max: 9 }),
  manifestBytes: fc.constantFrom(5, 300),
  manifestSha256: fc.constantFrom(digest('a'), digest('c')),
});
const facts = {
  lengthBytes: fc.constantFrom(null, 5, 6),
  sha256: fc.constantFrom(null, digest('a'), digest('b')),
  classification: fc.constantFrom(null, 'Public'),
  sourceName: words,
  storedAtMs: moment,
};
const line = fc.record(
  {
    ...facts,
    state: fc.constantFrom(...objectStateSchema.options),
    checkedAtMs: moment,
    activityToken: words,
    note: fc.constantFrom('', 'theirs'),
    renewBy: fc.constantFrom(null, '2031-01-15'),
    parts: inParts,
    movedTo: fc.constant('elsewhere'),
    history: fc.array(
      fc.record({
        atMs: fc.constantFrom(0, startMs, startMs + 1e9),
        action: fc.constantFrom(...historyActionSchema.options),
        detail: words,
        activityToken: words,
      }),
      { maxLength: 3 },
    ),
    storedBy: words,
    incarnation: fc.constant('0d1f7a52-6f0b-4b8e-9d0e-3f6c0f0f5a01'),
    isOwnStored: fc.boolean(),
    unverified: fc.integer({ min: 0, max: 7 }),
    usedAtMs: moment,
  },
  { requiredKeys: [] },
);

/** Everything but what a person writes, which is filled in where there is nothing. */
function withoutWords({ note: _note, renewBy: _renewBy, ...rest }: ObjectRecord) {
  return rest;
}

it('an imported list changes nothing of an object that was stored here, and adds nothing to its history', async () => {
  let made = 0;
  await fc.assert(
    fc.asyncProperty(line, fc.constantFrom('', 'mine'), async (told, note) => {
      const identifier = `own ${String((made += 1))}`;
      await copy.upload(identifier, bytes);
      if (note !== '') await copy.type(identifier, note);
      const [before, history] = [copy.row(identifier), copy.historyOf(identifier)];
      const incarnation = copy.incarnationOf(identifier);
      if (!before) throw new Error('not stored');
      await copy.import(identifier, 5, null, null, told);
      const after = copy.row(identifier);
      expect(after && withoutWords(after)).toEqual(withoutWords(before));
      expect(after?.note).toBe(note === '' ? (told.note ?? '') : note);
      expect(copy.historyOf(identifier)).toEqual(history);
      expect(copy.incarnationOf(identifier)).toBe(incarnation);
      expect(after?.isOwnStored).toBe(true);
    }),
  );
});

it('an imported list fills in what a look did not tell, as a claim, and never what it told', async () => {
  let made = 0;
  await fc.assert(
    fc.asyncProperty(line, fc.boolean(), async (told, isFetched) => {
      const identifier = `seen ${String((made += 1))}`;
      await copy.look(identifier, 5);
      if (isFetched) await copy.download(identifier, bytes);
      const [before, history] = [copy.row(identifier), copy.historyOf(identifier)];
      if (!before) throw new Error('not listed');
      await copy.import(identifier, 5, null, null, told);
      const after = copy.row(identifier);
      if (!after) throw new Error('not listed any more');
      const { state, lengthBytes, checkedAtMs } = before;
      expect(after).toMatchObject({ state, lengthBytes, checkedAtMs });
      expect(isUnverified(after, 'presence') || isUnverified(after, 'length')).toBe(false);
      const { sha256, parts } = isFetched ? { sha256: bytes.sha256 } : after;
      expect([after.sha256, after.parts]).toEqual([sha256, parts]);
      const isTold = !isFetched && (sha256 !== null || parts !== undefined);
      expect(isUnverified(after, 'digest')).toBe(isTold);
      // What was seen was stored before.
      expect(after.storedAtMs ?? 0).toBeLessThanOrEqual(checkedAtMs ?? 0);
      for (const never of ['storedBy', 'isOwnStored', 'usedAtMs', 'movedTo'])
        expect(after).not.toHaveProperty(never);
      expect(copy.historyOf(identifier)).toEqual(history);
    }),
  );
});

it('marks the history that comes with a new object as imported', async () => {
  const entry = { action: 'uploaded', detail: null, activityToken: 't' } as const;
  const history = [
    { ...entry, atMs: 1 },
    // It cannot come after the import that brought it.
    { ...entry, atMs: startMs + 1e9 },
  ];
  await copy.import('new', 5, null, null, { history });
  expect(copy.historyOf('new').map(({ action, atMs }) => [action, atMs])).toEqual([
    ['imported', startMs],
    ['uploaded', startMs],
    ['uploaded', 1],
  ]);
});

it('an unverified moment of storing is not later than the look that proves it', async () => {
  await copy.import('new', 5, null, null, { storedAtMs: startMs + 1e9 });
  await copy.check('new', { present: true, lengthBytes: 5 });
  expect(copy.row('new')).toMatchObject({ storedAtMs: startMs, checkedAtMs: startMs });
});

it('the team changes nothing of the bytes that this computer has stored', async () => {
  await copy.join();
  let made = 0;
  const teamRow = fc.record({ ...facts, parts: fc.option(inParts) }, { requiredKeys: [] });
  await fc.assert(
    fc.asyncProperty(teamRow, async (told) => {
      const identifier = `own ${String((made += 1))}`;
      await copy.upload(identifier, { ...bytes, classification: 'Secret' });
      await copy.tellAll();
      const [before, history] = [copy.row(identifier), copy.historyOf(identifier)];
      const incarnation = copy.incarnationOf(identifier);
      await copy.apply({ identifier, ...told, incarnation, storedBy: 7 });
      const after = copy.row(identifier);
      const { lengthBytes, sha256, classification, sourceName, storedAtMs } = before ?? {};
      expect(after).toMatchObject({ lengthBytes, sha256, classification, sourceName, storedAtMs });
      expect(after).not.toHaveProperty('unverified');
      expect(after).not.toHaveProperty('parts');
      expect(after?.isOwnStored).toBe(true);
      expect(copy.historyOf(identifier)).toEqual(history);
    }),
  );
});
