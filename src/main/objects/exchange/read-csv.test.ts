import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ReadLine } from './format.ts';
import { readCsv } from './read-csv.ts';

async function read(content: string): Promise<ReadLine[]> {
  const folder = await mkdtemp(join(tmpdir(), 'coffer-csv-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'in.csv');
  await writeFile(path, content);
  const lines: ReadLine[] = [];
  for await (const line of readCsv(path, { encoding: 'utf-8' })) lines.push(line);
  return lines;
}

const identifiers = (lines: readonly ReadLine[]) =>
  lines.flatMap((line) => ('value' in line ? [(line.value as { identifier?: unknown }).identifier] : []));
const problems = (lines: readonly ReadLine[]) => lines.filter((line) => 'problem' in line);
const notClosed = (line: number) => ({
  line,
  problem: { code: 'openQuote', firstLine: line, lastLine: null },
});

describe('a quote that is never closed', () => {
  it('loses one line of 2,000, and reports it', async () => {
    const rows = Array.from({ length: 2000 }, (_, n) => `id${String(n)},note`);
    rows[3] = 'id3,"note';
    const lines = await read(`identifier,note\r\n${rows.join('\r\n')}\r\n`);
    expect(problems(lines)).toEqual([notClosed(5)]);
    expect(identifiers(lines)).toEqual(rows.map((_, n) => `id${String(n)}`).toSpliced(3, 1));
  });

  it('loses one line where all cells are quoted', async () => {
    const rows = Array.from({ length: 20 }, (_, n) => `"id${String(n)}","note ""${String(n)}""",""`);
    for (const at of [4, 5, 12]) rows[at] = `"id${String(at)}","note,""`;
    const lines = await read(`identifier,note,sourceName\n${rows.join('\n')}`);
    expect(problems(lines)).toEqual([6, 7, 14].map(notClosed));
    expect(identifiers(lines)).toHaveLength(17);
  });

  it('reports it with the line where it opens, after a multi-line cell', async () => {
    const lines = await read('identifier,note,sourceName\na,"1\n2\n3","open\nb,n,s\n');
    expect(problems(lines)).toEqual([notClosed(4)]);
    expect(identifiers(lines)).toEqual(['b']);
  });

  it('also loses the lines that could belong to its cell', async () => {
    const lines = await read('identifier,note\na,"open\ntext\n\nmore text\nb,n\nonly one\nc,n\n');
    expect(problems(lines)).toEqual([
      { line: 2, problem: { code: 'openQuote', firstLine: 2, lastLine: 5 } },
      { line: 7, problem: { code: 'otherColumns' } },
    ]);
    expect(identifiers(lines)).toEqual(['b', 'c']);
  });

  it('in the last line, or in every line, is found', async () => {
    expect(problems(await read('identifier,note\na,n\nb,"'))).toEqual([notClosed(3)]);
    const rows = Array.from({ length: 20_000 }, (_, n) => (n % 2 === 0 ? 'a,"' : 'x",",z'));
    expect(identifiers(await read(`identifier,note\n${rows.join('\n')}`))).toEqual([]);
  });

  it('in the first line: the file is not CSV', async () => {
    await expect(read('identifier,"note\na,b\n')).rejects.toThrow('notCsv');
  });
});

describe('separators', () => {
  it.each([
    [
      'identifier;note;lengthBytes\r\na;"one;\r\ntwo, three";3\r\n',
      { note: 'one;\r\ntwo, three', lengthBytes: 3 },
    ],
    ['note\tidentifier\tlengthBytes\nn, m;o\ta\t3\n', { note: 'n, m;o', lengthBytes: 3 }],
    ['"note","identifier","x;y"\n;,a,3\n', { note: ';', 'x;y': '3' }],
    ['\n\nidentifier\na\n', {}],
  ])('%j', async (content, value) => {
    expect((await read(content)).map((line) => 'value' in line && line.value)).toEqual([
      { identifier: 'a', ...value },
    ]);
  });

  it('reports a record of other columns', async () => {
    const lines = await read('identifier;note\na,n\nb;n\n');
    expect(problems(lines)).toEqual([{ line: 2, problem: { code: 'otherColumns' } }]);
    expect(identifiers(lines)).toEqual(['b']);
  });
});

describe('good records', () => {
  it('reads them as written, with their line numbers and any line endings', async () => {
    const cell = fc
      .oneof(
        fc.constantFrom('', 'a', '"', 'a"b', 'two\nlines', 'two\r\nlines', '\r', ',', ' ', '\uFEFF'),
        fc.string({ unit: 'grapheme' }),
      )
      // An apostrophe guards what follows it (`format.ts`).
      .filter((text) => !text.startsWith("'"));
    const rows = fc.array(fc.tuple(cell, cell, cell), { maxLength: 10 });
    const header = ['x1', 'identifier', 'x2'];
    await fc.assert(
      fc.asyncProperty(rows, fc.constantFrom('\n', '\r\n', '\r'), async (written, end) => {
        const text = stringify([header, ...written], { quoted: true, record_delimiter: end });
        let line = 2;
        const wanted = written.map((cells) => {
          const known = header.flatMap((name, at) => (cells[at] === '' ? [] : [[name, cells[at]]]));
          const each = { line, value: Object.fromEntries(known) as unknown };
          line += 1 + cells.reduce((ends, given) => ends + given.split(/\r\n|\n|\r/).length - 1, 0);
          return each;
        });
        expect(await read(text)).toEqual(wanted);
      }),
      { numRuns: 60 },
    );
  });
});
