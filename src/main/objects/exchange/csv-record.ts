import type { CsvSeparator } from '../../../shared/contract.ts';

/**
 * A CSV record (RFC 4180), read line by line. A quote inside a cell that does not begin with one is kept literally.
 * Parsers such as csv-parse stop, or swallow the rest of the file, at a quote that is never closed; here only its own
 * line is lost, and reported.
 */
export class CsvRecord {
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
