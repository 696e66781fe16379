import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  objectKindSchema,
  objectStateSchema,
  type HistoryEntry,
  type ObjectRecord,
} from '../../../shared/domain/object.ts';
import { factBits, unverifiedFacts } from '../../../shared/domain/unverified.ts';
import type { ObjectPatch } from '../../../shared/domain/object-changes.ts';
import { latestAtMs } from '../../../shared/domain/at-ms.ts';
import { createLocalStores } from '../../storage/local-stores.ts';
import type { Catalogue } from '../catalogue.ts';
import { createSchema } from '../../../../test-support/main/database/local-database.ts';
import { makeFolder } from '../../../../test-support/main/database/folder.ts';
import { fromCell, toCell } from './format.ts';
import { lineCharactersMax } from './split-lines.ts';

const nasty = fc.constantFrom(
  'plain',
  '=1+1',
  '+a',
  '-a',
  '@SUM(A1)',
  "'quoted",
  "'=x",
  "'",
  '',
  '"',
  'a"b',
  'a,b;c\td',
  'line\nline\r\nline\rline',
  '\uFEFFmark',
  '\u202Eטקסט',
  '😀👩‍👩‍👧',
  ' spaces ',
  '＝full',
  '\tTab',
  '\0',
  'null',
  '1e3',
);
/** Longer than any other input accepts. */
const long = fc
  .tuple(nasty, fc.integer({ min: 200, max: 20_000 }))
  .map(([part, length]) => part.repeat(Math.ceil(length / Math.max(part.length, 1))));
const text = fc.oneof(
  nasty,
  long,
  fc.string({ unit: 'grapheme' }),
  fc.tuple(nasty, nasty).map((two) => two.join('')),
);
const whole = fc.option(fc.maxSafeNat());
const moment = fc.option(fc.nat({ max: latestAtMs }));
const object = fc.record({
  kind: fc.constantFrom(...objectKindSchema.options),
  identifier: text.map((name) => `${name}!`),
  patch: fc.record({
    state: fc.constantFrom(
      ...objectStateSchema.options.filter((state) => state !== 'uploading' && state !== 'deleting'),
    ),
    lengthBytes: whole,
    sha256: fc.constantFrom(null, 'ab'.repeat(32)),
    classification: fc.option(text),
    sourceName: fc.option(text),
    storedAtMs: moment,
    checkedAtMs: moment,
    activityToken: fc.option(text),
    note: text,
  }),
});

async function contents(catalogue: Catalogue, serviceId: string) {
  const ids = await catalogue.idsInStates(serviceId, objectStateSchema.options);
  const records = await catalogue.getMany(ids);
  return Promise.all(
    records.map(
      async ({
        id,
        serviceId: _serviceId,
        ...fields
      }): Promise<[Omit<ObjectRecord, 'id' | 'serviceId'>, HistoryEntry[]]> => [
        fields,
        await catalogue.history(id, 100),
      ],
    ),
  );
}

describe('round trip', () => {
  const formats = ['jsonl', 'csv'] as const;
  async function throughFile(format: (typeof formats)[number], numRuns: number): Promise<void> {
    await using folder = await makeFolder();
    const { catalogue } = await folder.open();
    const path = join(folder.path, `out.${format}`);
    await fc.assert(
      fc.asyncProperty(fc.array(object, { maxLength: 15 }), async (objects) => {
        for (const serviceId of ['from', 'to']) {
          await catalogue.removeService(serviceId);
          await catalogue.setNaming(serviceId, { separator: '/', versionMark: '@{number}' });
        }
        const history = { action: 'uploaded', detail: 'line\n"1"', activityToken: '=t' } as const;
        const added = await catalogue.add(
          'from',
          objects.map((each) => ({ ...each, history })),
        );
        const count = added.filter((each) => each.added).length;
        expect(await catalogue.exportTo('from', format, path)).toBe(count);
        expect(await catalogue.importFrom('to', path, 'import')).toEqual({
          fileName: `out.${format}`,
          added: count,
          merged: 0,
          unchanged: 0,
          skipped: 0,
          separator: format === 'csv' ? ',' : null,
          problemLines: 0,
          problems: [],
        });
        const imported = { atMs: 1_800_000_000_000, action: 'imported', detail: null, activityToken: null };
        const wanted = (await contents(catalogue, 'from')).map(([fields, entries]) => [
          // What was seen here is a claim elsewhere.
          {
            ...fields,
            unverified:
              factBits.presence |
              (fields.lengthBytes === null ? 0 : factBits.length) |
              (fields.sha256 === null && fields.parts === undefined ? 0 : factBits.digest),
          },
          // CSV has no history.
          format === 'jsonl' ? [imported, ...entries] : [imported],
        ]);
        expect(await contents(catalogue, 'to')).toEqual(wanted);
        expect(await catalogue.importFrom('to', path, 'import')).toMatchObject({
          added: 0,
          merged: 0,
          unchanged: count,
        });
      }),
      { numRuns },
    );
    expect((await readdir(folder.path)).filter((name) => name.endsWith('.part'))).toEqual([]);
  }

  it.each(formats)('is exact through %s', async (format) => {
    await expect(throughFile(format, 15)).resolves.toBeUndefined();
  });

  it.each(formats)(
    'is exact for more objects through %s',
    { tags: 'all', timeout: 60_000 },
    async (format) => {
      await expect(throughFile(format, 40)).resolves.toBeUndefined();
    },
  );

  it('keeps the newest entries of a history too long for one line', async () => {
    await using folder = await makeFolder();
    const { catalogue } = await folder.open();
    const [row] = await catalogue.add('from', [{ kind: 'data', identifier: 'a', patch: {} }]);
    const id = row?.record.id ?? 0;
    const detail = (n: number) => `${String(n)} ${'x'.repeat(lineCharactersMax / 10)}`;
    for (let n = 0; n < 12; n += 1) {
      await catalogue.update([{ id, patch: {}, history: { action: 'checkedPresent', detail: detail(n) } }]);
    }
    const path = join(folder.path, 'out.jsonl');
    expect(await catalogue.exportTo('from', 'jsonl', path)).toBe(1);
    expect(await catalogue.importFrom('to', path, 'import')).toMatchObject({ added: 1, problemLines: 0 });
    const [found] = await contents(catalogue, 'to');
    expect(found?.[1].map(({ detail: each }) => each)).toEqual([null, ...[11, 10, 9, 8, 7, 6].map(detail)]);
  });

  it('never begins a cell like a formula', () => {
    fc.assert(
      fc.property(text, (value) => {
        const cell = toCell('sourceName', value);
        expect(cell).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/u);
        expect(fromCell('sourceName', cell)).toBe(value);
      }),
    );
    expect(fromCell('sourceName', "'tis by hand")).toBe("'tis by hand");
  });
});

describe('merge', () => {
  it('fills in what is not known, never overwrites, and never mixes facts about different bytes', async () => {
    await using folder = await makeFolder();
    const { catalogue } = await folder.open();
    const digest = 'cd'.repeat(32);
    await catalogue.add('p', [
      { kind: 'data', identifier: 'partly', patch: { state: 'missing', classification: 'Mine', note: '' } },
      { kind: 'data', identifier: 'other bytes', patch: { state: 'stored', lengthBytes: 1 } },
      { kind: 'data', identifier: 'same', patch: { state: 'stored' }, history: { action: 'added' } },
    ]);
    const path = join(folder.path, 'in.jsonl');
    const entry = { atMs: 5, action: 'uploaded', detail: null, activityToken: 't' };
    const lines = [
      { cofferCatalogue: 1 },
      {
        identifier: 'partly',
        state: 'stored',
        classification: 'Theirs',
        lengthBytes: 9,
        note: 'n',
        history: [entry],
      },
      { identifier: 'other bytes', lengthBytes: 2, sha256: digest, note: 'kept' },
      { identifier: 'same' },
      { identifier: 'new', state: 'stored', unknownField: 1 },
    ];
    await writeFile(path, `\uFEFF${lines.map((line) => JSON.stringify(line)).join('\r\n')}`);
    expect(await catalogue.importFrom('p', path, 'import')).toMatchObject({
      added: 1,
      merged: 2,
      unchanged: 1,
      skipped: 0,
    });
    expect((await contents(catalogue, 'p')).map(([fields]) => fields)).toMatchObject([
      { identifier: 'partly', state: 'missing', classification: 'Mine', lengthBytes: 9, note: 'n' },
      { identifier: 'other bytes', lengthBytes: 1, sha256: null, note: 'kept' },
      { identifier: 'same', state: 'stored' },
      { identifier: 'new', state: 'stored' },
    ]);
    // Its history is what happened here.
    expect((await contents(catalogue, 'p'))[0]?.[1]).toEqual([]);
    expect(
      (
        await catalogue.page(
          {
            serviceId: 'p',
            kind: 'data',
            place: { kind: 'all' },
            search: 'kept',
            sort: { column: 'identifier', direction: 'ascending' },
          },
          0,
          5,
        )
      ).total,
    ).toBe(1);
  });
});

describe('an import', () => {
  it.each(['jsonl', 'csv'] as const)(
    '%s: turns states of unfinished transfers into unknown',
    async (format) => {
      await using folder = await makeFolder();
      const { catalogue } = await folder.open();
      const path = join(folder.path, `in.${format}`);
      const lines =
        format === 'csv'
          ? ['identifier,state', 'deleting', 'uploading'].map((line, at) =>
              at === 0 ? line : `${line},${line}`,
            )
          : [
              '{"cofferCatalogue":1}',
              ...['deleting', 'uploading'].map((state) => `{"identifier":"${state}","state":"${state}"}`),
            ];
      await writeFile(path, lines.join('\n'));
      expect(await catalogue.importFrom('p', path, 'import')).toMatchObject({ added: 2, skipped: 0 });
      expect((await contents(catalogue, 'p')).map(([{ state }]) => state)).toEqual(['unknown', 'unknown']);
      expect(await catalogue.idsInStates('p', ['deleting', 'uploading'])).toEqual([]);
    },
  );

  it('reports an impossible time as a problem of that line only', async () => {
    await using folder = await makeFolder();
    const { catalogue } = await folder.open();
    const bad = [latestAtMs + 1, 1e18, -1, 1.5, '"1"'];
    const jsonPath = join(folder.path, 'in.jsonl');
    const rest = `,"note":"n"}`;
    await writeFile(
      jsonPath,
      [
        '{"cofferCatalogue":1}',
        ...bad.map((time) => `{"identifier":"j","storedAtMs":${String(time)}${rest}`),
        `{"identifier":"j","storedAtMs":${String(latestAtMs)},"checkedAtMs":0}`,
      ].join('\n'),
    );
    const report = await catalogue.importFrom('p', jsonPath, 'import');
    expect(report).toMatchObject({ added: 1, skipped: 5 });
    const problem = { code: 'field', field: 'storedAtMs' };
    expect(report.problems).toEqual([2, 3, 4, 5, 6].map((line) => ({ line, problem })));
    const csvPath = join(folder.path, 'in.csv');
    const cells = [...bad.slice(0, 4), '  ', '0x10', 'x', String(latestAtMs)];
    await writeFile(
      csvPath,
      `identifier,checkedAtMs\n${cells.map((cell, at) => `c${String(at)},${cell}`).join('\n')}`,
    );
    const second = await catalogue.importFrom('p', csvPath, 'import');
    expect(second).toMatchObject({ added: 1, skipped: 7 });
    expect(second.problems.map(({ line }) => line)).toEqual([2, 3, 4, 5, 6, 7, 8]);
    expect(
      (await contents(catalogue, 'p')).map(([{ storedAtMs, checkedAtMs }]) => [storedAtMs, checkedAtMs]),
    ).toEqual([
      [latestAtMs, 0],
      [null, latestAtMs],
    ]);
  });

  it('loses neither the object nor the other entries to a bad history entry', async () => {
    await using folder = await makeFolder();
    const { catalogue } = await folder.open();
    const path = join(folder.path, 'in.jsonl');
    const good = { atMs: 5, action: 'uploaded', detail: null, activityToken: null };
    const lines = [
      { cofferCatalogue: 1 },
      { identifier: 'a', history: [good, { ...good, atMs: 1.5 }, { ...good, atMs: 1e18 }, 'no entry'] },
      { identifier: 'b', history: [{ ...good, action: 'unheard of' }] },
      { identifier: 'c', history: [good] },
    ];
    await writeFile(path, lines.map((line) => JSON.stringify(line)).join('\n'));
    const report = await catalogue.importFrom('p', path, 'import');
    expect(report).toMatchObject({ added: 3, skipped: 0, problemLines: 2 });
    expect(report.problems.map(({ line }) => line)).toEqual([2, 3]);
    expect(report.problems[0]?.problem).toEqual({ code: 'history', entries: 3 });
    const imported = { atMs: 1_800_000_000_000, action: 'imported', detail: null, activityToken: null };
    expect((await contents(catalogue, 'p')).map(([, history]) => history)).toEqual([
      [imported, good],
      [imported],
      [imported, good],
    ]);
    const outPath = join(folder.path, 'out.jsonl');
    expect(await catalogue.exportTo('p', 'jsonl', outPath)).toBe(3);
    expect(await catalogue.importFrom('other', outPath, 'import')).toMatchObject({
      added: 3,
      problemLines: 0,
    });
  });

  it('ignores where an object has moved if that is not an identifier', async () => {
    await using folder = await makeFolder();
    const { catalogue } = await folder.open();
    const path = join(folder.path, 'in.jsonl');
    const lines = [
      { cofferCatalogue: 1 },
      ...['new', '', '..', '\uD800', 7].map((movedTo, at) => ({
        identifier: String(at),
        state: 'gone',
        movedTo,
      })),
    ];
    await writeFile(path, lines.map((line) => JSON.stringify(line)).join('\n'));
    expect(await catalogue.importFrom('p', path, 'import')).toMatchObject({ added: 5, problemLines: 0 });
    const places = (await contents(catalogue, 'p')).map(([{ movedTo }]) => movedTo);
    expect(places).toEqual(['new', undefined, undefined, undefined, undefined]);
  });

  it('takes when an object was stored before it was moved, if that fits when it was stored', async () => {
    await using folder = await makeFolder();
    const { catalogue } = await folder.open();
    const path = join(folder.path, 'in.jsonl');
    const lines = [
      { cofferCatalogue: 1 },
      { identifier: 'moved', storedAtMs: 2000, firstStoredAtMs: 1000 },
      { identifier: 'too late', storedAtMs: 2000, firstStoredAtMs: 3000 },
      { identifier: 'never stored', firstStoredAtMs: 1000 },
      { identifier: 'no moment', storedAtMs: 2000, firstStoredAtMs: 'x' },
    ];
    await writeFile(path, lines.map((line) => JSON.stringify(line)).join('\n'));
    expect(await catalogue.importFrom('p', path, 'import')).toMatchObject({ added: 4, problemLines: 0 });
    const momentsOf = async (serviceId: string) =>
      Object.fromEntries(
        (await contents(catalogue, serviceId)).map(([{ identifier, firstStoredAtMs = null }]) => [
          identifier,
          firstStoredAtMs,
        ]),
      );
    const none = { 'too late': null, 'never stored': null, 'no moment': null };
    expect(await momentsOf('p')).toEqual({ moved: 1000, ...none });
    const outPath = join(folder.path, 'out.jsonl');
    await catalogue.exportTo('p', 'jsonl', outPath);
    await catalogue.setNaming('q', { separator: '/', versionMark: '@{number}' });
    await catalogue.add('q', [{ kind: 'data', identifier: 'no moment', patch: { state: 'stored' } }]);
    expect(await catalogue.importFrom('q', outPath, 'again')).toMatchObject({ added: 3 });
    expect(await momentsOf('q')).toEqual({ moved: 1000, ...none });
    // A row that is known has it only with the moment of storing that the list tells.
    await catalogue.add('other', [
      { kind: 'data', identifier: 'moved', patch: { state: 'stored', storedAtMs: 5000 } },
    ]);
    await catalogue.importFrom('other', outPath, 'third');
    expect(await momentsOf('other')).toEqual({ moved: null, ...none });
  });

  it('reports a length that is not in decimal digits as a problem of that line', async () => {
    await using folder = await makeFolder();
    const { catalogue } = await folder.open();
    const path = join(folder.path, 'in.csv');
    const cells = ['  ', '0x10', '-1', '1.5', 'Infinity', '9007199254740992', '0', '1e3', '16'];
    await writeFile(
      path,
      `identifier,lengthBytes\n${cells.map((cell, at) => `o${String(at)},"${cell}"`).join('\n')}`,
    );
    const report = await catalogue.importFrom('p', path, 'import');
    expect(report).toMatchObject({ added: 3, skipped: 6 });
    const problem = { code: 'field', field: 'lengthBytes' };
    expect(report.problems).toEqual([2, 3, 4, 5, 6, 7].map((line) => ({ line, problem })));
    expect((await contents(catalogue, 'p')).map(([{ lengthBytes }]) => lengthBytes)).toEqual([0, 1000, 16]);
  });
});

describe('bad lines', () => {
  it('reports those of JSON Lines by number and skips them', async () => {
    await using folder = await makeFolder();
    const { catalogue } = await folder.open();
    const path = join(folder.path, 'in.jsonl');
    await writeFile(
      path,
      [
        '{"cofferCatalogue":1}',
        '{"identifier":"good"}',
        '{"identifier":',
        '',
        '{"identifier":".."}',
        '{"identifier":"a","lengthBytes":-1}',
        '[]',
        '{"identifier":"also good"}',
      ].join('\n'),
    );
    const report = await catalogue.importFrom('p', path, 'import');
    expect(report).toMatchObject({ fileName: 'in.jsonl', added: 2, skipped: 4 });
    expect(report.problems.map(({ line }) => line)).toEqual([3, 5, 6, 7]);
    expect(report.problems[1]?.problem).toEqual({ code: 'field', field: 'identifier' });
  });

  it('reports those of CSV by number and skips them', async () => {
    await using folder = await makeFolder();
    const { catalogue } = await folder.open();
    const path = join(folder.path, 'in.csv');
    await writeFile(
      path,
      'note,identifier\r\n"two\nlines",good\r\nonly one\r\n,..\r\n"second, note",also good\r\n"never closed,x\r\n',
    );
    const report = await catalogue.importFrom('p', path, 'import');
    expect(report).toMatchObject({ added: 2, skipped: 3 });
    expect(report.problems.map(({ line }) => line)).toEqual([4, 5, 7]);
    expect((await contents(catalogue, 'p')).map(([{ note }]) => note)).toEqual([
      'two\nlines',
      'second, note',
    ]);
  });

  it.each([
    ['nothing', '', 'empty'],
    ['other JSON', '{"a":1}\n', 'notAList'],
    ['a newer format', '{"cofferCatalogue":2}\n', 'newer'],
    ['other text', 'some,other\n1,2\n', 'noIdentifiers'],
    ['binary', '\0\x01\x02\n', 'noIdentifiers'],
  ])('refuses a file of %s', async (_, content, problem) => {
    await using folder = await makeFolder();
    const { catalogue } = await folder.open();
    const path = join(folder.path, 'in.bin');
    await writeFile(path, content, 'latin1');
    await expect(catalogue.importFrom('p', path, 'import')).rejects.toMatchObject({
      error: { code: 'badImportFile', fileName: 'in.bin', problem },
    });
  });

  it.each([
    ['CSV', 'identifier,note\na,n\nb,caf\xe9\n', 3],
    ['JSON Lines', '{"cofferCatalogue":1}\n{"identifier":"a"}\n{"identifier":"\xe9"}\n', 3],
    ['a long CSV', `identifier,note\n${'a,n\n'.repeat(200_000)}b,\xe9`, 200_002],
  ])('nothing is imported from %s with bytes that are not UTF-8', async (_, content, line) => {
    await using folder = await makeFolder();
    const { catalogue } = await folder.open();
    const path = join(folder.path, 'list');
    await writeFile(path, content, 'latin1');
    await expect(catalogue.importFrom('p', path, 'import')).rejects.toMatchObject({
      error: { code: 'badImportFile', fileName: 'list', problem: 'notText', line, encoding: 'UTF-8' },
    });
    expect(await contents(catalogue, 'p')).toEqual([]);
  });

  it.each([
    ['cp1252', Buffer.from('identifier;note\na;\x80\xe9\n', 'latin1'), 'cp1252', '€é'],
    ['windows-1250', Buffer.from('identifier;note\na;\xe8\n', 'latin1'), 'windows-1250', 'č'],
    ['UTF-16LE with its mark', Buffer.from('\uFEFFidentifier\tnote\na\té\n', 'utf16le'), null, 'é'],
    ['UTF-16BE with its mark', Buffer.from('\uFEFFidentifier\tnote\na\té\n', 'utf16le').swap16(), null, 'é'],
    ['UTF-8 with its mark', Buffer.from('\uFEFFidentifier,note\na,é\n'), null, 'é'],
  ])('%s is decoded', async (_, content, encoding, note) => {
    await using folder = await makeFolder();
    const { catalogue } = await folder.open();
    const path = join(folder.path, 'list.csv');
    await writeFile(path, content);
    expect(await catalogue.importFrom('p', path, 'import', encoding)).toMatchObject({ added: 1 });
    expect((await contents(catalogue, 'p')).map(([fields]) => [fields.identifier, fields.note])).toEqual([
      ['a', note],
    ]);
  });

  it('refuses a missing file, and a missing folder to export to', async () => {
    await using folder = await makeFolder();
    const { catalogue } = await folder.open();
    const path = join(folder.path, 'none', 'file.csv');
    await expect(catalogue.importFrom('p', path, 'import')).rejects.toMatchObject({
      error: { code: 'badImportFile' },
    });
    await expect(catalogue.exportTo('p', 'csv', path)).rejects.toMatchObject({
      error: { code: 'folderGone', folderName: 'none' },
    });
  });
});

describe('large files', () => {
  it('reads them in batches that other connections see, and skips an endless line', async () => {
    await using folder = await makeFolder();
    const db = new DatabaseSync(join(folder.path, 'coffer.db'));
    db.exec('PRAGMA journal_mode = WAL');
    await createSchema(db);
    const others = new DatabaseSync(join(folder.path, 'coffer.db'), { readOnly: true });
    const seen: unknown[] = [];
    // On this thread, so that the import pauses while the other connection reads.
    const { catalogue } = createLocalStores(
      db,
      () => 1_800_000_000_000,
      () => seen.push(others.prepare('SELECT count(*) AS found FROM object').get()?.['found']),
    );
    const path = join(folder.path, 'in.jsonl');
    const file = createWriteStream(path);
    file.write('{"cofferCatalogue":1}\n');
    for (let n = 0; n < 3000; n += 1)
      file.write(`${JSON.stringify({ identifier: `f/${String(n)}`, note: 'é' })}\n`);
    for (let n = 0; n < 20; n += 1) file.write('x'.repeat(1024 * 1024));
    file.end('\n{"identifier":"last"}');
    await once(file, 'close');
    const report = await catalogue.importFrom('p', path, 'import');
    expect(report).toMatchObject({
      added: 3001,
      skipped: 1,
      problems: [{ line: 3002, problem: { code: 'tooLong' } }],
    });
    expect([seen[0], seen.at(-1)]).toEqual([200, 3001]);
    catalogue.close();
    others.close();
    db.close();
    expect((await readFile(path)).length).toBeGreaterThan(20 * 1024 * 1024);
  });
});

it('imported facts are claims, and facts seen here are not', async () => {
  await using folder = await makeFolder();
  const { catalogue } = await folder.open();
  const [seen, told] = ['ab'.repeat(32), 'cd'.repeat(32)];
  const parts = { count: 2, manifestBytes: 300, manifestSha256: told };
  await catalogue.add('s', [
    { kind: 'data', identifier: 'seen', patch: { lengthBytes: 9, sha256: seen } },
    { kind: 'data', identifier: 'checked', patch: { lengthBytes: 9 } },
    { kind: 'data', identifier: 'unknown', patch: {} },
  ]);
  const path = join(folder.path, 'in.jsonl');
  const lines = ['seen', 'checked', 'unknown', 'new'].map((identifier) =>
    JSON.stringify({ identifier, lengthBytes: 9, sha256: identifier === 'seen' ? seen : told, parts }),
  );
  await writeFile(path, ['{"cofferCatalogue":1}', ...lines, '{"identifier":"name"}', ''].join('\n'));
  for (const round of ['once', 'again']) await catalogue.importFrom('s', path, round);
  const rows = await catalogue.findByIdentifiers('s', 'data', ['seen', 'checked', 'unknown', 'new', 'name']);
  const wordsOf = (identifier: string) => unverifiedFacts(rows.get(identifier) ?? {});
  expect(rows.get('seen')).not.toHaveProperty('unverified');
  expect(rows.get('seen')).not.toHaveProperty('parts');
  expect(wordsOf('checked')).toEqual(['digest']);
  expect(wordsOf('unknown')).toEqual(['length', 'digest']);
  expect(wordsOf('new')).toEqual(['presence', 'length', 'digest']);
  expect(wordsOf('name')).toEqual(['presence']);
  // Own observations clear the claims one by one.
  const id = rows.get('new')?.id ?? 0;
  const look = async (patch: ObjectPatch) => {
    await catalogue.update([{ id, patch }]);
    return unverifiedFacts((await catalogue.getMany([id]))[0] ?? {});
  };
  expect(await look({ note: 'mine' })).toEqual(['presence', 'length', 'digest']);
  expect(await look({ checkedAtMs: 1 })).toEqual(['length', 'digest']);
  expect(await look({ lengthBytes: 9 })).toEqual(['digest']);
  expect(await look({ sha256: told })).toEqual([]);
  expect((await catalogue.getMany([id]))[0]).not.toHaveProperty('unverified');
});

it('the service’s default classification counts as known if the object was stored here', async () => {
  await using folder = await makeFolder();
  const { catalogue } = await folder.open();
  await catalogue.add('s', [
    { kind: 'data', identifier: 'stored here', patch: { state: 'stored', storedAtMs: 1 } },
    { kind: 'data', identifier: 'found', patch: { state: 'stored', checkedAtMs: 1 } },
  ]);
  const path = join(folder.path, 'in.jsonl');
  const lines = ['stored here', 'found'].map((identifier) =>
    JSON.stringify({ identifier, classification: 'Theirs' }),
  );
  await writeFile(path, ['{"cofferCatalogue":1}', ...lines, ''].join('\n'));
  await catalogue.importFrom('s', path, 'import');
  const rows = await catalogue.findByIdentifiers('s', 'data', ['stored here', 'found']);
  expect(rows.get('stored here')).toMatchObject({ classification: null });
  expect(rows.get('found')).toMatchObject({ classification: 'Theirs' });
});

it('does not take the time of a check by others for an own one', async () => {
  await using folder = await makeFolder();
  const { catalogue } = await folder.open();
  await catalogue.add('s', [
    { kind: 'secret', identifier: 'stored here', patch: { state: 'stored', storedAtMs: 1 } },
    { kind: 'secret', identifier: 'by its name', patch: { unverified: factBits.presence } },
  ]);
  const path = join(folder.path, 'in.jsonl');
  const lines = ['stored here', 'by its name'].map((identifier) =>
    JSON.stringify({ kind: 'secret', identifier, checkedAtMs: 5 }),
  );
  await writeFile(path, ['{"cofferCatalogue":1}', ...lines, ''].join('\n'));
  await catalogue.importFrom('s', path, 'import');
  const rows = await catalogue.findByIdentifiers('s', 'secret', ['stored here', 'by its name']);
  expect(rows.get('stored here')).toMatchObject({ checkedAtMs: null });
  expect(rows.get('by its name')).toMatchObject({ checkedAtMs: 5, unverified: factBits.presence });
});

it('an export marks what was not seen here, and an import ignores such marks', async () => {
  await using folder = await makeFolder();
  const { catalogue } = await folder.open();
  const [list, out] = [join(folder.path, 'in.jsonl'), join(folder.path, 'out')];
  await writeFile(list, '{"cofferCatalogue":1}\n{"identifier":"told","lengthBytes":9}\n');
  await catalogue.importFrom('s', list, 'import');
  await catalogue.add('s', [{ kind: 'data', identifier: 'seen', patch: { lengthBytes: 9 } }]);
  await catalogue.exportTo('s', 'jsonl', out);
  const exported = (await readFile(out, 'utf8')).trim().split('\n').slice(1);
  expect(exported.map((line) => (JSON.parse(line) as { unseen?: unknown }).unseen)).toEqual([
    ['presence', 'length'],
    undefined,
  ]);
  await catalogue.importFrom('other', out, 'import');
  await catalogue.exportTo('s', 'csv', out);
  await catalogue.importFrom('another', out, 'import');
  expect(
    (await readFile(out, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => line.split(',').at(-1)),
  ).toEqual(expect.arrayContaining(['"presence length"', '""']));
  for (const serviceId of ['other', 'another']) {
    const rows = await catalogue.findByIdentifiers(serviceId, 'data', ['told', 'seen']);
    expect([...rows.values()].map(unverifiedFacts)).toEqual([
      ['presence', 'length'],
      ['presence', 'length'],
    ]);
  }
});

it('an import keeps the counts of rows that it adds and then changes equal to the database', async () => {
  await using folder = await makeFolder();
  const { catalogue } = await folder.open();
  const path = join(folder.path, 'in.jsonl');
  const states = ['stored', 'missing', 'gone'];
  const lines = Array.from({ length: 1000 }, (_, n) => {
    const line = { identifier: `f/${String(n % 700)}`, state: states[n % 3] };
    // The second time, its length is known.
    return JSON.stringify(n < 700 && n % 2 === 0 ? line : { ...line, lengthBytes: n % 700 });
  });
  await writeFile(path, `{"cofferCatalogue":1}\n${lines.join('\n')}\n`);
  expect(await catalogue.importFrom('p', path, 'import')).toMatchObject({ added: 700, merged: 150 });
  await catalogue.add('p', [
    { kind: 'data', identifier: 'after', patch: { state: 'stored', lengthBytes: 5 } },
  ]);
  const db = new DatabaseSync(join(folder.path, 'coffer.db'), { readOnly: true });
  const counted = db
    .prepare('SELECT kind, state, objects, bytes FROM tally WHERE objects > 0 ORDER BY 1, 2')
    .all();
  const there = db.prepare(
    'SELECT kind, state, count(*) AS objects, total(length_bytes) AS bytes FROM object GROUP BY 1, 2 ORDER BY 1, 2',
  );
  expect(counted).toEqual(there.all());
  db.close();
});
