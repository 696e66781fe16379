import { openSync, readFileSync } from 'node:fs';
import { ReadStream, WriteStream } from 'node:tty';
import { NotRead } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { plain } from '../output.ts';

/** The terminal that a command was started on, also when its input and output are pipes. */
export interface Terminal {
  ask(question: string): Promise<string>;
  /** What is typed is not shown. Resolves with null when the input was ended (Ctrl+D). @throws NotRead after Ctrl+C */
  askHidden(question: string): Promise<string | null>;
  close(): void;
}

/** null: there is none. */
export function openTerminal(): Terminal | null {
  const streams = process.platform === 'win32' ? ownStreams() : controllingTerminal();
  if (!streams) return null;
  const { input, output, isOurs } = streams;
  return {
    async ask(question) {
      output.write(plain(question));
      return (await readLine(input, () => undefined)) ?? '';
    },
    async askHidden(question) {
      // First: who types at once is not seen either.
      input.setRawMode(true);
      output.write(plain(question));
      try {
        return await readLine(input, () => output.write('\r\n'));
      } finally {
        input.setRawMode(false);
      }
    },
    close() {
      input.pause();
      if (!isOurs) return;
      input.destroy();
      output.destroy();
    },
  };
}

function controllingTerminal() {
  try {
    const input = new ReadStream(openSync('/dev/tty', 'r'));
    return { input, output: new WriteStream(openSync('/dev/tty', 'w')), isOurs: true };
  } catch {
    return null;
  }
}

function ownStreams() {
  const { stdin, stderr } = process;
  return stdin.isTTY && stderr.isTTY
    ? { input: stdin as ReadStream, output: stderr as unknown as WriteStream, isOurs: false }
    : null;
}

const ends = new Set(['\r', '\n']);
/** The terminal is read key by key, so Ctrl+C is a key. */
const interrupts = '\u0003';
const endsInput = '\u0004';
const erases = new Set(['\u007f', '\b']);

function readLine(input: ReadStream, onEnd: () => void): Promise<string | null> {
  const { promise, resolve, reject } = Promise.withResolvers<string | null>();
  let typed: string[] = [];
  const finish = (answer: string | null) => {
    input.off('data', read).off('end', stop).pause();
    onEnd();
    resolve(answer);
  };
  const stop = () => finish(null);
  const read = (piece: string) => {
    for (const character of piece) {
      if (ends.has(character)) return finish(typed.join(''));
      if (character === interrupts) reject(new NotRead(exitCodes.interrupted));
      if (character === interrupts || character === endsInput) return finish(null);
      if (erases.has(character)) typed.pop();
      else if (character === '\u0015') typed = [];
      else typed.push(character);
    }
  };
  input.setEncoding('utf8').on('data', read).once('end', stop).resume();
  return promise;
}

/**
 * Whether this program has the foreground of a terminal, which sends Ctrl+C to everything that runs there by itself. Told by Linux
 * (`tpgid` of proc(5)); elsewhere whoever has a terminal counts as in its foreground.
 */
export function isInForeground(): boolean {
  if (process.platform !== 'linux') return Boolean(process.stdin.isTTY) || Boolean(process.stderr.isTTY);
  const stat = readFileSync('/proc/self/stat', 'latin1');
  const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return group === foreground;
}
