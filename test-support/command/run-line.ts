import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import type { Clock, SecretStore } from '../../src/main/ports.ts';
import { FakeTerminal, type Typed } from './fake-terminal.ts';
import { createGathering, startInProcess, type InProcess } from './in-process.ts';
import { runInPipe, runInTerminal, type Ran, type RunOptions } from './run-command.ts';
import { toScreen } from './screen.ts';
import { parseLine, type Pipeline, type Stage } from './shell-line.ts';

export interface LineOptions extends RunOptions {
  /** null: pipes; else a terminal with this input. */
  readonly types: readonly Typed[] | null;
  readonly clock?: Clock | undefined;
  readonly keychain?: SecretStore | undefined;
}

/** Runs a line of shell: each `coffer` in this process, everything else in a real shell. */
export async function runLine(line: string, options: LineOptions): Promise<Ran> {
  const { types, interruptWhen } = options;
  const pipelines = parseLine(line, options.env);
  if (!pipelines.some(hasCoffer))
    return types === null ? runInPipe(line, options) : runInTerminal(line, types, options);
  const [stdout, stderr] = [createGathering(), createGathering()];
  let running: InProcess | null = null;
  const interrupt = () => running?.signal('SIGINT');
  const terminal = types && new FakeTerminal({ types, onInterrupt: interrupt });
  void interruptWhen?.then(() => (terminal ? terminal.type('\u0003') : interrupt()));
  let code = 0;
  for (const pipeline of pipelines) {
    if (!hasCoffer(pipeline)) {
      const text = `(exit ${String(code)}); ${pipeline.map((stage) => textOf(stage)).join(' | ')}`;
      const ran = await (terminal
        ? runInTerminal(text, [], { ...options, isRaw: true })
        : runInPipe(text, options));
      if (terminal) terminal.show(ran.stdout);
      else stdout.write(ran.stdout);
      stderr.write(ran.stderr);
      code = ran.code ?? 1;
      continue;
    }
    code = await runPipeline(pipeline, {
      ...options,
      terminal,
      stdout: terminal?.output ?? stdout,
      stderr: terminal?.output ?? stderr,
      onStart: (started) => (running = started),
    });
  }
  if (!terminal) return { stdout: stdout.text(), stderr: stderr.text(), code };
  if (terminal.neverShown !== null)
    throw new Error(`never shown: ${terminal.neverShown}\n${terminal.written}`);
  return { stdout: options.isRaw ? terminal.written : toScreen(terminal.written), stderr: '', code };
}

interface PipelineOptions extends LineOptions {
  readonly terminal: FakeTerminal | null;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly onStart: (running: InProcess) => void;
}

/** A pipeline with one `coffer`, and at most one shell stage before and after it. */
async function runPipeline(pipeline: Pipeline, options: PipelineOptions): Promise<number> {
  const { cwd, env, signal, terminal, stdout, stderr, clock, keychain, onStart } = options;
  const at = pipeline.findIndex(({ kind }) => kind === 'coffer');
  const [before, stage, after, more] = [pipeline[at - 1], pipeline[at], pipeline[at + 1], pipeline[at + 2]];
  if (stage?.kind !== 'coffer' || at > 1 || more) throw new Error('not known here: this pipeline');
  const startShell = (shell: Stage | undefined, reads: boolean) => {
    if (!shell) return null;
    const child = spawn('sh', ['-c', textOf(shell)], {
      cwd,
      env,
      signal,
      stdio: [reads ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    });
    child.stderr?.pipe(stderr, { end: false });
    // It may exit without reading all of its input.
    child.stdin?.on('error', () => undefined);
    return { child, ended: once(child, 'close') };
  };
  const first = startShell(before, false);
  const last = startShell(after, true);
  last?.child.stdout?.pipe(stdout, { end: false });
  const file = stage.from === null ? null : createReadStream(resolve(cwd, stage.from));
  const into = stage.to === null ? null : new Writable({ write: (_piece, _encoding, done) => done() });
  if (into && stage.to !== '/dev/null') throw new Error(`not known here: > ${stage.to}`);
  const running = startInProcess(stage.words, {
    cwd,
    env: { ...env, ...stage.env },
    // Node discards unread output of a child that exits.
    stdin: file ?? first?.child.stdout?.pipe(new PassThrough()) ?? terminal?.input,
    stdout: into ?? last?.child.stdin ?? stdout,
    stderr,
    terminal: terminal?.streams,
    clock,
    keychain,
  });
  onStart(running);
  const code = await running.ended;
  file?.destroy();
  first?.child.stdout?.destroy();
  last?.child.stdin?.end();
  await first?.ended;
  const [lastCode = code] = ((await last?.ended) ?? []) as number[];
  return lastCode;
}

function hasCoffer(pipeline: Pipeline): boolean {
  return pipeline.some(({ kind }) => kind === 'coffer');
}

function textOf(stage: Stage): string {
  if (stage.kind !== 'shell') throw new Error('not for the shell');
  return stage.text;
}
