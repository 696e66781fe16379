import { Command, InvalidArgumentError, Option } from 'commander';
import type { Waiting } from '../context.ts';
import type { ListFormat } from '../commands/exchange.ts';
import { type Shell, shells } from '../completion/completion-scripts.ts';
import type { CommandIo } from '../terminal/io.ts';
import { helpLayout } from '../terminal/layout.ts';
import { ClassificationOption } from './classification-option.ts';
import { helpTexts as texts } from './help-texts.ts';
import { addExamples, addHelpCommands, outputTo, shortenBareHelp } from './help-program.ts';
import { type Options, type Runner, type Runs, type RunsAlone, toSeconds } from './runner.ts';
import { addSecretCommands } from './secret-program.ts';
import { addServiceCommands } from './service-program.ts';
import { adviseOn } from './usage-advice.ts';
import { addSyncCommand } from './sync-program.ts';
import { addWatchCommand } from '../watch/watch-program.ts';
import { addTeamCommands } from '../team/team-program.ts';
import { addGetCommand, addPutCommand, addTaskCommands } from './selection-program.ts';

/** Number of words that are the command's own; it passes the others on unchanged. */
const ownWords = new Map([
  ['run', 1],
  ['_complete', 0],
]);

/**
 * Refuses empty arguments and option values of all commands. They usually come from an unset variable, and an empty path would mean
 * the current folder.
 */
function refuseEmpty(program: Command): void {
  program.hook('preAction', (_program, command) => {
    const { args, registeredArguments: known } = command;
    args.slice(0, ownWords.get(command.name())).forEach((word, index) => {
      if (word === '') refuse(command, `<${(known[index] ?? known.at(-1))?.name() ?? ''}>`);
    });
    for (const each of [command, program])
      for (const option of each.options) {
        const name = option.attributeName();
        const value: unknown = each.opts()[name];
        if (!(option instanceof ClassificationOption) && [value].flat().includes(''))
          refuse(command, option.long ?? name);
      }
  });
}

function refuse(command: Command, name: string): never {
  return command.error(`error: ${texts.empty({ name })}`);
}

/**
 * Declares the command line. Each command's module is loaded on use, so `coffer ls` does not pay for the others.
 */
export function createProgram(
  version: string,
  { run, runAlone }: Runner,
  io?: Pick<CommandIo, 'stdout' | 'stderr'>,
): Command {
  const program = new Command('coffer');
  program
    .description(texts.about)
    .version(version, '-V, --version', texts.version)
    .helpOption('-h, --help', texts.help)
    .helpCommand(false)
    .option('-s, --service <name>', texts.service)
    .option('--json', texts.json)
    .option('-q, --quiet', texts.quiet)
    .option('--no-progress', texts.noProgress)
    .option('--no-color', texts.noColor)
    .option('--no-input', texts.noInput)
    .option('--user-data-dir <folder>', texts.userDataDir)
    .showSuggestionAfterError()
    .configureHelp(helpLayout)
    .exitOverride();
  if (io) program.configureOutput(outputTo(io));
  const runs: Runs =
    (load, { wait: seconds, recovers, awaitsInput = false } = {}) =>
    async () =>
      run(await load(), {
        ...program.opts<Options>(),
        ...(seconds !== undefined && { wait: seconds }),
        ...(recovers !== undefined && { recovers }),
        awaitsInput,
      });
  const runsAlone: RunsAlone = (load) => async () => runAlone(await load(), program.opts<Options>());
  const wait = () => new Option('--wait <seconds>', texts.wait).argParser(toSeconds);
  const format = () => new Option('--format <format>', texts.format).choices(['jsonl', 'csv']);

  program
    .command('services')
    .description(texts.services)
    .addOption(new Option('--wait <seconds>', texts.servicesWait).argParser(toSeconds))
    .action((given: Waiting) =>
      runs(
        async () => (await import('../commands/services.ts')).services({ asks: given.wait !== undefined }),
        given,
      )(),
    );
  program
    .command('ls')
    .description(texts.ls)
    .argument('[query]', texts.lsQuery)
    .option('--secrets', texts.lsSecrets)
    .action((query: string | undefined, { secrets }: { secrets?: true }) =>
      runs(async () =>
        (await import('../commands/list.ts')).list(query ?? '', secrets ? 'secret' : 'data'),
      )(),
    );
  program
    .command('info')
    .description(texts.info)
    .argument('<identifiers...>')
    .addOption(wait())
    .action((ids: string[], given: Waiting) =>
      runs(async () => (await import('../commands/list.ts')).info(ids), given)(),
    );
  addPutCommand(program, runs, wait);
  program
    .command('recover')
    .description(texts.recover)
    .argument('<folder>', texts.recoverFolder)
    .addOption(wait())
    .action((recovers: string, given: Waiting) =>
      runs(async () => (await import('../commands/recover.ts')).recover, { ...given, recovers })(),
    );
  addGetCommand(program, runs, wait);
  addSyncCommand(program, runs, wait);
  addWatchCommand(program, runs, runsAlone, wait);
  program
    .command('open')
    .description(texts.open)
    .argument('<identifier>', texts.newest)
    .option('--exact', texts.exact)
    .addOption(wait())
    .action((id: string, given: Waiting & { exact?: true }) =>
      runs(async () => (await import('../commands/open.ts')).open(id, given), given)(),
    );
  program
    .command('edit')
    .description(texts.edit)
    .argument('<identifier>', texts.newest)
    .option('--exact', texts.exact)
    .addOption(wait())
    .action((id: string, given: Waiting & { exact?: true }) =>
      runs(async () => (await import('../commands/edit.ts')).edit(id, given), given)(),
    );
  program
    .command('versions')
    .description(texts.versions)
    .argument('<identifier>')
    .addOption(wait())
    .action((id: string, given: Waiting) =>
      runs(async () => (await import('../commands/versions.ts')).versions(id), given)(),
    );
  addTaskCommands(program, runs, wait);
  program
    .command('known')
    .description(texts.known)
    .argument('<identifiers...>')
    .addOption(wait())
    .action((ids: string[], given: Waiting) =>
      runs(async () => (await import('../commands/tasks.ts')).known(ids), given)(),
    );
  program
    .command('export')
    .description(texts.export)
    .argument('<file>', texts.exportFile)
    .addOption(format())
    .option('-f, --force', texts.force)
    .action((file: string, options: { format?: ListFormat; force?: true }) =>
      runs(async () => (await import('../commands/exchange.ts')).exportList(file, options))(),
    );
  program
    .command('import')
    .description(texts.import)
    .argument('<file>', texts.importFile)
    .addOption(format())
    .option('--encoding <name>', texts.encoding)
    .action((file: string, options: { format?: ListFormat; encoding?: string }) =>
      runs(async () => (await import('../commands/exchange.ts')).importList(file, options))(),
    );
  program
    .command('transfers')
    .description(texts.transfers)
    .option('-f, --follow', texts.follow)
    .action(({ follow = false }: { follow?: boolean }) =>
      runs(async () => (await import('../commands/transfers.ts')).transfers({ follow }))(),
    );
  program
    .command('pause')
    .description(texts.pause)
    .action(runs(async () => (await import('../commands/transfers.ts')).pause(true)));
  program
    .command('resume')
    .description(texts.resume)
    .action(runs(async () => (await import('../commands/transfers.ts')).pause(false)));
  program
    .command('cancel')
    .description(texts.cancel)
    .argument('[numbers...]', texts.cancelNumbers, toNumber)
    .action((ids: number[]) => runs(async () => (await import('../commands/transfers.ts')).cancel(ids))());
  addServiceCommands(program, runs);
  addTeamCommands(program, runs);
  addSecretCommands(program, runs, wait);
  addHelpCommands(program, version, runsAlone);
  program
    .command('completion')
    .description(texts.completion)
    .addArgument(program.createArgument('<shell>').choices(shells))
    .action((shell: Shell) =>
      runsAlone(async () => (await import('../commands/completion.ts')).completion(shell))(),
    );
  program
    .command('_complete', { hidden: true })
    .argument('[words...]')
    .option('--next')
    .action((typed: string[], { next }: { next?: true }) => {
      const words = next ? [...typed, ''] : typed;
      return runsAlone(async () => (await import('../commands/completion.ts')).complete(program, words))();
    });
  program
    .command('doctor')
    .description(texts.doctor)
    .option('--remove-parts <upload...>', texts.doctorRemoveParts)
    .option('--report <file>', texts.doctorReport)
    .option('--with-names', texts.doctorWithNames)
    .option('-f, --force', texts.doctorForce)
    .action(({ removeParts = [], report: to, withNames = false, force = false }: DoctorOptions) =>
      runsAlone(async () =>
        (await import('../commands/doctor.ts')).doctor(
          removeParts,
          to === undefined ? null : { to, withNames, isForced: force },
        ),
      )(),
    );
  addExamples(program);
  shortenBareHelp(program);
  refuseEmpty(program);
  adviseOn(program);
  return program;
}

interface DoctorOptions {
  readonly removeParts?: string[];
  readonly report?: string;
  readonly withNames?: boolean;
  readonly force?: boolean;
}

function toNumber(given: string, before: readonly number[] = []): number[] {
  if (!/^[1-9][0-9]{0,14}$/.test(given)) throw new InvalidArgumentError(texts.notANumber);
  return [...before, Number(given)];
}
