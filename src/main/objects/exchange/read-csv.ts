import type { CsvSeparator, ImportProblem } from '../../../shared/contract.ts';
import { csvSeparators } from '../../../shared/contract/object-shapes.ts';
import { BadFile, csvVersionField, formatVersion, fromCell, type ReadLine } from './format.ts';
import { lineCharactersMax, type Reading, splitLines, type TextLine } from './split-lines.ts';

/**
 * A CSV record (RFC 4180), read line by line. A quote inside a cell that does not begin with one is kept literally.
 * Parsers such as csv-parse stop, or swallow the rest of the file, at a quote that is never closed; here only its own
 * line is lost, and reported.
 */
class CsvRecord {
  readonly cells: string[] = [];
  readonly #separator: CsvSeparator;
  /** Number of lines read so far. */
  lines = 0;
  /** The line (from 1) of the last opening quote. */
  openedIn = 1;
  characters = 0;
  /** The text of the cell whose quote is open. */
  #open: string | null = null;

  constructor(separator: CsvSeparator) {
    this.#separator = separator;
  }

  /**
   * whole: the record ends with this line; open: a cell continues on the next line; broken: a closing quote is
   * followed by text, or a misplaced quote was taken for one.
   */
  read(text: string, end: string): 'whole' | 'open' | 'broken' {
    this.lines += 1;
    this.characters += text.length + end.length;
    let at = 0;
    for (;;) {
      if (this.#open === null && text[at] === '"') {
        this.#open = '';
        this.openedIn = this.lines;
        at += 1;
      }
      if (this.#open === null) {
        const cellEnd = text.indexOf(this.#separator, at);
        this.cells.push(cellEnd < 0 ? text.slice(at) : text.slice(at, cellEnd));
        if (cellEnd < 0) return 'whole';
        at = cellEnd + 1;
        continue;
      }
      const quote = text.indexOf('"', at);
      this.#open += quote < 0 ? text.slice(at) + end : text.slice(at, quote);
      if (quote < 0) return 'open';
      at = quote + 1;
      if (text[at] === '"') {
        this.#open += '"';
        at += 1;
        continue;
      }
      if (at < text.length && text[at] !== this.#separator) return 'broken';
      this.cells.push(this.#open);
      this.#open = null;
      if (at === text.length) return 'whole';
      at += 1;
    }
  }
}

/** Unreadable lines after a quote, reported as one gap once it is known where reading resumes. */
interface Gap {
  readonly line: number;
  lines: number;
}

/**
 * The first record names the columns in any order; only `identifier` is required. It also shows what separates them. After a quote that is never closed,
 * reading resumes at the next line with the right number of columns.
 */
export async function* readCsv(
  path: string,
  reading: Reading,
  onHeader: (separator: CsvSeparator) => void = () => undefined,
): AsyncGenerator<ReadLine> {
  const lines = splitLines(path, reading);
  try {
    const source = new RereadLines(lines);
    const separator = await findSeparator(source);
    const columns = await readHeader(source, separator);
    onHeader(separator);
    yield* readLines(source, columns, separator);
  } finally {
    await lines.return(undefined);
  }
}

/** The separator with which the first line names the column of identifiers. */
async function findSeparator(source: RereadLines): Promise<CsvSeparator> {
  const skipped: TextLine[] = [];
  let first = await source.next();
  while (first?.text === '') {
    skipped.push(first);
    first = await source.next();
  }
  if (first === null) return ',';
  source.giveBack([...skipped, first]);
  const { text, end } = first;
  const names = (separator: CsvSeparator) => {
    const record = new CsvRecord(separator);
    record.read(text ?? '', end);
    return record.cells.includes('identifier');
  };
  return csvSeparators.find(names) ?? ',';
}

async function* readLines(
  source: RereadLines,
  columns: readonly string[],
  separator: CsvSeparator,
): AsyncGenerator<ReadLine> {
  let gap: Gap | null = null;
  for (;;) {
    const line = source.line;
    const found = await readRecord(source, separator, columns.length);
    if (gap !== null && (found === 'empty' || found === 'otherColumns')) {
      gap.lines += 1;
      continue;
    }
    if (gap !== null) yield { line: gap.line, problem: toProblem(gap) };
    gap = null;
    if (found === null) return;
    if (found === 'tooLong') yield { line, problem: { code: 'tooLong' } };
    else if (found === 'otherColumns') yield { line, problem: { code: 'otherColumns' } };
    else if (found !== 'empty' && 'openedIn' in found) gap = { line: line + found.openedIn - 1, lines: 1 };
    else if (found !== 'empty') yield toLine(line, columns, found.cells);
  }
}

async function readHeader(source: RereadLines, separator: CsvSeparator): Promise<readonly string[]> {
  let found = await readRecord(source, separator, null);
  while (found === 'empty') found = await readRecord(source, separator, null);
  if (found === null || typeof found === 'string' || 'openedIn' in found) {
    throw new BadFile('notCsv');
  }
  if (!found.cells.includes('identifier')) {
    throw new BadFile('noIdentifiers');
  }
  return found.cells;
}

/**
 * The next record; null: end of file. If its quotes are wrong, only the lines up to the open quote are consumed,
 * because the rest may be valid.
 * @param columns number of cells that a record of several lines must have; null: any
 */
async function readRecord(
  source: RereadLines,
  separator: CsvSeparator,
  columns: number | null,
): Promise<{ cells: string[] } | { openedIn: number } | 'empty' | 'otherColumns' | 'tooLong' | null> {
  const first = await source.next();
  if (first === null) return null;
  if (first.text === null) return 'tooLong';
  if (first.text === '') return 'empty';
  const record = new CsvRecord(separator);
  const taken = [first];
  let read = record.read(first.text, first.end);
  while (read === 'open' && record.characters <= lineCharactersMax) {
    if (columns !== null && record.cells.length >= columns) break;
    const next = await source.next();
    if (next === null) break;
    taken.push(next);
    if (next.text === null) break;
    read = record.read(next.text, next.end);
  }
  const hasColumns = columns === null || record.cells.length === columns;
  if (read === 'whole' && hasColumns) return { cells: record.cells };
  if (read === 'whole' && record.lines === 1) return 'otherColumns';
  source.giveBack(taken.slice(record.openedIn));
  return { openedIn: record.openedIn };
}

function toProblem({ line, lines }: Gap): ImportProblem {
  return { code: 'openQuote', firstLine: line, lastLine: lines === 1 ? null : line + lines - 1 };
}

function toLine(line: number, columns: readonly string[], cells: readonly string[]): ReadLine {
  const value: Record<string, string | number> = {};
  for (const [index, column] of columns.entries()) {
    const cell = fromCell(column, cells[index] ?? '');
    if (cell !== undefined) value[column] = cell;
  }
  const version = value[csvVersionField];
  if (version !== undefined && version !== String(formatVersion)) {
    return { line, problem: { code: 'newer' } };
  }
  return { line, value };
}

/** Lines that can be pushed back and read again. */
class RereadLines {
  /** Number of the next line. */
  line = 1;
  readonly #lines: AsyncGenerator<TextLine[]>;
  /** Read ahead or pushed back, in reverse order. */
  #next: TextLine[] = [];

  constructor(lines: AsyncGenerator<TextLine[]>) {
    this.#lines = lines;
  }

  async next(): Promise<TextLine | null> {
    while (this.#next.length === 0) {
      const read = await this.#lines.next();
      if (read.done === true) return null;
      this.#next = read.value.reverse();
    }
    this.line += 1;
    return this.#next.pop() ?? null;
  }

  giveBack(lines: readonly TextLine[]): void {
    for (const line of lines.toReversed()) this.#next.push(line);
    this.line -= lines.length;
  }
}
