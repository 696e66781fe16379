import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { CommanderError } from 'commander';
import { AgentGone, AgentRefused, AgentSilent } from '../main/agent/agent-client.ts';
import { maxConnections } from '../main/agent/protocol.ts';
import { toAppError } from '../shared/app-failure.ts';
import { chooseService, hasStoredList, settleMs, type Context, type Run, type RunAlone } from './context.ts';
import { HeldUp, NotRead, Usage } from './errors/errors.ts';
import { findDataFolder } from './engine/data-folder.ts';
import {
  endingSignals,
  exitCodeOf,
  exitCodes,
  isInterrupted,
  type EndingSignal,
  type ExitCode,
} from './errors/exit-code.ts';
import type { CommandIo } from './terminal/io.ts';
import { openCoffer, recoverCoffer, type OpenedCoffer } from './engine/open-coffer.ts';
import { createOutput, plain, type Output } from './terminal/output.ts';
import { createProgram } from './program/program.ts';
import type { Opening, Options, Runner } from './program/runner.ts';
import { withoutInput } from './process/no-input.ts';
import { outputErrorText, systemErrorText } from './errors/error-texts.ts';
import { commandTexts as texts } from './texts.ts';

const usualWaitSeconds = 120;
/** How long a command may take to end after an interrupt; a Replace without a stored list is finished or restored first. */
const interruptedMs = 3000;

/** Runs one command line. Resolves with its exit code once its output is flushed. */
export async function runCommand(io: CommandIo, version: string): Promise<number> {
  let code: number = exitCodes.done;
  const runner: Runner = {
    run: async (run, options) => {
      code = await execute(withCoffer(run, options), options, io, version);
    },
    runAlone: async (run, options) => {
      code = await execute(run, options, io, version);
    },
  };
  const failure = watchStreams(io);
  const [misread] = io.misread().args;
  if (misread !== undefined) {
    const text = texts.misreadArgument({ number: misread + 1, word: plain(io.args[misread] ?? '') });
    io.stderr.write(`${texts.error({ text })}\n`);
    return exitCodes.usage;
  }
  const program = createProgram(version, runner, io);
  try {
    await program.parseAsync(io.args, { from: 'user' });
  } catch (cause) {
    // Commander has printed the message. Help and the version are not failures.
    if (!(cause instanceof CommanderError)) throw cause;
    code = cause.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  }
  const text = await failure();
  // After a hangup the terminal takes no more output.
  if (text === null || isInterrupted(code)) return code;
  io.stderr.write(`${texts.error({ text })}\n`);
  return exitCodes.error;
}

/** Returns a function that resolves with the error of writing standard output; null: none, or its reader is gone. */
function watchStreams(io: CommandIo): () => Promise<string | null> {
  const { stdout, stderr } = io;
  let text: string | null = null;
  const failed = (cause: unknown) => {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'EPIPE'))
      text ??= outputErrorText(cause);
  };
  // Errors of standard error cannot be reported anywhere.
  stderr.on('error', () => undefined);
  stdout.on('error', failed);
  return async () => {
    // Errors of a completed write arrive in a later turn.
    if (stdout.writableLength === 0) await setImmediate();
    else await new Promise<void>((done) => stdout.write('', () => done()));
    try {
      io.closeStdout();
    } catch (cause) {
      failed(cause);
    }
    return text;
  };
}

function withCoffer(run: Run, options: Options & Opening): RunAlone {
  return async ({ version, ...context }) => {
    const waitMs = (options.wait ?? usualWaitSeconds) * 1000;
    const absentMs = (options.wait ?? 0) * 1000;
    const { io, dataFolder, interrupted } = context;
    const hasList = hasStoredList(io);
    const { recovers, awaitsInput = false } = options;
    // The command that writes to the pipe may need the data folder until then.
    if (awaitsInput && !io.stdin.isTTY && io.stdinBytes() === null)
      await once(io.stdin, 'readable', { signal: interrupted });
    let opened = await (recovers === undefined
      ? openCoffer(dataFolder, version, io)
      : recoverCoffer(io.resolve(recovers), version, io));
    const wholeOf = (from: OpenedCoffer): Context => ({
      ...context,
      ...from,
      hasList,
      waitMs,
      absentMs,
      service: async () => chooseService(await from.coffer.call('services.list', undefined), options.service),
      async withoutOther() {
        await from.coffer.close();
        opened = await openCoffer(dataFolder, version, io, interrupted);
        return wholeOf(opened);
      },
    });
    try {
      const { temporaryFolder } = opened;
      if (temporaryFolder !== null) {
        const { findAbandonedFolders } = await import('./files/temporary-folder.ts');
        for (const folder of findAbandonedFolders(io)) context.output.say(texts.abandoned({ folder }));
      }
      const whole = wholeOf(opened);
      if (temporaryFolder === null) return await run(whole);
      return await runWithoutList(whole, run);
    } finally {
      await opened.coffer.close();
    }
  };
}

/** What a command without a stored list does not delete itself at the service, nobody deletes. */
async function runWithoutList(context: Context, run: Run): Promise<number> {
  const { leaveNothing } = await import('./transfers/leave-nothing.ts');
  const { coffer } = context;
  let isClosed = false;
  // `coffer run` closes it before the program starts, and has sent nothing that would have to be deleted.
  const close = async () => {
    isClosed = true;
    await coffer.close();
  };
  let code: number;
  try {
    code = await run({ ...context, coffer: { ...coffer, close } });
  } catch (cause) {
    if (!isClosed) await leaveNothing(context, true).catch(() => false);
    throw cause;
  }
  if (isClosed) return code;
  const isHeldUp = code === exitCodes.tryLater || code === exitCodes.token || isInterrupted(code);
  const isLeft = await leaveNothing(context, isHeldUp);
  return isLeft && code === exitCodes.done ? exitCodes.tryLater : code;
}

async function execute(run: RunAlone, options: Options, given: CommandIo, version: string): Promise<number> {
  const io = options.input ? given : withoutInput(given);
  const output = createOutput({
    json: options.json ?? false,
    quiet: options.quiet ?? false,
    progress: options.progress && options.color && !io.env['NO_COLOR'] && io.env['TERM'] !== 'dumb',
    stdout: io.stdout,
    stderr: io.stderr,
  });
  const dataFolder = findDataFolder(options.userDataDir, io);
  const interrupt = new AbortController();
  const interrupted = interrupt.signal;
  let endedBy: EndingSignal | null = null;
  const listen = () =>
    (Object.keys(endingSignals) as EndingSignal[]).map((name) => {
      const stop = io.onSignal(name, () => {
        // A second signal kills the command, but not a second SIGHUP: the shell and the system both send one when a terminal closes.
        if (name !== 'SIGHUP') stop();
        endedBy ??= name;
        interrupt.abort();
      });
      return stop;
    });
  let stops = listen();
  const leaveSignals = () => {
    for (const stop of stops) stop();
    return () => void (stops = listen());
  };
  const codeOfSignal = () => endingSignals[endedBy ?? 'SIGINT'];
  const longestMs = interruptedMs + (hasStoredList(io) ? 0 : settleMs);
  const givenUp = new Promise<ExitCode>((giveUp) =>
    interrupted.addEventListener('abort', () =>
      setTimeout(() => giveUp(exitCodes.interrupted), longestMs).unref(),
    ),
  );
  async function attempt(each: Run, wait?: number): Promise<number> {
    try {
      return await withCoffer(each, { ...options, wait })(context);
    } catch (cause) {
      if (interrupted.aborted) return exitCodes.interrupted;
      if (cause instanceof Usage) throw cause;
      return describe(cause, output, dataFolder, version);
    }
  }
  const context = { io, output, dataFolder, interrupted, leaveSignals, version, attempt };
  try {
    const code = await Promise.race([run(context), givenUp]);
    return code === exitCodes.interrupted ? codeOfSignal() : code;
  } catch (cause) {
    if (interrupted.aborted) return codeOfSignal();
    return await describe(cause, output, dataFolder, version);
  } finally {
    output.progress(null);
    await output.flushed();
  }
}

/** Prints the failure and returns its exit code. @throws the cause if it is not an expected failure */
async function describe(cause: unknown, output: Output, folder: string, own: string): Promise<ExitCode> {
  if (cause instanceof Usage || cause instanceof HeldUp) {
    output.error(texts.error({ text: cause.message }));
    return cause.exitCode;
  }
  // Already printed.
  if (cause instanceof NotRead) return cause.exitCode;
  if (cause instanceof AgentGone) {
    output.error(texts.error({ text: cause.wasApp ? texts.appGone : texts.otherGone }));
    return exitCodes.tryLater;
  }
  if (cause instanceof AgentRefused) {
    const { reason, version } = cause;
    const words = {
      protocol: texts.refusedProtocol({ version, own }),
      badRequest: texts.refusedProtocol({ version, own }),
      busy: texts.refusedBusy({ max: maxConnections }),
      closing: texts.appGone,
    };
    output.error(texts.error({ text: words[reason] }));
    return reason === 'busy' || reason === 'closing' ? exitCodes.tryLater : exitCodes.error;
  }
  if (cause instanceof AgentSilent) {
    output.error(texts.error({ text: texts.appSilent }));
    return exitCodes.tryLater;
  }
  const systemText = systemErrorText(cause);
  if (systemText !== null) {
    output.error(texts.error({ text: systemText }));
    return exitCodes.error;
  }
  const error = toAppError(cause);
  if (!error) throw cause;
  const { errorLine } = await import('./errors/error-line.ts');
  output.error(
    texts.error({ text: error.code === 'dataFolderInUse' ? texts.inUse({ folder }) : errorLine(error) }),
  );
  return exitCodeOf(error);
}
