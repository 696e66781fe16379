import { Readable, Writable } from 'node:stream';
import type { InputStream, OutputStream, TerminalStreams } from '../../src/command/io.ts';

/** What a person types when the screen shows this. */
export type Typed = readonly [shown: string, typed: string];

interface TerminalOptions {
  /** In turn, each when the screen shows what is before it. */
  readonly types?: readonly Typed[];
  /** Whether lines show what is typed, as most terminals do; keys that are read one by one never do. */
  readonly echoes?: boolean;
  readonly onInterrupt: () => void;
}

const [interrupts, endsInput] = ['\u0003', '\u0004'];

/** A terminal 200 columns wide, in memory: by lines until raw mode hands each key to who reads. */
export class FakeTerminal {
  readonly input: InputStream;
  readonly output: OutputStream;
  /** Everything that was written to it. */
  written = '';
  readonly #options: TerminalOptions;
  readonly #left: Typed[];
  readonly #keys = new Readable({ read: () => undefined });
  /** What is not handed on before its end is typed. */
  #line = '';
  #looked = 0;
  #isRaw = false;

  constructor(options: TerminalOptions) {
    this.#options = options;
    this.#left = [...(options.types ?? [])];
    this.input = Object.assign(this.#keys, {
      isTTY: true,
      setRawMode: (isRaw: boolean) => (this.#isRaw = isRaw),
    });
    const screen = new Writable({
      decodeStrings: false,
      write: (piece: string | Buffer, _encoding, done) => {
        this.show(piece.toString());
        done();
      },
    });
    this.output = Object.assign(screen, { isTTY: true, columns: 200 });
  }

  get streams(): TerminalStreams {
    return { input: this.input, output: this.output, isOurs: false };
  }

  /** What was never shown, so that nothing was typed after it. */
  get neverShown(): string | null {
    return this.#left[0]?.[0] ?? null;
  }

  show(text: string): void {
    this.written += text.replaceAll(/\r?\n/g, '\r\n');
    for (let next = this.#left[0]; next; next = this.#left[0]) {
      const at = this.written.indexOf(next[0], this.#looked);
      if (at < 0) return;
      this.#looked = at + next[0].length;
      this.#left.shift();
      const [, typed] = next;
      // A person sees it first.
      setImmediate(() => this.type(typed));
    }
  }

  type(text: string): void {
    if (this.#isRaw) {
      this.#keys.push(text);
      return;
    }
    for (const key of text) {
      if (key === interrupts) this.#options.onInterrupt();
      else if (key === endsInput) this.#keys.push(this.#takeLine() || null);
      else {
        this.#line += key === '\r' ? '\n' : key;
        if (this.#line.endsWith('\n')) this.#keys.push(this.#takeLine());
      }
    }
  }

  #takeLine(): string {
    const line = this.#line;
    this.#line = '';
    if (this.#options.echoes) this.show(line);
    return line;
  }
}
