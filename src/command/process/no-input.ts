import { Readable } from 'node:stream';
import { Usage } from '../errors/errors.ts';
import type { CommandIo, InputStream } from '../terminal/io.ts';
import { commandTexts as texts } from '../texts.ts';

/** Standard input that cannot be read. @param why thrown as Usage */
export function failingInput(why: string): InputStream {
  return new Readable({
    read() {
      this.destroy(new Usage(why));
    },
  });
}

/** For `--no-input`: there is no terminal to ask on, and none to read from. Files and pipes are read as ever. */
export function withoutInput(io: CommandIo): CommandIo {
  let stdin: InputStream | undefined;
  return Object.create(io, {
    stdin: { get: () => (stdin ??= io.stdin.isTTY ? failingInput(texts.noInput) : io.stdin) },
    openTerminal: { value: () => null },
  }) as CommandIo;
}
