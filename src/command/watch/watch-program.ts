import { Option, type Command } from 'commander';
import { addSyncOptions, settleOption, toOptions, type Given } from '../program/sync-program.ts';
import { toSeconds, type Runs, type RunsAlone } from '../program/runner.ts';
import { syncTexts as texts } from '../sync/texts.ts';
import { noteOf } from '../terminal/layout.ts';
import type { Timing } from './watch.ts';

type Listing = { list?: true };

/** Adds `watch`. */
export function addWatchCommand(
  program: Command,
  runs: Runs,
  runsAlone: RunsAlone,
  wait: () => Option,
): void {
  addSyncOptions(
    program
      .command('watch')
      .description(texts.watch)
      .argument('[dir]', texts.directory)
      .argument('[to]', texts.folder),
    wait,
  )
    .option('--list', texts.watchList)
    .addOption(settleOption(texts.settle))
    .addOption(new Option('--every <seconds>', texts.every).argParser(toSeconds).default(600, '600'))
    .addHelpText('after', ({ command }) => noteOf(command, texts.watchNote))
    .action((directory: string | undefined, folder: string | undefined, given: Given & Timing & Listing) =>
      given.list === true
        ? runs(async () => (await import('./watch.ts')).watchList(directory), given)()
        : runsAlone(async () =>
            (await import('./watch.ts')).watch(directory, folder, {
              ...given,
              ...toOptions(given),
            }),
          )(),
    );
}
