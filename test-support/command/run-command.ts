import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Typed } from './fake-terminal.ts';
import { toScreen } from './screen.ts';

export interface Ran {
  /** In a terminal everything is here. */
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
}

export interface RunOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Ends it, however far it is. */
  readonly signal: AbortSignal;
  /** What was written is answered as it is: another program than the command writes more than the screen here knows. */
  readonly isRaw?: boolean;
  /** Interrupted when this resolves, by Ctrl+C in a terminal. */
  readonly interruptWhen?: Promise<unknown> | undefined;
}

/** A line of the shell, with pipes for its output and nothing to read. */
export async function runInPipe(line: string, options: RunOptions): Promise<Ran> {
  const { cwd, env, signal } = options;
  const child = spawn('sh', ['-c', `trap : INT; ${line}`], {
    cwd,
    env,
    signal,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
    });
  // The whole group, as a terminal does.
  void options.interruptWhen?.then(() => process.kill(-(child.pid ?? 0), 'SIGINT'));
  const [code] = (await once(child, 'close')) as [number | null];
  return { stdout: said.stdout, stderr: withoutWarnings(said.stderr), code };
}

/** The same line in a terminal of its own, made by `script` of util-linux, 200 columns wide. */
export async function runInTerminal(
  line: string,
  types: readonly Typed[],
  options: RunOptions,
): Promise<Ran> {
  const { cwd, env, signal } = options;
  const quoted = `'${line.replaceAll("'", `'\\''`)}'`;
  // A shell shows what is typed only where the terminal would.
  const inner = `stty ${options.isRaw ? '' : '-echo '}cols 200 rows 40; exec sh -c ${quoted}`;
  const child = spawn('script', ['-qefc', inner, '/dev/null'], {
    cwd,
    env: { ...env, SHELL: '/bin/sh' },
    signal,
  });
  let written = '';
  let looked = 0;
  const left = [...types];
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      written += text;
      for (let next = left[0]; next; next = left[0]) {
        const at = written.indexOf(next[0], looked);
        if (at < 0) break;
        looked = at + next[0].length;
        child.stdin.write(next[1]);
        left.shift();
      }
    });
  void options.interruptWhen?.then(() => child.stdin.write('\u0003'));
  const [code] = (await once(child, 'close')) as [number | null];
  if (left.length > 0) throw new Error(`never shown: ${left[0]?.[0]}\n${written}`);
  return { stdout: options.isRaw ? written : toScreen(withoutWarnings(written)), stderr: '', code };
}

/** The library that talks to the keyring warns of a race of its own, in the middle of a line too; its answer is right all the same. */
function withoutWarnings(written: string): string {
  return written.replaceAll(/\r?\n\(process:\d+\): GLib[^\n]*\n/g, '');
}
