import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { commandScript, ownProgram } from './command-world.ts';

/** Started like `bin/coffer` does. */
export const coffer: readonly string[] = ownProgram
  ? [ownProgram]
  : [process.execPath, '--disable-warning=ExperimentalWarning', '--', commandScript];

export interface RunOptions {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** A running command: its output so far, and its end. */
export interface Running {
  stdout(): string;
  stderr(): string;
  write(text: string): void;
  end(text?: string): void;
  kill(signal: NodeJS.Signals): void;
  readonly pid: number;
  readonly ended: Promise<number>;
}

/** Runs `coffer WORDS` in pipes, without a terminal. */
export function startInPipe(words: readonly string[], options: RunOptions): Running {
  const [program = '', ...before] = coffer;
  return start(program, [...before, ...words], { ...options, isDetached: true });
}

/** Runs `coffer WORDS` in a pseudo terminal made by `script` of util-linux; all output is `stdout`. */
export function startInTerminal(words: readonly string[], options: RunOptions): Running {
  const line = [...coffer, ...words].map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ');
  return start('script', ['--quiet', '--return', '--command', line, '/dev/null'], {
    ...options,
    isDetached: false,
  });
}

function start(
  program: string,
  words: readonly string[],
  { cwd, env, isDetached }: RunOptions & { isDetached: boolean },
): Running {
  const { COFFER_TOKEN: _token, COFFER_ADDRESS: _address, ...inherited } = process.env;
  // A new session has no terminal, wherever the tests run.
  const child = spawn(program, words, { cwd, env: { ...inherited, ...env }, detached: isDetached });
  let [out, error] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (out += piece));
  child.stderr.setEncoding('utf8').on('data', (piece: string) => (error += piece));
  // It may exit without reading its input.
  child.stdin.on('error', () => undefined);
  const ended = once(child, 'close').then(([code]) => Number(code));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return {
    stdout: () => out,
    stderr: () => error,
    write: (text) => void child.stdin.write(text),
    end: (text = '') => void child.stdin.end(text),
    kill: (signal) => void child.kill(signal),
    pid: child.pid ?? 0,
    ended,
  };
}
