import { InvalidArgumentError, Option, type Command } from 'commander';
import type { Waiting } from '../context.ts';
import { addClassification } from './classification-option.ts';
import type { SyncOptions } from '../commands/sync.ts';
import { helpTexts } from './help-texts.ts';
import { noteOf } from '../terminal/layout.ts';
import { addLimits, limited, type LimitOptions } from '../transfers/limits.ts';
import { toSeconds, type Runs } from './runner.ts';
import { addFilters } from './selection-program.ts';
import { selectionTexts } from '../files/selection-texts.ts';
import { readMaxDelete, type MaxDelete } from '../sync/max-delete.ts';
import { syncTexts as texts } from '../sync/texts.ts';
import { addYes } from './yes-option.ts';

const answers: Readonly<Record<string, SyncOptions['ifExists']>> = {
  version: 'newVersion',
  replace: 'replace',
  skip: 'skip',
};

export type Given = Omit<SyncOptions, 'ifExists'> & { ifExists: string } & LimitOptions & Waiting;

export const toOptions = (given: Given): SyncOptions => ({
  ...given,
  ifExists: answers[given.ifExists] ?? 'newVersion',
});

/** @throws InvalidArgumentError */
function toMaxDelete(given: string): MaxDelete {
  const max = readMaxDelete(given);
  if (max === null) throw new InvalidArgumentError(texts.notMaxDelete);
  return max;
}

export const settleOption = (words: string) =>
  new Option('--settle <seconds>', words).argParser(toSeconds).default(5, '5');

export function addSyncOptions(command: Command, wait: () => Option): Command {
  addYes(
    addClassification(addLimits(addFilters(command)), helpTexts.putClassification)
      .option('--deferred', helpTexts.deferred)
      .addOption(
        new Option('--if-exists <answer>', texts.ifExists).choices(Object.keys(answers)).default('version'),
      )
      .option('--delete', texts.delete)
      .option('--all-versions', texts.allVersions)
      .addOption(new Option('--max-delete <n|p%>', texts.maxDelete).argParser(toMaxDelete)),
    texts.yes,
  ).addOption(wait());
  return command;
}

/** Adds `sync`. */
export function addSyncCommand(program: Command, runs: Runs, wait: () => Option): void {
  addSyncOptions(
    program
      .command('sync')
      .description(texts.sync)
      .argument('<dir>', texts.directory)
      .argument('<to>', texts.folder),
    wait,
  )
    .addOption(settleOption(texts.settleDeleted))
    .option('-n, --dry-run', selectionTexts.dryRun)
    .addHelpText('after', ({ command }) => noteOf(command, texts.syncNote))
    .action((directory: string, folder: string, given: Given) =>
      runs(
        async () =>
          limited((await import('../commands/sync.ts')).sync(directory, folder, toOptions(given)), given),
        given,
      )(),
    );
}
