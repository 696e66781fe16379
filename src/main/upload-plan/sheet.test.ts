import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FoundFile } from './read-files.ts';
import { createSheet, type SheetOptions } from './sheet.ts';

const options: SheetOptions = {
  intoFolder: '',
  separator: '/',
  template: '{path}',
  date: '2026-11-20',
  exactLimitBytes: null,
  allowsParts: false,
  batchSize: 2,
};

function fileOf(fileName: string, below = '', changes: Partial<FoundFile> = {}): FoundFile {
  return {
    place: { absolute: `/x/${below}`, below },
    fileName,
    sizeBytes: 10,
    mtimeMs: 1,
    trouble: null,
    ...changes,
  };
}

function open(files: FoundFile[], changes: Partial<SheetOptions> = {}) {
  const sheet = createSheet({ ...options, ...changes });
  sheet.add(files);
  /** In the order they were found. */
  const entries = () => sheet.page(0, 500).entries.toSorted((one, other) => one.id - other.id);
  return { sheet, entries, identifiers: () => entries().map((entry) => entry.identifier) };
}

describe('identifiers', () => {
  it('come from the template, the folder dropped on, and the separator', () => {
    const { identifiers } = open([fileOf('a.txt', 'in/side'), fileOf('b.txt')], {
      intoFolder: 'site:04',
      separator: ':',
    });
    expect(identifiers()).toEqual(['site:04:in:side:a.txt', 'site:04:b.txt']);
  });

  it('can be edited, survive a new template, and be given back', async () => {
    const { sheet, identifiers, entries } = open([fileOf('a.txt'), fileOf('b.txt')]);
    expect(sheet.setIdentifier(1, 'mine')).toBe(true);
    await sheet.setTemplate('{stem}', false);
    expect(identifiers()).toEqual(['mine', 'b']);
    expect(entries().map((entry) => entry.edited)).toEqual([true, false]);
    await sheet.setTemplate('{stem}-{date}', true);
    expect(identifiers()).toEqual(['a-2026-11-20', 'b-2026-11-20']);
    expect(sheet.setIdentifier(3, 'x')).toBe(false);
  });

  it('move to another folder, also those entered there, but not those entered elsewhere', async () => {
    const { sheet, identifiers } = open([fileOf('a', 'in'), fileOf('b'), fileOf('c')], { intoFolder: 'old' });
    sheet.setIdentifier(2, 'old/mine');
    sheet.setIdentifier(3, 'older/c');
    await sheet.setFolder('new/deep');
    expect(identifiers()).toEqual(['new/deep/in/a', 'new/deep/mine', 'older/c']);
    await sheet.setFolder('');
    expect(identifiers()).toEqual(['in/a', 'mine', 'older/c']);
    expect(sheet.folder()).toBe('');
  });

  it('made from digests are not ready until the files are read, but no problem', async () => {
    const { sheet, entries } = open([fileOf('a.txt'), fileOf('b.txt')], { template: '{hash8}' });
    expect(sheet.counts()).toMatchObject({ ready: 0, problems: 0 });
    const outcomes = [{ hash8: '0123abcd' }, { trouble: 'gone' as const }];
    for (const entry of sheet.unnamed()) sheet.setHash(entry, outcomes.shift() ?? { trouble: 'special' });
    expect(sheet.unnamed().size).toBe(0);
    expect(entries()).toMatchObject([
      { identifier: '0123abcd', problem: null },
      { problem: { code: 'gone' } },
    ]);
  });
});

describe('naming in batches', () => {
  const seven = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

  it('resets identifiers entered before, and keeps those entered meanwhile', async () => {
    const { sheet, identifiers } = open(seven.map((fileName) => fileOf(fileName)));
    sheet.setIdentifier(6, 'before');
    sheet.setIdentifier(7, 'before too');
    const naming = sheet.setTemplate('new-{name}', true);
    sheet.setIdentifier(7, 'meanwhile');
    await naming;
    expect(identifiers()).toEqual(['new-a', 'new-b', 'new-c', 'new-d', 'new-e', 'new-f', 'meanwhile']);
  });

  it('resets identifiers although another template takes over', async () => {
    const { sheet, identifiers } = open(seven.map((fileName) => fileOf(fileName)));
    sheet.setIdentifier(7, 'before');
    await Promise.all([sheet.setTemplate('x-{name}', true), sheet.setTemplate('y-{name}', false)]);
    expect(identifiers()).toEqual(seven.map((name) => `y-${name}`));
  });
});

it('moves every identifier to the last folder, although another took over on the way', async () => {
  const { sheet, identifiers } = open(['a', 'b', 'c', 'd', 'e'].map((fileName) => fileOf(fileName)));
  for (const id of [1, 5]) sheet.setIdentifier(id, `mine-${id}`);
  await Promise.all([sheet.setFolder('one'), sheet.setFolder('two')]);
  expect(identifiers()).toEqual(['two/mine-1', 'two/b', 'two/c', 'two/d', 'two/mine-5']);
});

it('tells two files of the same name apart by the folders that they are in', () => {
  const q1 = { absolute: '/home/p/q1', below: '' };
  const { entries } = open([
    fileOf('r', '', { place: q1 }),
    fileOf('r', '', { place: { ...q1, absolute: '/q2' } }),
  ]);
  expect(entries()[1]?.problem).toMatchObject({ name: 'q2/r', asName: 'q1/r' });
});

it('keeps the identifiers of enqueued files', async () => {
  const { sheet, entries } = open([fileOf('a', 'one'), fileOf('a', 'two'), fileOf('b')], {
    template: '{name}',
  });
  sheet.handOver(sheet.readyEntries().slice(0, 1));
  const taken = { code: 'sameIdentifier', name: 'two/a', asName: 'one/a', remedy: 'a-2' };
  expect(entries().map(({ id, problem }) => [id, problem])).toEqual([
    [2, taken],
    [3, null],
  ]);
  await sheet.setTemplate('{path}', false);
  expect(sheet.counts()).toMatchObject({ total: 2, ready: 2, problems: 0 });
  await sheet.setTemplate('{name}', false);
  expect(entries()[0]?.problem).toEqual(taken);
});

describe('problems', () => {
  it('of two entries with the same identifier, the second has a problem, and a free identifier is suggested', () => {
    const { sheet, entries } = open([fileOf('report.docx', 'in'), fileOf('report.docx', 'plans')], {
      template: '{name}',
    });
    const names = { name: 'plans/report.docx', asName: 'in/report.docx' };
    const remedied = { code: 'sameIdentifier', ...names, remedy: 'report-2.docx' };
    expect(entries().map((entry) => entry.problem)).toEqual([null, remedied]);
    sheet.setIdentifier(1, 'report-2.docx');
    expect(entries().map((entry) => entry.problem)).toEqual([null, null]);
    sheet.setIdentifier(1, null);
    expect(entries().map((entry) => entry.problem)).toEqual([
      { ...remedied, name: names.asName, asName: names.name },
      null,
    ]);
    sheet.remove([2]);
    expect(entries().map((entry) => entry.problem)).toEqual([null]);
  });

  it('covers size, kind and identifier', () => {
    const { sheet, entries } = open([
      fileOf('large', '', { sizeBytes: 52_428_801 }),
      fileOf('edge', '', { sizeBytes: 52_428_800 }),
      fileOf('link', '', { trouble: 'symbolicLink' }),
      fileOf('same'),
      fileOf('empty', '', { sizeBytes: 0 }),
    ]);
    sheet.setIdentifier(4, '..');
    expect(entries().map(({ fileName, problem }) => [fileName, problem])).toEqual([
      ['large', { code: 'tooLarge', limitBytes: 52_428_800 }],
      ['edge', null],
      ['link', { code: 'symbolicLink' }],
      ['same', { code: 'badIdentifier', problem: 'dotSegment' }],
      ['empty', null],
    ]);
    expect(sheet.counts()).toEqual({
      total: 5,
      totalBytes: 104_857_621,
      ready: 2,
      readyBytes: 52_428_800,
      problems: 3,
      duplicates: 0,
      mayBeRefused: 1,
      changed: 0,
      first: 3,
    });
    // An entry that the person made invalid keeps its position.
    const names = (offset: number) => sheet.page(offset, 4).entries.map((entry) => entry.fileName);
    expect(names(0)).toEqual(['large', 'edge', 'link', 'same']);
    expect(sheet.page(4, 4)).toMatchObject({ total: 5, entries: [{ fileName: 'empty' }], notedBelow: [3] });
    sheet.remove('problems');
    expect(sheet.counts()).toMatchObject({ total: 2, problems: 0, ready: 2 });
  });

  it('uses the exact limit of a service', () => {
    const { entries } = open([fileOf('a', '', { sizeBytes: 100 }), fileOf('b', '', { sizeBytes: 101 })], {
      exactLimitBytes: 100,
    });
    expect(entries().map((entry) => entry.problem)).toEqual([null, { code: 'tooLarge', limitBytes: 100 }]);
  });
});

type Step =
  | { do: 'add'; name: string; large: boolean }
  | { do: 'set'; id: number; identifier: string | null }
  | { do: 'remove'; ids: number[] }
  | { do: 'removeProblems' }
  | { do: 'template'; template: string; reset: boolean };

const id = fc.integer({ min: 1, max: 12 });
const name = fc.constantFrom('a', 'b', 'c', '..', '', 'a-2');
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('add' as const), name, large: fc.boolean() }),
  fc.record({ do: fc.constant('set' as const), id, identifier: fc.option(name) }),
  fc.record({ do: fc.constant('remove' as const), ids: fc.array(id, { maxLength: 3 }) }),
  fc.record({ do: fc.constant('removeProblems' as const) }),
  fc.record({
    do: fc.constant('template' as const),
    template: fc.constantFrom('{name}', 'same', '{name}-2'),
    reset: fc.boolean(),
  }),
);

it('keeps the position of an entry edited by hand until the next template', async () => {
  const { sheet } = open([fileOf('a', 'in'), fileOf('a', 'out'), fileOf('b'), fileOf('c')], {
    template: '{name}',
  });
  const shown = () =>
    sheet.page(0, 9).entries.map(({ id, problem }) => (problem === null ? String(id) : `${id}!`));
  const places = () => [sheet.counts().first, ...sheet.page(0, 9).notedBelow];
  expect([shown(), places()]).toEqual([['2!', '1', '3', '4'], [1]]);
  sheet.setIdentifier(2, 'free');
  expect([shown(), places()]).toEqual([['2', '1', '3', '4'], [1]]);
  sheet.setIdentifier(4, 'b');
  expect([shown(), places()]).toEqual([
    ['2', '1', '3', '4!'],
    [1, 3],
  ]);
  sheet.remove([3]);
  expect([shown(), places()]).toEqual([['2', '1', '4'], [1]]);
  sheet.setIdentifier(4, 'a');
  sheet.numberDuplicates();
  expect(shown()).toEqual(['2', '1', '4']);
  sheet.setIdentifier(4, '..');
  await sheet.setTemplate('{name}', false);
  expect([shown(), places()]).toEqual([['4!', '1', '2'], [1]]);
});

it('numbers all duplicates at once, past what is taken', () => {
  const { sheet } = open(
    Array.from({ length: 10_000 }, () => fileOf('a.txt')),
    { template: '{name}' },
  );
  sheet.setIdentifier(10_000, 'a-3.txt');
  sheet.setIdentifier(9999, '..');
  expect(sheet.counts()).toMatchObject({ problems: 9998, duplicates: 9997 });
  sheet.numberDuplicates();
  expect(sheet.counts()).toMatchObject({ problems: 1, duplicates: 0, ready: 9999 });
  const names = new Set(sheet.page(0, 10_000).entries.map(({ identifier }) => identifier));
  expect(names).toContain('a-2.txt');
  expect(names).toContain('a-4.txt');
  expect(names.size).toBe(10_000);
});

it('incremental counts equal a full count', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const { sheet } = open([], { template: '{name}' });
      for (const each of steps) {
        if (each.do === 'add') sheet.add([fileOf(each.name, '', { sizeBytes: each.large ? 60_000_000 : 7 })]);
        if (each.do === 'set') sheet.setIdentifier(each.id, each.identifier);
        if (each.do === 'remove') sheet.remove(each.ids);
        if (each.do === 'removeProblems') sheet.remove('problems');
        if (each.do === 'template') await sheet.setTemplate(each.template, each.reset);
        const all = sheet.page(0, 1000).entries;
        const ready = all.filter((entry) => entry.problem === null);
        const sizeOf = (some: typeof all) => some.reduce((sum, entry) => sum + entry.sizeBytes, 0);
        expect(sheet.counts()).toEqual({
          total: all.length,
          totalBytes: sizeOf(all),
          ready: ready.length,
          readyBytes: sizeOf(ready),
          problems: all.length - ready.length,
          duplicates: all.filter(({ problem }) => problem?.code === 'sameIdentifier').length,
          mayBeRefused: 0,
          changed: 0,
          first: expect.any(Number),
        });
        const { first } = sheet.counts();
        const noted = all.flatMap(({ problem }, index) => (problem === null ? [] : [index]));
        expect(sheet.page(0, 1).notedBelow).toEqual(noted.filter((index) => index >= first));
        const going = ready.map((entry) => entry.identifier);
        expect(new Set(going).size).toBe(going.length);
        expect(sheet.readyEntries().map((entry) => entry.identifier)).toEqual(going);
        for (const { identifier, problem } of all) {
          if (problem?.code !== 'sameIdentifier') continue;
          expect(going).toContain(identifier);
          expect(going).not.toContain(problem.remedy);
        }
      }
    }),
  );
});
