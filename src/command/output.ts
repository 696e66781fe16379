/** Where a command writes: results to standard output, everything else to standard error. */
export interface Output {
  /** One JSON object a line instead of words. */
  readonly isJson: boolean;
  /** Nothing but results and errors. */
  readonly isQuiet: boolean;
  /** Standard error is a terminal, and a bar is wanted. */
  readonly showsProgress: boolean;
  /** A result: a line of words, or the object that stands for it. */
  result(words: string, value: object): void;
  /** Said to a person who watches. */
  say(words: string): void;
  error(words: string): void;
  /** Replaces the line of progress; null removes it. */
  progress(words: string | null): void;
  /** Resolves when everything was taken by who reads it. */
  flushed(): Promise<void>;
}

export function createOutput(options: {
  json: boolean;
  quiet: boolean;
  progress: boolean;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
}): Output {
  const { json, quiet, stdout, stderr } = options;
  const showsProgress = options.progress && !quiet && stderr.isTTY;
  let shown = '';
  let gathered = '';

  function clear(): void {
    if (shown !== '') stderr.write('\r\u001b[K');
    shown = '';
  }

  /** A hundred thousand lines are not a hundred thousand writes. */
  function flush(): void {
    if (gathered === '') return;
    const text = gathered;
    gathered = '';
    stdout.write(text);
  }

  return {
    isJson: json,
    isQuiet: quiet,
    showsProgress,
    result(words, value) {
      clear();
      gathered += `${json ? JSON.stringify(value) : words}\n`;
      if (gathered.length > 65_536) flush();
      else queueMicrotask(flush);
    },
    say(words) {
      if (quiet) return;
      clear();
      stderr.write(`${words}\n`);
    },
    error(words) {
      clear();
      stderr.write(`${words}\n`);
    },
    progress(words) {
      if (!showsProgress) return;
      clear();
      if (words === null) return;
      shown = words.slice(0, Math.max(stderr.columns - 1, 20));
      stderr.write(shown);
    },
    flushed() {
      flush();
      return new Promise((resolve) => stdout.write('', () => resolve()));
    },
  };
}
