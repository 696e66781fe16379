import { Readable, Writable } from 'node:stream';
import type { InputStream, OutputStream, TerminalStreams } from '../../src/command/terminal/io.ts';

/** Typed when the screen shows the first text. */
export type Typed = readonly [shown: string, typed: string];

interface TerminalOptions {
  /** In order, each when the screen shows its first text. */
  readonly types?: readonly Typed[];
  /** Whether input lines are echoed, as in most terminals; keys in raw mode never are. */
  readonly echoes?: boolean;
  readonly onInterrupt: () => void;
}

const [interrupts, endsInput] = ['\u0003', '\u0004'];

/** A terminal in memory, 200 columns wide: passes on lines, or in raw mode each key. */
export class FakeTerminal {
  readonly input: InputStream;
  readonly output: OutputStream;
  /** All output so far. */
  written = '';
  readonly #options: TerminalOptions;
  readonly #left: Typed[];
  readonly #keys = new Readable({ read: () => undefined });
  /** The line being typed. */
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

  /** The first text that never appeared, so that nothing was typed. */
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
      // Asynchronous, like a person.
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
