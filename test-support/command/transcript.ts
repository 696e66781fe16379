import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, onTestFinished } from 'vitest';
import { openWorld, ownProgram, type World, type WorldOptions } from './command-world.ts';
import { checkLines } from './json-schemas.ts';
import type { Clock } from '../../src/main/ports.ts';
import type { Typed } from './fake-terminal.ts';
import { runInPipe, runInTerminal, type Ran } from './run-command.ts';
import { runLine } from './run-line.ts';

interface Options {
  /** In a terminal: what to type, and when. */
  readonly types?: readonly Typed[];
  /** Only in pipes, or only in a terminal. */
  readonly only?: 'pipe' | 'terminal';
  /** Interrupted when this resolves. */
  readonly interruptWhen?: () => Promise<unknown>;
  readonly env?: NodeJS.ProcessEnv;
  readonly clock?: Clock;
  /** Runs the real program in its own process; otherwise `coffer` runs in this process, unless the packaged program is tested. */
  readonly isReal?: boolean;
}

interface Playing {
  /**
   * The file's, if a terminal is prompted for nothing that `questions.test.ts` does not show: `npm test` plays it with pipes alone, and
   * takes the terminal's output from the stored transcript.
   */
  readonly name?: string;
  /** Plays it in a terminal alone. */
  readonly only?: 'terminal';
  /** Replaces what differs between runs because of the test itself. */
  readonly plain?: (text: string) => string;
}

export interface Play {
  readonly world: World;
  readonly isTerminal: boolean;
  /** Runs a line of shell that contains `coffer`. */
  readonly coffer: (line: string, options?: Options) => Promise<void>;
}

type Step = { readonly line: string; readonly ran: Ran | null };

const folder = join(import.meta.dirname, '..', '..', 'src', 'command', 'transcripts');

/**
 * Plays the same lines twice, with pipes and in a terminal, each in its own world. Returns the transcript: `2|`
 * before lines of standard error, the exit code unless it is 0. Stored in `src/command/transcripts`; `vitest -u`
 * rewrites them.
 */
export async function playTranscript(
  { name, only, plain = (text) => text, ...options }: WorldOptions & Playing,
  play: (play: Play) => Promise<void>,
): Promise<string> {
  const over = new AbortController();
  onTestFinished(() => over.abort());
  if (only === 'terminal')
    return (await perform(true)).map((step) => render({ ...step, ran: null }, step)).join('\n');
  const file = join(folder, `${name}.txt`);
  if (name !== undefined && !inject('isAll') && existsSync(file))
    return renderInto(readFileSync(file, 'utf8'), await perform(false));
  const [pipe, terminal] = await Promise.all([perform(false), perform(true)]);
  return pipe.map((step, index) => render(step, terminal[index])).join('\n');

  async function perform(isTerminal: boolean): Promise<Step[]> {
    const world = await openWorld(options);
    const steps: Step[] = [];
    await play({
      world,
      isTerminal,
      async coffer(line, options = {}) {
        const { types = [], only, interruptWhen, env = {}, clock } = options;
        // A real process cannot be given another clock.
        const { isReal = ownProgram !== undefined && !clock } = options;
        if (only !== undefined && (only === 'terminal') !== isTerminal) {
          steps.push({ line, ran: null });
          return;
        }
        const run = {
          cwd: world.files,
          env: { ...world.env, ...env },
          signal: over.signal,
          interruptWhen: interruptWhen?.(),
        };
        const ran = await (isReal
          ? isTerminal
            ? runInTerminal(line, types, run)
            : runInPipe(line, run)
          : runLine(line, { ...run, types: isTerminal ? types : null, clock, keychain: world.keychain }));
        const { stdout, stderr, code } = ran;
        if (line.includes('--json') && !isTerminal && !line.includes('jq')) checkLines(stdout);
        expect(`${stdout}${stderr}`).not.toMatch(/[\u2066-\u2069]/);
        const text = (said: string) => plain(world.plain(said));
        steps.push({ line, ran: { stdout: text(stdout), stderr: text(stderr), code } });
      },
    });
    return steps;
  }
}

/** One block if both outputs are equal except for their destinations, else two. */
function render({ line, ran: pipe }: Step, other: Step | undefined): string {
  const terminal = other?.ran ?? null;
  if (other?.line !== line) throw new Error(`the two did not play the same: ${line}, ${other?.line}`);
  const merged = pipe && terminal && pipe.code === terminal.code ? merge(pipe, terminal.stdout) : null;
  const blocks = merged
    ? [...merged, ...codeOf(pipe ?? { code: 0 })]
    : [
        ...(pipe ? ['-- pipe', ...apart(pipe), ...codeOf(pipe)] : []),
        ...(terminal ? ['-- terminal', ...linesOf(terminal.stdout), ...codeOf(terminal)] : []),
      ];
  return `$ ${line}\n${blocks.map((text) => `${text}\n`).join('')}`;
}

/** For steps with pipes alone: the block of the stored transcript, if it has the same output for pipes. */
function renderInto(stored: string, steps: readonly Step[]): string {
  let at = 0;
  return steps
    .map((step, index) => {
      const next = steps[index + 1];
      const end = next ? stored.indexOf(`\n\n$ ${next.line}\n`, at) + 1 : stored.length;
      const block = stored.slice(at, end);
      at = end + 1;
      return isOf(step, block) ? block : render(step, step);
    })
    .join('\n');
}

function isOf({ line, ran }: Step, block: string): boolean {
  const head = `$ ${line}\n`;
  if (!block.startsWith(head)) return false;
  const lines = linesOf(block.slice(head.length));
  const terminalAt = lines.indexOf('-- terminal');
  if (!ran || terminalAt === 0) return !ran && terminalAt === 0;
  // A step that no longer exists.
  if (block.includes('\n\n$ ')) return false;
  const told = lines[0] === '-- pipe' ? lines.slice(1, terminalAt < 0 ? undefined : terminalAt) : lines;
  const mark = '2| ';
  const [out, err] = [linesOf(ran.stdout), linesOf(ran.stderr).map((text) => `${mark}${text}`.trimEnd())];
  const isErr = (text: string) => `${text} `.startsWith(mark);
  const isSame = (one: readonly string[], other: readonly string[]) => one.join('\n') === other.join('\n');
  return (
    isSame(told.filter(isErr), err) &&
    isSame(
      told.filter((text) => !isErr(text)),
      [...out, ...codeOf(ran)],
    )
  );
}

/** The lines in the order of the screen, each marked with its stream. null: the screen had other lines */
function merge(pipe: Ran, screen: string): string[] | null {
  const [out, err] = [linesOf(pipe.stdout), linesOf(pipe.stderr)];
  const merged: string[] = [];
  for (const line of linesOf(screen)) {
    if (out[0] === line) merged.push(out.shift() ?? '');
    else if (err[0] === line) merged.push(`2| ${err.shift()}`);
    else return null;
  }
  return out.length + err.length === 0 ? merged : null;
}

function apart({ stdout, stderr }: Ran): string[] {
  return [...linesOf(stdout), ...linesOf(stderr).map((line) => `2| ${line}`)];
}

function linesOf(text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n').map((line) => line.trimEnd());
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function codeOf({ code }: Pick<Ran, 'code'>): string[] {
  return code === 0 ? [] : [`[${code}]`];
}
