import type { OutputStream } from './io.ts';

/** Writes results to standard output, everything else to standard error. */
export interface Output {
  /** Results are JSON, one object per line, instead of text. */
  readonly isJson: boolean;
  /** Prints only results and errors. */
  readonly isQuiet: boolean;
  /** Standard error is a terminal and the progress bar is enabled. */
  readonly showsProgress: boolean;
  /** Width of the terminal that shows results; null: not a terminal. */
  readonly columns: number | null;
  /** Standard output failed, usually because its reader closed it: further results are pointless. */
  readonly isClosed: () => boolean;
  /** Writes a result: `words`, or `value` with `--json`. */
  readonly result: (words: string, value: object) => void;
  /** Writes a result with `--json` only, where the text goes to standard error. */
  readonly value: (value: object) => void;
  /** A notice on standard error; dropped by `--quiet`. */
  readonly say: (words: string) => void;
  readonly error: (words: string) => void;
  /** Replaces the line of progress; null removes it. @param fraction 0 to 1 */
  readonly progress: (words: string | null, fraction?: number) => void;
  /** Resolves when everything has been flushed to standard output. */
  readonly flushed: () => Promise<void>;
}

/** Bidi isolates, which the window needs around names, and terminals show as boxes. */
const marks = /[\u2066-\u2069]/g;
/** Characters that JSON allows in strings and terminals interpret. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
/** Control characters in names must not move the cursor or change colours. */
// oxlint-disable-next-line no-control-regex
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Makes text safe for a terminal. */
export function plain(words: string): string {
  return words.replaceAll(marks, '').replaceAll(controls, '\ufffd');
}

const barWidth = 20;
/** Terminal width when it is unknown. */
export const usualColumns = 80;

function barOf(fraction: number): string {
  const full = Math.round(Math.min(Math.max(fraction, 0), 1) * barWidth);
  return `[${'#'.repeat(full)}${'-'.repeat(barWidth - full)}] `;
}

export function createOutput(options: {
  json: boolean;
  quiet: boolean;
  progress: boolean;
  stdout: OutputStream;
  stderr: OutputStream;
}): Output {
  const { json, quiet, stdout, stderr } = options;
  const showsProgress = options.progress && !quiet && stderr.isTTY === true;
  let shown = '';
  let gathered = '';
  let isClosed = false;

  stdout.on('error', () => (isClosed = true));

  function clear(): void {
    if (shown !== '') stderr.write('\r\u001b[K');
    shown = '';
  }

  /** Writes the lines gathered by `line`: many share one write. */
  function flush(): void {
    if (gathered === '') return;
    const text = gathered;
    gathered = '';
    clear();
    if (!isClosed) stdout.write(text);
  }

  function line(text: string): void {
    if (gathered === '') queueMicrotask(flush);
    gathered += `${text}\n`;
    if (gathered.length > 65_536) flush();
  }

  function value(of: object): void {
    if (json) line(JSON.stringify(of).replaceAll(unseen, escaped));
  }

  function error(words: string): void {
    clear();
    // Both streams may be the same terminal: keep the order.
    flush();
    stderr.write(`${plain(words)}\n`);
  }

  return {
    isJson: json,
    isQuiet: quiet,
    showsProgress,
    columns: (stdout.isTTY && stdout.columns) || null,
    isClosed: () => isClosed,
    result(words, of) {
      if (json) value(of);
      else line(plain(words));
    },
    value,
    say(words) {
      if (!quiet) error(words);
    },
    error,
    progress(words, fraction) {
      if (!showsProgress) return;
      flush();
      clear();
      if (words === null) return;
      const text = plain(fraction === undefined ? words : barOf(fraction) + words);
      shown = text.slice(0, (stderr.columns || usualColumns) - 1);
      stderr.write(shown);
    },
    flushed() {
      flush();
      if (isClosed) return Promise.resolve();
      return new Promise((resolve) => stdout.write('', () => resolve()));
    },
  };
}

/** JSON escapes of its UTF-16 code units. */
function escaped(mark: string): string {
  return mark
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
