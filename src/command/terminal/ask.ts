import { createInterface, type Interface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { CommandIo } from './io.ts';
import { plain } from './output.ts';

/** Asks on standard error and resolves with the line typed; null: end of input. */
export function ask(io: CommandIo, question: string, interrupted: AbortSignal): Promise<string | null> {
  const lines = createInterface({ input: io.stdin, output: io.stderr });
  return read(io, lines, question, interrupted);
}

/** Like `ask`, without echo. */
export async function askHidden(
  io: CommandIo,
  question: string,
  interrupted: AbortSignal,
): Promise<string | null> {
  const nowhere = new Writable({ write: (_piece, _encoding, done) => done() });
  // Echo is off before the prompt appears, so early typing is hidden too.
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
  // readline uses raw mode, in which Ctrl+C raises no signal.
  lines.on('SIGINT', () => io.interrupt());
  const ended = new Promise<null>((resolve) => lines.once('close', () => resolve(null)));
  try {
    return await Promise.race([lines.question(plain(question), { signal: interrupted }), ended]);
  } finally {
    lines.close();
  }
}
