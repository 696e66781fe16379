import { Command, InvalidArgumentError, Option } from 'commander';
import type { GetOptions } from './commands/get.ts';
import type { PutOptions } from './commands/put.ts';
import type { Run } from './context.ts';
import { addSecretCommands } from './secrets/program.ts';
import { commandTexts as texts } from './texts.ts';

const answers: Readonly<Record<string, PutOptions['ifExists']>> = {
  ask: 'ask',
  fail: 'fail',
  skip: 'skip',
  'keep-both': 'keepBoth',
  version: 'newVersion',
  replace: 'replace',
};

/** What holds for every command. */
export interface Options {
  readonly service?: string;
  readonly json?: true;
  readonly quiet?: true;
  readonly progress: boolean;
  readonly userDataDir?: string;
}

/**
 * The command line, and what each command runs. Modules of commands are loaded when they are needed: `coffer ls` does not
 * pay for the others.
 */
export function createProgram(version: string, run: (run: Run, options: Options) => Promise<void>): Command {
  const program = new Command('coffer');
  program
    .description(texts.about)
    .version(version)
    .option('-s, --service <name>', texts.service)
    .option('--json', texts.json)
    .option('-q, --quiet', texts.quiet)
    .option('--no-progress', texts.noProgress)
    .option('--user-data-dir <folder>', texts.userDataDir)
    .showSuggestionAfterError()
    .exitOverride();
  const runs = (load: () => Promise<Run>) => async () => run(await load(), program.opts<Options>());

  program
    .command('services')
    .description(texts.services)
    .action(runs(async () => (await import('./commands/list.ts')).services));
  program
    .command('ls')
    .description(texts.ls)
    .argument('[query]', '', '')
    .option('--secrets', texts.lsSecrets)
    .addHelpText('after', `\n${texts.lsExamples}`)
    .action((query: string, { secrets }: { secrets?: true }) =>
      runs(async () => (await import('./commands/list.ts')).list(query, secrets ? 'secret' : 'data'))(),
    );
  program
    .command('put')
    .description(texts.put)
    .argument('<files...>')
    .option('--as <identifier>', texts.putAs)
    .option('--to <folder>', texts.putTo)
    .option('-c, --class <classification>', texts.putClass)
    .option('--deferred', texts.deferred)
    .addOption(
      new Option('--if-exists <answer>', texts.ifExists)
        .choices(['ask', 'fail', 'skip', 'keep-both', 'version', 'replace'])
        .default(process.stdin.isTTY ? 'ask' : 'fail'),
    )
    .addHelpText('after', `\n${texts.putExamples}`)
    .action((files: string[], given: Omit<PutOptions, 'ifExists'> & { ifExists: string }) =>
      runs(async () =>
        (await import('./commands/put.ts')).put(files, {
          ...given,
          ifExists: answers[given.ifExists] ?? 'fail',
        }),
      )(),
    );
  program
    .command('get')
    .description(texts.get)
    .argument('<identifiers...>')
    .option('-o, --output <path>', texts.getOutput)
    .option('--deferred', texts.deferred)
    .addHelpText('after', `\n${texts.getExamples}`)
    .action((ids: string[], given: GetOptions) =>
      runs(async () => (await import('./commands/get.ts')).get(ids, given))(),
    );
  const service = program.command('service').description(texts.serviceCommands);
  service
    .command('add')
    .description(texts.serviceAdd)
    .argument('<name>')
    .argument('<address>')
    .action((name: string, address: string) =>
      runs(async () => (await import('./commands/service.ts')).add(name, address))(),
    );
  service
    .command('test')
    .description(texts.serviceTest)
    .action(runs(async () => (await import('./commands/service.ts')).test));
  service
    .command('token')
    .description(texts.serviceToken)
    .action(runs(async () => (await import('./commands/service.ts')).token));
  program
    .command('info')
    .description(texts.info)
    .argument('<identifiers...>')
    .addHelpText('after', `\n${texts.infoExamples}`)
    .action((ids: string[]) => runs(async () => (await import('./commands/list.ts')).info(ids))());
  program
    .command('check')
    .description(texts.check)
    .argument('<identifiers...>')
    .action((ids: string[]) => runs(async () => (await import('./commands/tasks.ts')).check(ids))());
  program
    .command('rm')
    .description(texts.rm)
    .argument('<identifiers...>')
    .option('-y, --yes', texts.rmYes)
    .action((ids: string[], { yes = false }: { yes?: boolean }) =>
      runs(async () => (await import('./commands/tasks.ts')).remove(ids, { yes }))(),
    );
  program
    .command('known')
    .description(texts.known)
    .argument('<identifiers...>')
    .action((ids: string[]) => runs(async () => (await import('./commands/tasks.ts')).known(ids))());
  program
    .command('transfers')
    .description(texts.transfers)
    .option('-f, --follow', texts.follow)
    .action(({ follow = false }: { follow?: boolean }) =>
      runs(async () => (await import('./commands/transfers.ts')).transfers({ follow }))(),
    );
  program
    .command('pause')
    .description(texts.pause)
    .action(runs(async () => (await import('./commands/transfers.ts')).pause(true)));
  program
    .command('resume')
    .description(texts.resume)
    .action(runs(async () => (await import('./commands/transfers.ts')).pause(false)));
  program
    .command('cancel')
    .description(texts.cancel)
    .argument('[numbers...]', '', toNumber, [])
    .action((ids: number[]) => runs(async () => (await import('./commands/transfers.ts')).cancel(ids))());
  addSecretCommands(program, runs);
  return program;
}

function toNumber(given: string, before: number[]): number[] {
  if (!/^[1-9][0-9]{0,14}$/.test(given)) throw new InvalidArgumentError('');
  return [...before, Number(given)];
}
