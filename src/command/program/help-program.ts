import type { Command, OutputConfiguration } from 'commander';
import { isShown } from '../completion/complete.ts';
import type { RunAlone } from '../context.ts';
import { exampleLines } from './examples.ts';
import { exitCodes } from '../errors/exit-code.ts';
import { helpTexts as texts } from './help-texts.ts';
import type { CommandIo, OutputStream } from '../terminal/io.ts';
import { plain, usualColumns } from '../terminal/output.ts';

/** Adds `help` and `version`: people type these as often as the options. */
export function addHelpCommands(
  program: Command,
  version: string,
  runsAlone: (load: () => Promise<RunAlone>) => () => Promise<void>,
): void {
  program
    .command('help')
    .description(texts.helpCommand)
    .argument('[command...]', texts.helpOf)
    .action((path: string[]) => {
      const command = commandAt(program, path);
      return runsAlone(async () => async () => {
        command.outputHelp();
        return exitCodes.done;
      })();
    });
  program
    .command('version')
    .description(texts.versionCommand)
    .action(
      runsAlone(async () => async ({ output }) => {
        output.result(version, { version });
        return exitCodes.done;
      }),
    );
}

/** @throws CommanderError after naming the unknown word and suggesting similar commands */
function commandAt(program: Command, path: readonly string[]): Command {
  let command = program;
  for (const name of path) {
    const found = command.commands.find((each) => each.name() === name && isShown(each));
    if (!found) {
      command.args = [name];
      // Missing from Commander's types.
      return (command as Command & { unknownCommand: () => never }).unknownCommand();
    }
    command = found;
  }
  return command;
}

/** Where Commander writes help and usage errors. */
export function outputTo({ stdout, stderr }: Pick<CommandIo, 'stdout' | 'stderr'>): OutputConfiguration {
  const widthOf = ({ isTTY, columns }: OutputStream) => (isTTY && columns) || usualColumns;
  return {
    writeOut: (text) => stdout.write(plain(text)),
    writeErr: (text) => stderr.write(plain(text)),
    getOutHelpWidth: () => widthOf(stdout),
    getErrHelpWidth: () => widthOf(stderr),
  };
}

/** Without a command, shows only what Coffer is, how to begin, and where the rest is. */
export function shortenBareHelp(program: Command): void {
  const whole = program.helpInformation.bind(program);
  program.helpInformation = (context) => {
    if (context?.error !== true) return whole(context);
    const help = program.createHelp();
    const columns = program.configureOutput().getErrHelpWidth?.() ?? usualColumns;
    const about = help.boxWrap(program.description(), columns);
    return `Usage: ${help.commandUsage(program)}\n\n${about}\n`;
  };
  program.addHelpText('after', ({ error }) => (error ? `\n${texts.moreHelp}` : ''));
}

export function addExamples(command: Command): void {
  command.addHelpText('after', () => {
    const lines = exampleLines(command);
    return lines.length === 0 ? '' : `\n${texts.examples}\n${lines.map((line) => `  ${line}`).join('\n')}`;
  });
  for (const each of command.commands) addExamples(each);
}
