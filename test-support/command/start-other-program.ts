import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';

export const otherProgram = join(import.meta.dirname, 'other-program.ts');

/** Starts `other-program.ts`, a program of the same person that is not Coffer. */
export function startOtherProgram(words: readonly string[]) {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', otherProgram, ...words]);
  onTestFinished(() => void child.kill('SIGKILL'));
  const said = { out: '', error: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.error += text));
  return { said, ended: once(child, 'close').then(() => said) };
}

/** What it gets when it asks for a secret over the socket: `{ value }`, and what is refused, by procedure. */
export async function askAsOtherProgram(socket: string, identifier: string, as: string): Promise<object> {
  const { out, error } = await startOtherProgram(['ask', socket, identifier, as]).ended;
  expect(error).toBe('');
  return Object.assign(
    {},
    ...out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object),
  ) as object;
}
