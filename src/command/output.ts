import type { OutputStream } from './io.ts';

/** Where a command writes: results to standard output, everything else to standard error. */
export interface Output {
  /** One JSON object a line instead of words. */
  readonly isJson: boolean;
  /** Nothing but results and errors. */
  readonly isQuiet: boolean;
  /** Standard error is a terminal, and a bar is wanted. */
  readonly showsProgress: boolean;
  /** Whoever read the results has gone: there is no need for more. */
  readonly isClosed: () => boolean;
  /** A result: a line of words, or the object that stands for it. */
  readonly result: (words: string, value: object) => void;
  /** A result that words say elsewhere: with JSON alone. */
  readonly value: (value: object) => void;
  /** Said to a person who watches. */
  readonly say: (words: string) => void;
  readonly error: (words: string) => void;
  /** Replaces the line of progress; null removes it. @param fraction 0 to 1 */
  readonly progress: (words: string | null, fraction?: number) => void;
  /** Resolves when everything was taken by who reads it. */
  readonly flushed: () => Promise<void>;
}

/** The marks around a name that may be written from the right are for a window; terminals show them as boxes. */
const marks = /[\u2066-\u2069]/g;
/** A name that would move the cursor or change colours is shown, not obeyed. */
// oxlint-disable-next-line no-control-regex
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** As it may stand on a terminal. */
export function plain(words: string): string {
  return words.replaceAll(marks, '').replaceAll(controls, '\ufffd');
}

const barWidth = 20;
/** Where nobody says how wide it is. */
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

  stdout.on('error', (cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'EPIPE') throw cause;
    isClosed = true;
  });

  function clear(): void {
    if (shown !== '') stderr.write('\r\u001b[K');
    shown = '';
  }

  /** A hundred thousand lines are not a hundred thousand writes. */
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
    if (json) line(JSON.stringify(of).replaceAll(marks, escaped));
  }

  function error(words: string): void {
    clear();
    // On a terminal both are one, in the order in which they were said.
    flush();
    stderr.write(`${plain(words)}\n`);
  }

  return {
    isJson: json,
    isQuiet: quiet,
    showsProgress,
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

function escaped(mark: string): string {
  return `\\u${mark.charCodeAt(0).toString(16)}`;
}
