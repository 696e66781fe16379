/**
 * A record of CSV (RFC 4180) as it is read line by line. A quote within a cell that does not begin with one is taken
 * as it stands.
 */
export class CsvRecord {
  readonly cells: string[] = [];
  /** How many lines belong to it so far. */
  lines = 0;
  /** Of these, which one has the last quote that was open at its end; 1 is the first. */
  openedIn = 1;
  characters = 0;
  /** The cell whose quote is open. */
  #open: string | null = null;

  /**
   * whole: the record ends with this line; open: a cell goes on in the next one; broken: something follows a closing
   * quote, or one in the wrong place has been taken for it.
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
        const comma = text.indexOf(',', at);
        this.cells.push(comma < 0 ? text.slice(at) : text.slice(at, comma));
        if (comma < 0) return 'whole';
        at = comma + 1;
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
      if (at < text.length && text[at] !== ',') return 'broken';
      this.cells.push(this.#open);
      this.#open = null;
      if (at === text.length) return 'whole';
      at += 1;
    }
  }
}
