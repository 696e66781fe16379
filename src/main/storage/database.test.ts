import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { factBits } from '../../shared/domain/unverified.ts';
import {
  objectKindSchema,
  objectStateSchema,
  sortColumnSchema,
  type ObjectQuery,
  type ObjectRecord,
  type Selection,
} from '../../shared/domain/object.ts';
import { versionOf } from '../../shared/domain/versions.ts';
import type { FrozenRange, NewObject } from '../objects/catalogue.ts';
import { makeFolder } from '../../../test-support/main/database/folder.ts';
import { newUpload } from '../../../test-support/main/transfers/store/record-factory.ts';
import { ancestors, familyOf, mixOf, select } from '../../../test-support/main/objects/model.ts';
import { runs } from '../../../test-support/runs.ts';

const serviceId = 'p1';

function query(changes: Partial<ObjectQuery> = {}): ObjectQuery {
  return {
    serviceId,
    kind: 'data',
    place: { kind: 'all' },
    search: '',
    sort: { column: 'identifier', direction: 'ascending' },
    ...changes,
  };
}

const data = (identifier: string, patch: NewObject['patch'] = {}): NewObject => ({
  kind: 'data',
  identifier,
  patch: { state: 'stored', ...patch },
});

describe('against a plain model', () => {
  const word = fc.constantFrom(
    'a',
    'B',
    'ab',
    'é',
    'e\u0301',
    'ß',
    'SS',
    'İ',
    'ı',
    'i',
    'Σ',
    'ς',
    '日本',
    '😀',
    'שלום',
    '%',
    '\0',
    '\u{10fffe}',
    '_',
  );
  const text = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(''));
  /** From a small range, so that some are versions of others. */
  const version = fc
    .tuple(
      fc.constantFrom('a', 'a/B', 'ab//a'),
      fc.constantFrom('', '@2', '@3', '@10'),
      fc.constantFrom('', '.pdf'),
    )
    .map((parts) => parts.join(''));
  const other = fc
    .array(text, { minLength: 1, maxLength: 4 })
    .chain((parts) => fc.constantFrom('/', '//', '').map((separator) => parts.join(separator)))
    .chain((path) => fc.constantFrom('', '', '.pdf', '.PNG', '.csv').map((ending) => path + ending));
  const identifier = fc.oneof(other, version);
  const classification = fc.constantFrom(null, 'Public', 'public', 'Top secret', 'ß');
  const time = fc.option(fc.constantFrom(0, 1, 1_767_225_600_000, 1_800_000_000_000));
  const patch = fc.record(
    {
      state: fc.constantFrom(...objectStateSchema.options),
      lengthBytes: fc.option(fc.constantFrom(0, 1, 1000, 1_000_000, 2 ** 40)),
      classification,
      sourceName: fc.option(text),
      storedAtMs: time,
      checkedAtMs: time,
      note: fc.oneof(fc.constant(''), text),
    },
    { requiredKeys: [] },
  );
  const unverified = fc.constantFrom(factBits.length, factBits.presence, factBits.presence | factBits.digest);
  const kind = fc.constantFrom(...objectKindSchema.options);
  const added = fc.oneof(
    patch,
    fc.tuple(patch, unverified).map(([known, bits]) => ({ ...known, unverified: bits })),
  );
  const object = fc.record({ kind, identifier, patch: added });
  const search = fc
    .array(
      fc.oneof(
        text,
        text.map((phrase) => `"${phrase}"`),
        text.map((excluded) => `-${excluded}`),
        fc
          .array(fc.constantFrom('a', 'B', 'é', '日本', '/', ''), { maxLength: 4 })
          .map((pieces) => pieces.join('*')),
        text.chain((name) => fc.constantFrom(`folder:${name}`, `-folder:${name}`, `folder:"${name}"`)),
        fc.constantFrom('folder:""', '-folder:""', 'folder:a*b', 'folder:/a/', 'class:*sec', '-class:pub'),
        fc.constantFrom('kind:pic', 'kind:file', '-kind:doc', '-state:stored', 'state:un', '-size:1', '-'),
        fc.constantFrom(
          'state:gone',
          'state:stored',
          'class:pub',
          'class:"top secret"',
          'class:""',
          'size:>=1kb',
        ),
        fc.constantFrom('size:<1mb', 'before:2026-06-01', 'after:2026-01-01', 'size:x', 'other:a'),
      ),
      { maxLength: 3 },
    )
    .map((words) => words.join(' '));
  const queries = (paths: string[]) =>
    fc.record({
      serviceId: fc.constant(serviceId),
      kind,
      place: fc.oneof(
        fc
          .constantFrom('all' as const, 'unfiled' as const, 'gone' as const, 'attention' as const)
          .map((kind) => ({ kind })),
        classification.map((value) => ({ kind: 'classification' as const, value })),
        fc.constantFrom('nowhere', ...paths).map((path) => ({ kind: 'folder' as const, path })),
      ),
      search: fc.oneof(fc.constantFrom('', ' '), search, fc.constantFrom('a', '@', 'a@')),
      allVersions: fc.boolean(),
      sort: fc.record({
        column: fc.constantFrom(...sortColumnSchema.options),
        direction: fc.constantFrom('ascending' as const, 'descending' as const),
      }),
    });
  const step = fc.oneof(
    fc.record({ do: fc.constant('add' as const), objects: fc.array(object, { maxLength: 12 }) }),
    fc.record({
      do: fc.constant('update' as const),
      changes: fc.array(fc.tuple(fc.nat(), patch), { maxLength: 5 }),
    }),
    fc.record({ do: fc.constant('remove' as const), which: fc.array(fc.nat(), { maxLength: 3 }) }),
    fc.record({ do: fc.constant('separator' as const), separator: fc.constantFrom('/', '//', 'a') }),
  );

  it('finds, sorts, pages, counts and sums the same after any changes', async () => {
    await using folder = await makeFolder();
    const { catalogue } = await folder.open();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), fc.gen(), async (steps, gen) => {
        await catalogue.removeService(serviceId);
        const model = new Map<number, ObjectRecord>();
        let separator = '/';
        await catalogue.setNaming(serviceId, { separator, versionMark: '@{number}' });
        for (const step of steps) {
          const ids = [...model.keys()];
          const pick = (n: number) => ids[n % Math.max(ids.length, 1)] ?? 0;
          if (step.do === 'add') {
            for (const { record } of await catalogue.add(serviceId, step.objects))
              model.set(record.id, record);
          } else if (step.do === 'update') {
            const changes = step.changes.map(([n, patch]) => ({ id: pick(n), patch }));
            await catalogue.update(changes);
            for (const record of await catalogue.getMany(ids)) model.set(record.id, record);
          } else if (step.do === 'remove') {
            await catalogue.remove(step.which.map(pick));
            for (const n of step.which) model.delete(pick(n));
          } else {
            separator = step.separator;
            await catalogue.setNaming(serviceId, { separator, versionMark: '@{number}' });
          }
          const records = [...model.values()];
          const paths = records.flatMap(({ identifier }) => ancestors(identifier, separator));
          for (let n = 0; n < 4; n += 1) {
            const asked = gen(() => queries(paths));
            const wanted = select(records, asked, separator);
            const page = await catalogue.page(asked, 1, 5);
            expect(page.rows).toEqual(wanted.slice(1, 6));
            expect(page.total).toBe(wanted.length);
            const isSearch = asked.search !== '';
            const every = { ...asked, allVersions: true };
            const inPlace = select(records, { ...every, search: '' }, separator).length;
            const unfolded = select(records, every, separator);
            expect(page.folded).toBe(unfolded.length - wanted.length);
            const families = wanted
              .slice(1, 6)
              .map((record) => ({
                id: record.id,
                base: versionOf(record.identifier, separator, '@{number}').base,
                count: familyOf(records, record, separator).filter(({ state }) => state !== 'gone').length,
              }))
              .filter(({ count }) => count > 1);
            expect(page.families).toEqual(page.folded === 0 ? [] : families);
            expect(page.outOf).toBe(isSearch ? inPlace : undefined);
            const known = wanted.flatMap(({ lengthBytes }) => lengthBytes ?? []);
            const totalBytes = known.reduce((a, b) => a + b, 0);
            expect(page.totalBytes).toBe(totalBytes);
            const wantedIds = wanted.map(({ id }) => id);
            expect([...(await catalogue.idsOf({ kind: 'query', query: asked, exceptIds: [] }))]).toEqual(
              wantedIds,
            );
            const [first, last] = [
              { id: wantedIds[3] ?? null, index: 3 },
              { id: null, index: 1 },
            ];
            const and =
              n % 2 === 0 || wantedIds.length === 0
                ? null
                : { kind: 'ids' as const, ids: wantedIds.slice(0, 2) };
            const range = await catalogue.keepRange({ query: asked, from: first, to: last, and });
            const inRange = wantedIds.slice(and === null ? 1 : 0, 4);
            expect([...(await catalogue.idsOf(range.selection))]).toEqual(inRange);
            expect(range.count).toBe(inRange.length);
            expect(namedBy(range)).toEqual(inRange.toSorted((a, b) => a - b));
            expect(await catalogue.summarize({ kind: 'query', query: asked, exceptIds: [] })).toEqual({
              count: wanted.length,
              totalBytes,
              unknownLengths: wanted.length - known.length,
            });
            const id = pick(n);
            const index = wantedIds.indexOf(id);
            const away = unfolded.find((record) => record.id === id);
            const family = away === undefined ? [] : familyOf(wanted, away, separator);
            const stands = index >= 0 ? index : wantedIds.indexOf(family.at(-1)?.id ?? 0);
            expect(await catalogue.indexOf(asked, id)).toBe(stands < 0 ? null : stands);
            const head = index >= 0 || stands < 0 ? id : wantedIds[stands];
            expect(await catalogue.shownAs(asked, [id, 999_999, id])).toEqual([head, 999_999, head]);
            const rest = await catalogue.summarize({ kind: 'query', query: asked, exceptIds: [id, -1] });
            expect(rest.count).toBe(wanted.length - (index < 0 ? 0 : 1));
            const left = wanted.filter((each) => each.id !== id);
            const mix = await catalogue.mixOf({ kind: 'query', query: asked, exceptIds: [id, -1] });
            expect(mix).toEqual(mixOf(left));
            const ids = left.map((each) => each.id);
            const named = { kind: 'ids' as const, ids: [...ids, ...ids, 999_999] };
            expect(ids.length === 0 ? mix : await catalogue.mixOf(named)).toEqual(mix);
          }
          const live = records.filter(({ kind, state }) => kind === 'data' && state !== 'gone');
          const collections = await catalogue.collections(serviceId);
          expect(collections).toMatchObject({
            all: live.length,
            gone: records.filter(({ kind, state }) => kind === 'data' && state === 'gone').length,
            secrets: records.filter(({ kind, state }) => kind === 'secret' && state !== 'gone').length,
            attention: live.filter(({ state }) => ['failed', 'missing', 'unknown'].includes(state)).length,
          });
          for (const { value, count } of collections.classifications) {
            expect(live.filter(({ classification }) => classification === value)).toHaveLength(count);
          }
          const walk = async (parent: string): Promise<[string, number][]> => {
            const { folders } = await catalogue.folders(serviceId, parent);
            const below = await Promise.all(
              folders.map(async ({ path, count, hasChildren }): Promise<[string, number][]> => {
                const children = await walk(path);
                expect(hasChildren).toBe(children.length > 0);
                return [[path, count], ...children];
              }),
            );
            return below.flat();
          };
          const counts = new Map<string, number>();
          for (const { identifier } of live) {
            for (const path of ancestors(identifier, separator))
              counts.set(path, (counts.get(path) ?? 0) + 1);
          }
          expect(new Map(await walk(''))).toEqual(counts);
        }
      }),
      { numRuns: runs(40) },
    );
  });
});

/** The ids of a range whose bits are set, ascending. */
function namedBy({ firstId, bits }: FrozenRange): number[] {
  return [...bits].flatMap((byte, at) =>
    [0, 1, 2, 3, 4, 5, 6, 7].flatMap((bit) => ((byte >> bit) & 1 ? [firstId + at * 8 + bit] : [])),
  );
}

describe('versions', () => {
  it('selects them with the newest on request: older ones that can be deleted', async () => {
    await using folder = await makeFolder();
    const { catalogue } = await folder.open();
    const rows = await catalogue.add(serviceId, [
      data('a.txt'),
      data('a@2.txt', { state: 'gone' }),
      data('a@3.txt', { state: 'missing' }),
      data('a@4.txt'),
      data('a@5.txt', { state: 'uploading' }),
      data('b.txt'),
      { kind: 'secret', identifier: 'a@2.txt', patch: { state: 'stored' } },
    ]);
    const ids = rows.map(({ record }) => record.id);
    const pick = (...places: number[]) => ({ kind: 'ids' as const, ids: places.map((at) => ids[at] ?? 0) });
    const page = await catalogue.page(query(), 0, 10);
    expect(page.rows.map(({ identifier }) => identifier)).toEqual(['a@4.txt', 'b.txt']);
    expect(page.families).toEqual([{ id: ids[3], base: 'a.txt', count: 4 }]);
    const kept = await catalogue.freezeVersions(pick(3, 5));
    expect(kept.older).toBe(2);
    expect([...(await catalogue.idsOf(kept.selection))]).toEqual([ids[3], ids[5], ids[0], ids[2]]);
    expect((await catalogue.freezeVersions(pick(0, 5))).older).toBe(0);
    expect((await catalogue.freezeVersions(pick(0, 3))).older).toBe(1);
    const { base, versions } = await catalogue.versions(serviceId, 'data', 'a@3.txt');
    expect([base, versions.map(({ number }) => number)]).toEqual(['a.txt', [1, 2, 3, 4, 5]]);
    await catalogue.setNaming(serviceId, { separator: '/', versionMark: ' v{number}' });
    expect((await catalogue.page(query(), 0, 10)).folded).toBe(0);
  });
});

describe('rows', () => {
  it('keeps every field, the first of two with one identifier, and history newest first', async () => {
    await using folder = await makeFolder();
    const { catalogue } = await folder.open();
    const full = {
      state: 'stored',
      lengthBytes: 12,
      sha256: 'ab'.repeat(32),
      classification: 'Public',
      sourceName: 'a.txt',
      storedAtMs: 1,
      checkedAtMs: 2,
      activityToken: 'token',
      note: 'note\n',
    } as const;
    const [first, second, secret] = await catalogue.add(serviceId, [
      { ...data('a', full), history: { action: 'added' } },
      data('a', { note: 'other' }),
      { kind: 'secret', identifier: 'a', patch: {} },
    ]);
    expect(first).toEqual({
      added: true,
      record: { id: expect.any(Number), serviceId, kind: 'data', identifier: 'a', ...full },
    });
    expect(second).toEqual({ record: first?.record, added: false });
    expect(secret?.added).toBe(true);
    const id = first?.record.id ?? 0;
    await catalogue.update([
      { id, patch: { sha256: null }, history: { action: 'checkedPresent', detail: 'd', activityToken: 't' } },
      { id: 999, patch: { note: 'nobody' }, history: { action: 'added' } },
    ]);
    expect(await catalogue.getMany([999, id])).toEqual([{ ...first?.record, sha256: null }]);
    const atMs = 1_800_000_000_000;
    expect(await catalogue.history(id, 10)).toEqual([
      { atMs, action: 'checkedPresent', detail: 'd', activityToken: 't' },
      { atMs, action: 'added', detail: null, activityToken: null },
    ]);
    expect((await catalogue.findByIdentifiers(serviceId, 'data', ['a', 'b'])).get('a')?.id).toBe(id);
    expect(await catalogue.idsInStates(serviceId, ['stored', 'unknown'])).toEqual([id, secret?.record.id]);
    expect([...(await catalogue.idsOf({ kind: 'ids', ids: [999, id, id] }))]).toEqual([id]);
    expect(await catalogue.summarize({ kind: 'ids', ids: [999, id, id] })).toEqual({
      count: 1,
      totalBytes: 12,
      unknownLengths: 0,
    });
    await catalogue.remove([id]);
    expect(await catalogue.history(id, 10)).toEqual([]);
  });

  it('announces changes with an increasing revision, which pages contain', async () => {
    await using folder = await makeFolder();
    const { catalogue } = await folder.open();
    const heard: [string, number][] = [];
    const stop = catalogue.onChanged((service, revision) => heard.push([service, revision]));
    await catalogue.add('p1', [data('a')]);
    await catalogue.add('p2', [data('a')]);
    await catalogue.add('p2', [data('a')]);
    const id = (await catalogue.page(query(), 0, 1)).rows[0]?.id ?? 0;
    await catalogue.update([{ id, patch: { note: 'n' } }]);
    expect(heard.map(([service]) => service)).toEqual(['p1', 'p2', 'p1']);
    expect(heard.map(([, revision]) => revision)).toEqual(heard.map(([, r]) => r).toSorted((a, b) => a - b));
    expect((await catalogue.page(query(), 0, 1)).revision).toBe(heard.at(-1)?.[1]);
    stop();
    await catalogue.remove([id]);
    expect(heard).toHaveLength(3);
  });

  it('finds the next row whose name begins with a text, in list order and wrapping round', async () => {
    await using folder = await makeFolder();
    const { catalogue } = await folder.open();
    await catalogue.add(
      serviceId,
      ['Ähre', 'alpha', 'beta/Alp', 'beta/x', 'gamma/alm', 'zeta'].map((identifier) =>
        data(identifier, { note: 'alpha zeta', sourceName: 'quelle' }),
      ),
    );
    const nameOf = async (typed: string, from: number, changes: Partial<ObjectQuery> = {}) => {
      const found = await catalogue.findName(query(changes), typed, from);
      const { rows } = await catalogue.page(query(changes), found?.index ?? 0, 1);
      return found === null ? null : [rows[0]?.id === found.id, rows[0]?.identifier];
    };
    expect(await nameOf('AL', 0)).toEqual([true, 'alpha']);
    // Searches from the next row and wraps round; a whole identifier ranks before a file name.
    expect(await nameOf('al', 2)).toEqual([true, 'alpha']);
    expect(await nameOf('alm', 0)).toEqual([true, 'gamma/alm']);
    expect(await nameOf('ä', 0)).toEqual([true, 'Ähre']);
    expect(await nameOf('alp', 0, { place: { kind: 'folder', path: 'beta' } })).toEqual([true, 'beta/Alp']);
    const down = { sort: { column: 'identifier', direction: 'descending' } } as const;
    expect(await nameOf('b', 0, down)).toEqual([true, 'beta/x']);
    // Neither a file name nor a note is a name.
    expect(await nameOf('que', 0)).toBeNull();
  });

  it('sorts rows that need attention first, and keeps the order of a sheet within one moment', async () => {
    await using folder = await makeFolder();
    const { catalogue } = await folder.open();
    const names = (records: readonly ObjectRecord[]) => records.map(({ identifier }) => identifier);
    const ask = async (column: 'state' | 'stored', direction: 'ascending' | 'descending') => {
      const query = { serviceId, kind: 'data', place: { kind: 'all' }, search: '' } as const;
      return names((await catalogue.page({ ...query, sort: { column, direction } }, 0, 10)).rows);
    };
    const sheet = ['c', 'a', 'b'].map((identifier) => ({
      kind: 'data' as const,
      identifier,
      patch: { state: 'uploading' as const },
    }));
    await catalogue.add(serviceId, sheet);
    for (const [identifier, state] of [
      ['stored', 'stored'],
      ['lost', 'missing'],
      ['open', 'unknown'],
      ['bad', 'failed'],
    ] as const) {
      await catalogue.add(serviceId, [{ kind: 'data', identifier, patch: { state, storedAtMs: 5 } }]);
    }
    const uploads = ['c', 'a', 'b'];
    const others = ['stored', 'lost', 'open', 'bad'];
    expect(await ask('stored', 'descending')).toEqual([...uploads, ...others]);
    await catalogue.collections(serviceId);
    expect(await ask('stored', 'descending')).toEqual([...uploads, ...others]);
    expect(await ask('stored', 'ascending')).toEqual([...others, ...uploads]);
    expect(await ask('state', 'ascending')).toEqual(['bad', 'lost', 'open', 'a', 'b', 'c', 'stored']);
  });

  it('need attention while their upload waits for an answer', async () => {
    await using folder = await makeFolder();
    const { catalogue, transfers, documents } = await folder.open();
    await documents.put('services', serviceId, {});
    await catalogue.add(serviceId, [
      { kind: 'data', identifier: 'there', patch: { state: 'stored' } },
      { kind: 'data', identifier: 'lost', patch: { state: 'missing' } },
      { kind: 'data', identifier: 'left', patch: { state: 'gone' } },
      { kind: 'secret', identifier: 'key', patch: { state: 'failed' } },
    ]);
    const query = { serviceId, kind: 'data', place: { kind: 'attention' }, search: '' } as const;
    const sort = { column: 'identifier', direction: 'ascending' } as const;
    const ask = async (search = '') => {
      const { rows } = await catalogue.page({ ...query, search, sort }, 0, 10);
      return rows.map(({ identifier }) => identifier);
    };
    expect(await ask()).toEqual(['lost']);
    const given = await transfers.enqueue(serviceId, [
      newUpload('there'),
      newUpload('new'),
      newUpload('lost'),
    ]);
    const asking = { name: 'asking', seen: { present: false } } as const;
    await transfers.apply(given.map(({ id }) => ({ id, change: { state: asking } })));
    expect(await ask()).toEqual(['lost', 'new', 'there']);
    expect(await ask('state:stored')).toEqual(['there']);
    expect((await catalogue.collections(serviceId)).attention).toBe(3);
    await transfers.answer(serviceId, 'all', 'skip');
    expect(await ask()).not.toContain('there');
  });

  it('a frozen selection contains the rows of its time, without those removed since', async () => {
    await using folder = await makeFolder();
    const { catalogue } = await folder.open();
    const many = Array.from({ length: 1010 }, (_, n) =>
      data(`f/${String(n).padStart(6, '0')}`, { lengthBytes: 2 }),
    );
    await catalogue.add(serviceId, many);
    const wanted = query({ place: { kind: 'folder', path: 'f' } });
    const [except = 0, leaving = 0, unknown = 0] = (await catalogue.page(wanted, 0, 3)).rows.map(
      ({ id }) => id,
    );
    const asked = { kind: 'query' as const, query: wanted, exceptIds: [except] };
    const found = await catalogue.idsOf(asked);
    const frozen = await catalogue.freeze(asked);
    await catalogue.add(serviceId, [data('f/new', { lengthBytes: 1e9 })]);
    await catalogue.remove([leaving]);
    await catalogue.update([{ id: unknown, patch: { lengthBytes: null, state: 'gone' } }]);
    expect(await catalogue.idsOf(frozen)).toEqual(found.filter((id) => id !== leaving));
    expect(await catalogue.summarize(frozen)).toEqual({
      count: 1008,
      totalBytes: 2 * 1007,
      unknownLengths: 1,
    });
    expect((await catalogue.summarize(asked)).count).toBe(1008);
    expect(await catalogue.mixOf(frozen)).toMatchObject({
      count: 1008,
      totalBytes: 2 * 1007,
      unknownLengths: 1,
      states: [
        { state: 'stored', count: 1007 },
        { state: 'gone', count: 1 },
      ],
    });
    expect(await catalogue.mixOf({ kind: 'ids', ids: [leaving] })).toMatchObject({ count: 0, stored: null });
    await catalogue.update([{ id: except, patch: { state: 'failed' } }]);
    const countUnstored = async (selection: Selection) =>
      (await catalogue.mixOf(selection)).states.find(({ state }) => state === 'failed')?.count ?? 0;
    expect(await countUnstored({ ...frozen, plusIds: [except] })).toBe(1);
    expect(await countUnstored({ kind: 'ids', ids: [except, unknown] })).toBe(1);
    expect(await countUnstored({ ...asked, exceptIds: [] })).toBe(1);
    expect(await countUnstored(asked)).toBe(0);
    const [other = 0, another = 0] = found.subarray(-2);
    const changed = { ...frozen, exceptIds: [other], plusIds: [except] };
    expect(await catalogue.idsOf(changed)).toEqual(
      Float64Array.of(...found.filter((id) => id !== leaving && id !== other), except),
    );
    expect((await catalogue.summarize({ ...frozen, plusIds: [another] })).count).toBe(1008);
    // Only the most recently used are kept; a dropped one rejects instead of selecting other rows.
    for (let n = 0; n < 4; n += 1) await catalogue.freeze(asked);
    const notKept = { error: { code: 'notFound', what: 'selection' } };
    await expect(catalogue.idsOf(frozen)).rejects.toMatchObject(notKept);
    await expect(catalogue.summarize(frozen)).rejects.toMatchObject(notKept);
    const last = await catalogue.freeze(asked);
    await catalogue.removeService(serviceId);
    expect([...(await catalogue.idsOf(last))]).toEqual([]);
  });

  it('answers the same while a large catalogue is still being read and afterwards', async () => {
    await using folder = await makeFolder();
    const objects = Array.from({ length: 8000 }, (_, n) =>
      data(`f${String(n % 7)}/${String((n * 7919) % 8000)}`, { lengthBytes: n }),
    );
    const first = await folder.open();
    await first.catalogue.add(serviceId, objects);
    await first.close();
    const { catalogue } = await folder.open();
    const early = await catalogue.page(query({ sort: { column: 'size', direction: 'descending' } }), 0, 50);
    // Add a row and change another while the index is being built.
    const writes = Promise.all([
      catalogue.add(serviceId, [data('f0/new', { lengthBytes: 1e9 })]),
      catalogue.update([{ id: early.rows[0]?.id ?? 0, patch: { lengthBytes: 2e9 } }]),
    ]);
    expect((await catalogue.collections(serviceId)).all).toBe(8001);
    await writes;
    const late = await catalogue.page(query({ sort: { column: 'size', direction: 'descending' } }), 0, 52);
    expect(late.total).toBe(8001);
    expect(
      late.rows
        .map(({ id }) => id)
        .toSpliced(1, 1)
        .slice(0, 50),
    ).toEqual(early.rows.map(({ id }) => id));
    const identifiers = [...objects.map(({ identifier }) => identifier), 'f0/new'];
    for (const typed of ['f', 'f3', 'f3/', 'f3/2', 'f3/24', 'f3/245', 'f3/2450', '0', '0/', '0/n', '0/ne']) {
      const wanted = identifiers.filter((identifier) => identifier.includes(typed)).toSorted();
      const page = await catalogue.page(query({ search: typed }), 0, 20);
      expect([page.total, page.rows.map(({ identifier }) => identifier)]).toEqual([
        wanted.length,
        wanted.slice(0, 20),
      ]);
    }
  });
});

describe('folders', () => {
  it('come in natural order, and say if there are more than a thousand', async () => {
    await using folder = await makeFolder();
    const { catalogue } = await folder.open();
    await catalogue.add(
      serviceId,
      Array.from({ length: 1200 }, (_, n) => data(`r${String(n)}/x/y`)),
    );
    const { folders, more } = await catalogue.folders(serviceId, '');
    expect(folders.slice(0, 3)).toEqual([
      { path: 'r0', name: 'r0', count: 1, hasChildren: true },
      { path: 'r1', name: 'r1', count: 1, hasChildren: true },
      { path: 'r2', name: 'r2', count: 1, hasChildren: true },
    ]);
    expect([folders.length, more]).toEqual([1000, 200]);
  });
});

describe('documents', () => {
  it('are JSON values by collection and key', async () => {
    await using folder = await makeFolder();
    const { documents } = await folder.open();
    await documents.put('services', 'b', { deep: [1, null, 'ü😀'] });
    await documents.put('services', 'a', 1);
    await documents.put('services', 'a', 2);
    await documents.put('settings', 'a', true);
    expect(await documents.get('services', 'b')).toEqual({ deep: [1, null, 'ü😀'] });
    expect(await documents.list('services')).toEqual([
      { key: 'a', value: 2 },
      { key: 'b', value: { deep: [1, null, 'ü😀'] } },
    ]);
    await documents.delete('services', 'b');
    expect(await documents.get('services', 'b')).toBeUndefined();
  });
});
