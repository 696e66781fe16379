import { createInterface, type Interface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { plain } from './output.ts';

/** The line a person typed after this question, which goes to standard error; null: they ended the input instead. */
export function ask(question: string, interrupted: AbortSignal): Promise<string | null> {
  return read(createInterface({ input: process.stdin, output: process.stderr }), question, interrupted);
}

/** As `ask`, and what is typed is not shown. */
export async function askHidden(question: string, interrupted: AbortSignal): Promise<string | null> {
  const nowhere = new Writable({ write: (_piece, _encoding, done) => done() });
  // The terminal shows nothing from here on: who types at once is not seen either.
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  process.stderr.write(plain(question));
  try {
    return await read(lines, '', interrupted);
  } finally {
    process.stderr.write('\n');
  }
}

async function read(lines: Interface, question: string, interrupted: AbortSignal): Promise<string | null> {
  // The terminal is read key by key meanwhile, so Ctrl+C is a key.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  const ended = new Promise<null>((resolve) => lines.once('close', () => resolve(null)));
  try {
    return await Promise.race([lines.question(plain(question), { signal: interrupted }), ended]);
  } finally {
    lines.close();
  }
}
