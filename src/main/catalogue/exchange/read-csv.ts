import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { parse, type CsvError, type Info } from 'csv-parse';
import { BadFile, csvVersionField, formatVersion, fromCell, type ReadLine } from './format.ts';

const recordCharactersMax = 1024 * 1024;

type Item = { info: Info; record: string[] };

/** The first record names the columns; their order does not matter, and of ours only `identifier` must be there. */
export async function* readCsv(path: string): AsyncGenerator<ReadLine> {
  const skipped: ReadLine[] = [];
  const parser = pipeline(
    createReadStream(path),
    parse({
      bom: true,
      info: true,
      relax_column_count: true,
      // A stray quote is taken as it stands: refusing it would swallow the lines that follow.
      relax_quotes: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      max_record_size: recordCharactersMax,
      skip_empty_lines: true,
      skip_records_with_error: true,
      on_skip: (error: CsvError | undefined) => {
        skipped.push({ line: Number(error?.['lines'] ?? 0), problem: 'The line is not CSV.' });
        return undefined;
      },
    }),
    // An error of either is thrown where the records are read.
    () => undefined,
  );
  let columns: string[] | null = null;
  for await (const { info, record } of parser as AsyncIterable<Item>) {
    if (columns === null) {
      columns = record;
      if (!columns.includes('identifier'))
        throw new BadFile('The first line does not name a column "identifier".');
      continue;
    }
    yield* skipped.splice(0);
    yield readRecord(info.lines, columns, record);
  }
  yield* skipped;
  if (columns === null) throw new BadFile('The file is not CSV.');
}

function readRecord(line: number, columns: readonly string[], record: readonly string[]): ReadLine {
  if (record.length !== columns.length) return { line, problem: 'The line has another number of columns.' };
  const value: Record<string, string | number> = {};
  for (const [index, column] of columns.entries()) {
    const cell = fromCell(column, record[index] ?? '');
    if (cell !== undefined) value[column] = cell;
  }
  const version = value[csvVersionField];
  if (version !== undefined && version !== String(formatVersion)) {
    return { line, problem: 'It was written by a newer Coffer.' };
  }
  return { line, value };
}
