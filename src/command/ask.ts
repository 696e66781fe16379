import { createInterface, type Interface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { CommandIo } from './io.ts';
import { plain } from './output.ts';

/** The line a person typed after this question, which goes to standard error; null: they ended the input instead. */
export function ask(io: CommandIo, question: string, interrupted: AbortSignal): Promise<string | null> {
  const lines = createInterface({ input: io.stdin, output: io.stderr });
  return read(io, lines, question, interrupted);
}

/** As `ask`, and what is typed is not shown. */
export async function askHidden(
  io: CommandIo,
  question: string,
  interrupted: AbortSignal,
): Promise<string | null> {
  const nowhere = new Writable({ write: (_piece, _encoding, done) => done() });
  // The terminal shows nothing from here on: who types at once is not seen either.
  const lines = createInterface({ input: io.stdin, output: nowhere, terminal: true });
  io.stderr.write(plain(question));
  try {
    return await read(io, lines, '', interrupted);
  } finally {
    io.stderr.write('\n');
  }
}

async function read(
  io: CommandIo,
  lines: Interface,
  question: string,
  interrupted: AbortSignal,
): Promise<string | null> {
  // The terminal is read key by key meanwhile, so Ctrl+C is a key.
  lines.on('SIGINT', () => io.interrupt());
  const ended = new Promise<null>((resolve) => lines.once('close', () => resolve(null)));
  try {
    return await Promise.race([lines.question(plain(question), { signal: interrupted }), ended]);
  } finally {
    lines.close();
  }
}
