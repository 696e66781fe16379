import { Option, type Command } from 'commander';
import type { SyncOptions } from '../commands/sync.ts';
import { helpTexts } from '../help-texts.ts';
import type { Runs, Waiting } from '../runner.ts';
import { addFilters } from '../selection-program.ts';
import { selectionTexts } from '../selection-texts.ts';
import { syncTexts as texts } from './texts.ts';

const answers: Readonly<Record<string, SyncOptions['ifExists']>> = {
  version: 'newVersion',
  replace: 'replace',
  skip: 'skip',
};

type Given = Omit<SyncOptions, 'ifExists'> & { ifExists: string } & Waiting;

const toOptions = (given: Given): SyncOptions => ({
  ...given,
  ifExists: answers[given.ifExists] ?? 'newVersion',
});

/** Adds `sync`. */
export function addSyncCommands(program: Command, runs: Runs, wait: () => Option): void {
  addFilters(
    program
      .command('sync')
      .description(texts.sync)
      .argument('<dir>', texts.directory)
      .argument('<to>', texts.folder),
  )
    .option('-c, --class <classification>', helpTexts.putClass)
    .option('--deferred', helpTexts.deferred)
    .addOption(
      new Option('--if-exists <answer>', texts.ifExists).choices(Object.keys(answers)).default('version'),
    )
    .option('--delete', texts.delete)
    .option('-y, --yes', texts.yes)
    .option('-n, --dry-run', selectionTexts.dryRun)
    .addOption(wait())
    .addHelpText('after', `\n${texts.syncNote}`)
    .action((directory: string, folder: string, given: Given) =>
      runs(
        async () => (await import('../commands/sync.ts')).sync(directory, folder, toOptions(given)),
        given,
      )(),
    );
}
