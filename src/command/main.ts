import { CommanderError } from 'commander';
import { AgentGone, AgentRefused } from '../main/agent/agent-client.ts';
import { errorLine } from '../renderer/i18n/error-text.ts';
import { toAppError } from '../shared/errors.ts';
import { chooseService, NotRead, Usage, type Run } from './context.ts';
import { findDataFolder } from './data-folder.ts';
import { exitCodeOf, exitCodes, type ExitCode } from './exit-code.ts';
import { openCoffer } from './open-coffer.ts';
import { createOutput, type Output } from './output.ts';
import { createProgram, type Options } from './program.ts';
import { commandTexts as texts } from './texts.ts';

/** Runs one command line. Answers its exit code, when everything it wrote has gone. */
export async function main(argv: readonly string[], version: string): Promise<number> {
  let code: number = exitCodes.done;
  const program = createProgram(version, async (run, options) => {
    code = await execute(run, options, version);
  });
  try {
    await program.parseAsync(argv, { from: 'user' });
    return code;
  } catch (cause) {
    // Commander has said it: help and the version are no failures.
    if (cause instanceof CommanderError) return cause.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    throw cause;
  }
}

async function execute(run: Run, options: Options, version: string): Promise<number> {
  const output = createOutput({
    json: options.json ?? false,
    quiet: options.quiet ?? false,
    progress: options.progress && !process.env['NO_COLOR'],
    stdout: process.stdout,
    stderr: process.stderr,
  });
  const folder = findDataFolder(options.userDataDir, process.env);
  const interrupt = new AbortController();
  process.once('SIGINT', () => interrupt.abort());
  try {
    const { COFFER_ADDRESS, COFFER_TOKEN } = process.env;
    const isKept = !COFFER_ADDRESS || !COFFER_TOKEN;
    const coffer = await openCoffer(folder, version, process.env);
    try {
      const service = async () =>
        chooseService(await coffer.call('profiles.list', undefined), options.service);
      return await run({
        coffer,
        output,
        isKept,
        dataFolder: folder,
        interrupted: interrupt.signal,
        service,
      });
    } finally {
      await coffer.close();
    }
  } catch (cause) {
    if (interrupt.signal.aborted) return exitCodes.interrupted;
    return describe(cause, output, folder, version);
  } finally {
    await output.flushed();
  }
}

/** Says what went wrong. @throws what nobody foresaw */
function describe(cause: unknown, output: Output, folder: string, own: string): ExitCode {
  if (cause instanceof Usage) {
    output.error(texts.error({ text: cause.message }));
    return cause.exitCode;
  }
  // Each has been said.
  if (cause instanceof NotRead) return cause.exitCode;
  if (cause instanceof AgentGone) {
    output.error(texts.error({ text: texts.appGone }));
    return exitCodes.tryLater;
  }
  if (cause instanceof AgentRefused) {
    const { reason, version } = cause;
    const text = reason === 'protocol' ? texts.refusedProtocol({ version, own }) : texts.refusedBusy;
    output.error(texts.error({ text }));
    return reason === 'protocol' ? exitCodes.error : exitCodes.tryLater;
  }
  const error = toAppError(cause);
  if (!error) throw cause;
  output.error(
    texts.error({ text: error.code === 'dataFolderInUse' ? texts.inUse({ folder }) : errorLine(error) }),
  );
  return exitCodeOf(error);
}
