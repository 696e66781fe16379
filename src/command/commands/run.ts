import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { closeSync } from 'node:fs';
import type { Socket } from 'node:net';
import { constants } from 'node:os';
import { formatSize } from '../../shared/i18n/format.ts';
import { decodeText } from '../../main/lib/decode-text.ts';
import type { Context, Run } from '../context.ts';
import { Usage } from '../errors/errors.ts';
import { exitCodes } from '../errors/exit-code.ts';
import { parseEnvFile } from '../secrets/env-file.ts';
import { leastMaskedBytes, passOutput, patternsOf } from '../secrets/mask.ts';
import { passSignals } from '../process/pass-signals.ts';
import type { CommandIo } from '../terminal/io.ts';
import { forValues } from '../secrets/read-secrets.ts';
import { makePipes } from '../secrets/system-pipe.ts';
import { fill, handleProblems, placeText, readSource, resolveHoles } from '../secrets/resolve.ts';
import { holesOf, parseValue, type Piece, type Place, type Problem } from '../secrets/template.ts';
import { secretTexts as texts } from '../secrets/texts.ts';

export interface RunOptions {
  readonly envFile?: readonly string[];
  readonly masking: boolean;
}

/** Exit codes of shells for a program that does not exist, and for one that cannot be run. */
const notThere = 127;
const notRunnable = 126;

/**
 * `coffer run [--env-file FILE]… [--no-masking] -- CMD`: values exist only in this process and in the program's environment,
 * while it runs. Returns the program's exit code, or 128 plus the number of the signal that ended it.
 */
export function run(words: readonly string[], { envFile = [], masking }: RunOptions): Run {
  return async (given) => {
    // The program would start elsewhere.
    given.io.resolve('.');
    const environment = await readEnvironment(given, envFile);
    const program = words.join(' ');
    const pieces = [...environment.pieces.values()].flat();
    const context = pieces.length > 0 ? await forValues(given) : given;
    const values = await resolveHoles(context, pieces, program);
    const child: NodeJS.ProcessEnv = { ...environment.plain };
    // The program gets only the secrets it names; the token would give it all of them.
    delete child['COFFER_TOKEN'];
    for (const [name, pieces] of environment.pieces) child[name] = textOf(pieces, values);
    if (masking) sayUnmasked(context, environment.pieces, values);
    const patterns = masking ? patternsOf([...values.values()]) : [];
    for (const value of values.values()) value.fill(0);
    // Closed first, so that the app may quit or another command may take the data folder while the program runs.
    await context.coffer.close();
    context.interrupted.throwIfAborted();
    try {
      return await runProgram(context, words, child, patterns);
    } finally {
      for (const pattern of patterns) pattern.fill(0);
    }
  };
}

interface Environment {
  readonly plain: NodeJS.ProcessEnv;
  readonly pieces: ReadonlyMap<string, readonly Piece[]>;
}

const envProblems = { form: texts.envForm, quote: texts.envQuote, null: texts.envNull } as const;

/** Reads the environment of this process, then the files; the last definition of a name wins. @throws Usage */
async function readEnvironment(context: Context, files: readonly string[]): Promise<Environment> {
  const plain: NodeJS.ProcessEnv = {};
  const pieces = new Map<string, readonly Piece[]>();
  const problems = new Map<string, readonly Problem[]>();
  const add = (name: string, value: string, place: Place) => {
    const parsed = parseValue(value, place);
    plain[name] = value;
    pieces.delete(name);
    problems.delete(name);
    if (!parsed) return;
    if (parsed.pieces.length > 0) pieces.set(name, parsed.pieces);
    problems.set(name, parsed.problems);
  };
  for (const [name, value = ''] of Object.entries(context.io.env))
    add(name, value, { source: '', line: 0, name });
  let isBroken = false;
  const misread = new Set(context.io.misread().variables);
  for (const source of files) {
    const decoded = decodeText(await readSource(context, source));
    if ('badLine' in decoded) throw new Usage(texts.envNotText({ source, line: decoded.badLine }));
    const file = parseEnvFile(decoded.text);
    for (const { line, problem } of file.problems) {
      isBroken = true;
      context.output.error(envProblems[problem]({ source, line }));
    }
    for (const { name, value, line } of file.variables) {
      add(name, value, { source, line, name });
      misread.delete(name);
    }
  }
  for (const name of misread) throw new Usage(texts.misread({ name }));
  handleProblems(context, [...problems.values()].flat());
  if (isBroken) throw new Usage(texts.notRun);
  return { plain, pieces };
}

/** @throws Usage if the value is not UTF-8 text or contains a NUL: an environment cannot hold it */
function textOf(pieces: readonly Piece[], values: ReadonlyMap<string, Buffer>): string {
  const bytes = fill(pieces, values);
  const text = bytes.toString('utf8');
  const isText = Buffer.from(text).equals(bytes) && !text.includes('\0');
  bytes.fill(0);
  const [hole] = holesOf(pieces);
  if (!isText && hole) throw new Usage(texts.notText({ place: placeText(hole.place) }), exitCodes.error);
  return text;
}

function sayUnmasked(
  { output }: Context,
  all: ReadonlyMap<string, readonly Piece[]>,
  values: ReadonlyMap<string, Buffer>,
): void {
  for (const { reference, place } of holesOf([...all.values()].flat())) {
    const length = values.get(reference.text)?.length ?? 0;
    if (length < leastMaskedBytes) output.say(texts.tooShort({ place: placeText(place) }));
  }
}

async function runProgram(
  { io, output, leaveSignals }: Context,
  words: readonly string[],
  env: NodeJS.ProcessEnv,
  patterns: readonly Buffer[],
): Promise<number> {
  const ended = Promise.withResolvers<number>();
  const failed = (cause: Error) => {
    const { text, code } = startFailure(cause, words, env);
    output.error(text);
    ended.resolve(code);
  };
  let running: ChildProcess | null = null;
  const stopPassing = passSignals(io, (signal) => void running?.kill(signal));
  leaveSignals();
  try {
    const started = startProgram(io, words, env, { isMasked: patterns.length > 0, failed });
    if (!started) return await ended.promise;
    const { child, stdout, stderr } = started;
    running = child;
    child.on('exit', (code, signal) => ended.resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
    const passed = await Promise.all([
      stdout && passOutput(stdout, patterns, io.stdout, ended.promise),
      stderr && passOutput(stderr, patterns, io.stderr, ended.promise),
    ]);
    const code = await ended.promise;
    // The program cannot know: it wrote to a pipe.
    return passed.includes(false) && code === 0 ? exitCodes.error : code;
  } finally {
    stopPassing();
  }
}

/** The streams are null if the program writes to those of this command. */
function startProgram(
  io: CommandIo,
  words: readonly string[],
  env: NodeJS.ProcessEnv,
  { isMasked, failed }: { isMasked: boolean; failed: (cause: Error) => void },
): { child: ChildProcess; stdout: Socket | null; stderr: Socket | null } | null {
  const [program = '', ...args] = withIgnored(io, words);
  const pipes = isMasked ? makePipes(io) : null;
  const [out = null, error = null] = pipes ?? [];
  const usual = isMasked ? 'pipe' : io.childStdio;
  try {
    const stdio: StdioOptions = [io.childStdio, out?.to ?? usual, error?.to ?? usual];
    const child: ChildProcess = spawn(program, args, { env, cwd: io.resolve('.'), stdio });
    child.on('error', failed);
    return {
      child,
      stdout: out?.from ?? (child.stdout as Socket | null),
      stderr: error?.from ?? (child.stderr as Socket | null),
    };
  } catch (cause) {
    // Some errors of the system are thrown, others are events.
    for (const { from } of pipes ?? []) from.destroy();
    if (!(cause instanceof Error && 'syscall' in cause)) throw cause;
    failed(cause);
    return null;
  } finally {
    for (const { to } of pipes ?? []) closeSync(to);
  }
}

/** Why a program cannot be started, with the exit code that a shell gives. */
function startFailure(
  cause: Error,
  [program = '', ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
): { text: string; code: number } {
  const reason = 'code' in cause ? String(cause.code) : cause.message;
  if (reason === 'ENOENT') return { text: texts.notFound({ program }), code: notThere };
  if (reason === 'EACCES') return { text: texts.notAllowed({ program }), code: notRunnable };
  if (reason !== 'E2BIG') return { text: texts.notStarted({ program, reason }), code: notRunnable };
  const variables = Object.entries(env).map(([name, value = '']): [string, string] => [
    name,
    `${name}=${value}`,
  ]);
  const sizeOf = (all: readonly string[]) =>
    formatSize(all.reduce((sum, each) => sum + Buffer.byteLength(each) + 1, 0));
  const [largest = ''] =
    variables.toSorted(([, one], [, other]) => Buffer.byteLength(other) - Buffer.byteLength(one))[0] ?? [];
  const environment = sizeOf(variables.map(([, text]) => text));
  return {
    text: texts.tooLongToStart({ program, args: sizeOf(args), environment, largest }),
    code: notRunnable,
  };
}

/** Node starts a program with no signal ignored, so a shell ignores again what this command was started with. */
function withIgnored({ ignoredSignals }: CommandIo, words: readonly string[]): readonly string[] {
  if (ignoredSignals.length === 0) return words;
  const names = ignoredSignals.map((name) => name.slice('SIG'.length)).join(' ');
  return ['sh', '-c', `trap '' ${names}; exec "$@"`, 'sh', ...words];
}
