import { Option, type Command } from 'commander';
import type { Waiting } from '../context.ts';
import { addClassification } from './classification-option.ts';
import type { GetOptions } from '../commands/get.ts';
import type { PutOptions } from '../commands/put.ts';
import type { TaskOptions } from '../commands/tasks.ts';
import { helpTexts } from './help-texts.ts';
import { noteOf } from '../terminal/layout.ts';
import { addLimits, limited, type LimitOptions } from '../transfers/limits.ts';
import { gather, type Runs } from './runner.ts';
import { addYes } from './yes-option.ts';
import { selectionTexts as texts } from '../files/selection-texts.ts';
import { syncTexts } from '../sync/texts.ts';

/** Adds `--include` and `--exclude`. */
export function addFilters(command: Command): Command {
  return command
    .option('--include <pattern>', texts.include, gather)
    .option('--exclude <pattern>', texts.exclude, gather);
}

function addNarrowing(command: Command): Command {
  return addFilters(command).option('--files-from <file>', texts.filesFrom).option('-0, --null', texts.null);
}

const addTransferOptions = (command: Command) => addLimits(addNarrowing(command));

const answers: Readonly<Record<string, PutOptions['ifExists']>> = {
  ask: 'ask',
  skip: 'skip',
  'keep-both': 'keepBoth',
  version: 'newVersion',
  replace: 'replace',
  fail: 'fail',
};

/** Adds `put`. */
export function addPutCommand(program: Command, runs: Runs, wait: () => Option): void {
  addTransferOptions(
    addClassification(
      program
        .command('put')
        .description(helpTexts.put)
        .argument('[files...]', helpTexts.putFiles)
        .option('--as <identifier>', helpTexts.putAs)
        .option('--to <folder>', helpTexts.putTo),
      helpTexts.putClassification,
    )
      .option('--deferred', helpTexts.deferred)
      .addOption(
        new Option('--if-exists <answer>', helpTexts.ifExists).choices(Object.keys(answers)).default('ask'),
      ),
  )
    .option('-n, --dry-run', texts.dryRun)
    .addOption(wait())
    .addHelpText('after', ({ command }) => noteOf(command, texts.putPatternNote))
    .action(
      (
        words: string[],
        given: Omit<PutOptions, 'ifExists'> & { ifExists: string } & LimitOptions & Waiting,
      ) =>
        runs(
          async () =>
            limited(
              (await import('../commands/put.ts')).put(words, {
                ...given,
                ifExists: answers[given.ifExists] ?? 'fail',
              }),
              given,
            ),
          { ...given, awaitsInput: words.includes('-') },
        )(),
    );
}

/** Adds `get`. */
export function addGetCommand(program: Command, runs: Runs, wait: () => Option): void {
  addTransferOptions(
    program
      .command('get')
      .description(helpTexts.get)
      .argument('[identifiers...]', helpTexts.newest)
      .option('-o, --output <path>', helpTexts.getOutput)
      .option('--to <directory>', texts.to),
  )
    .option('--all-versions', texts.allVersions)
    .option('--exact', helpTexts.exact)
    .option('-f, --force', helpTexts.force)
    .option('--deferred', helpTexts.deferred)
    .option('-n, --dry-run', texts.dryRun)
    .addOption(wait())
    .addHelpText('after', ({ command }) => noteOf(command, texts.patternNote))
    .action((words: string[], given: GetOptions & LimitOptions & Waiting) =>
      runs(async () => limited((await import('../commands/get.ts')).get(words, given), given), given)(),
    );
}

/** Adds `check` and `rm`. */
export function addTaskCommands(program: Command, runs: Runs, wait: () => Option): void {
  addNarrowing(program.command('check').description(helpTexts.check).argument('[identifiers...]'))
    .option('--all-versions', texts.allVersions)
    .option('--against <dir>', syncTexts.against)
    .addOption(wait())
    .addHelpText('after', ({ command }) => noteOf(command, texts.patternNote))
    .action((words: string[], given: TaskOptions & Waiting & { against?: string }) =>
      runs(async () => {
        const { against, ...options } = given;
        return against === undefined
          ? (await import('../commands/tasks.ts')).check(words, options)
          : (await import('../commands/check-against.ts')).checkAgainst(words, against, options);
      }, given)(),
    );
  addYes(
    addNarrowing(program.command('rm').description(helpTexts.rm).argument('[identifiers...]')).option(
      '--all-versions',
      texts.allVersions,
    ),
    helpTexts.rmYes,
  )
    .option('-n, --dry-run', texts.dryRun)
    .addOption(wait())
    .addHelpText('after', ({ command }) => noteOf(command, texts.patternNote))
    .action((words: string[], given: TaskOptions & Waiting & { yes?: boolean; dryRun?: true }) =>
      runs(async () => (await import('../commands/tasks.ts')).remove(words, given), given)(),
    );
}
