import type { CommandIo, InputStream } from '../terminal/io.ts';
import { NotRead } from '../errors/errors.ts';
import { exitCodes } from '../errors/exit-code.ts';
import { plain } from '../terminal/output.ts';

/** The terminal on which the command was started, even when its input and output are pipes. */
export interface Terminal {
  ask(question: string): Promise<string>;
  /** Asks without echo. Resolves with null at the end of input (Ctrl+D). @throws NotRead after Ctrl+C */
  askHidden(question: string): Promise<string | null>;
  close(): void;
}

/** null without a terminal. */
export function openTerminal(io: CommandIo): Terminal | null {
  const streams = io.openTerminal();
  if (!streams) return null;
  const { input, output, isOurs } = streams;
  return {
    async ask(question) {
      output.write(plain(question));
      return (await readLine(input, () => undefined)) ?? '';
    },
    async askHidden(question) {
      // Echo is off before the question appears, so that text typed early is not shown either.
      input.setRawMode?.(true);
      output.write(plain(question));
      try {
        return await readLine(input, () => output.write('\r\n'));
      } finally {
        input.setRawMode?.(false);
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

const ends = new Set(['\r', '\n']);
/** In raw mode Ctrl+C is a key and sends no signal. */
const interrupts = '\u0003';
const endsInput = '\u0004';
const erases = new Set(['\u007f', '\b']);

function readLine(input: InputStream, onEnd: () => void): Promise<string | null> {
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
