import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { findScript } from './command-world.ts';

/** As `bin/coffer` starts it. */
export const coffer: readonly string[] = [
  process.execPath,
  '--disable-warning=ExperimentalWarning',
  '--',
  findScript(),
];

export interface RunOptions {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** A command that runs: what it has written so far, and how it ends. */
export interface Running {
  stdout(): string;
  stderr(): string;
  write(text: string): void;
  end(text?: string): void;
  kill(signal: NodeJS.Signals): void;
  readonly pid: number;
  readonly ended: Promise<number>;
}

/** `coffer WORDS`, in pipes and without any terminal. */
export function startInPipe(words: readonly string[], options: RunOptions): Running {
  const [program = '', ...before] = coffer;
  return start(program, [...before, ...words], { ...options, isDetached: true });
}

/** `coffer WORDS` in a pseudo terminal of its own, which `script` of util-linux makes; everything it shows is `stdout`. */
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
  // A session of its own has no terminal, whoever runs the tests.
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
