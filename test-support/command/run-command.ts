import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Typed } from './fake-terminal.ts';
import { toScreen } from './screen.ts';

export interface Ran {
  /** In a terminal, all output. */
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
}

export interface RunOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Kills it at any point. */
  readonly signal: AbortSignal;
  /** Returns the output unprocessed: other programs write control sequences that `toScreen` does not know. */
  readonly isRaw?: boolean;
  /** Interrupts it when this resolves, in a terminal by Ctrl+C. */
  readonly interruptWhen?: Promise<unknown> | undefined;
}

/** Runs a line of shell with pipes for output and no input. */
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
  // The whole process group, like a terminal.
  void options.interruptWhen?.then(() => process.kill(-(child.pid ?? 0), 'SIGINT'));
  const [code] = (await once(child, 'close')) as [number | null];
  return { stdout: said.stdout, stderr: said.stderr, code };
}

/** Runs the line in a terminal made by `script` of util-linux, 200 columns wide. */
export async function runInTerminal(
  line: string,
  types: readonly Typed[],
  options: RunOptions,
): Promise<Ran> {
  const { cwd, env, signal } = options;
  const quoted = `'${line.replaceAll("'", `'\\''`)}'`;
  // Shells echo input only where the terminal does.
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
  return { stdout: options.isRaw ? written : toScreen(written), stderr: '', code };
}
