import { Argument, type Command, Option } from 'commander';
import { type TeamMay, teamMays } from '../../shared/domain/team-choices.ts';
import type { CreateOptions } from './team-create.ts';
import type { Runs } from '../program/runner.ts';
import { toNumber, toPort } from './numbers.ts';
import { teamTexts } from './team-texts.ts';

const texts = teamTexts.help;

/** Adds the commands of curators and of the owner of a database. */
export function addCuratorCommands(team: Command, runs: Runs): void {
  team
    .command('areas')
    .description(texts.areas)
    .action(runs(async () => (await import('./team-curation.ts')).areas));
  team
    .command('add-area')
    .description(texts.addArea)
    .argument('[folder]', texts.folder)
    .option('--classification <value>', texts.areaClassification)
    .option('--keep-access', texts.keepAccess)
    .action((folder: string | undefined, options: { classification?: string; keepAccess?: true }) =>
      runs(async () => (await import('./team-curation.ts')).addArea(folder, options))(),
    );
  team
    .command('remove-area')
    .description(texts.removeArea)
    .addArgument(new Argument('<area>', texts.area).argParser(toNumber))
    .action((area: number) => runs(async () => (await import('./team-curation.ts')).removeArea(area))());
  team
    .command('grant')
    .description(texts.grant)
    .argument('<person>', texts.person)
    .addArgument(new Argument('<may>', texts.grantMay).choices(['none', ...teamMays]))
    .addOption(new Option('--area <number>', texts.grantArea).argParser(toNumber))
    .action((person: string, may: 'none' | TeamMay, options: { area?: number }) =>
      runs(async () => (await import('./team-curation.ts')).grant(person, may, options))(),
    );
  team
    .command('end')
    .description(texts.end)
    .argument('<person>', texts.person)
    .option('--undo', texts.undo)
    .action((person: string, options: { undo?: true }) =>
      runs(async () => (await import('./team-curation.ts')).end(person, options))(),
    );
  team
    .command('share')
    .description(texts.share)
    .addArgument(new Argument('<what>', texts.what).choices(['secrets', 'notes', 'file-names']))
    .option('--stop', texts.stop)
    .action((what: 'secrets' | 'notes' | 'file-names', options: { stop?: true }) =>
      runs(async () => (await import('./team-curation.ts')).share(what, options))(),
    );
  team
    .command('compare')
    .description(texts.compare)
    .action(runs(async () => (await import('./team-curation.ts')).compare));
  team
    .command('create')
    .description(texts.create)
    .requiredOption('--server <host>', texts.createServer)
    .addOption(new Option('--port <number>', texts.port).argParser(toPort))
    .requiredOption('--database <name>', texts.database)
    .requiredOption('--role <name>', texts.owner)
    .option('--ca <file>', texts.ca)
    .option('--client-certificate <file>', texts.clientCertificate)
    .option('--passphrase-file <file>', texts.passphraseFile)
    .requiredOption('--list <name>', texts.createList)
    .requiredOption('--curator <role>', texts.curator)
    .option('--name <name>', texts.curatorName)
    .option('--no-roles', texts.noRoles)
    .addOption(new Option('--curator-may-take-over-server', texts.mayTakeOver).conflicts('roles'))
    .action((options: CreateOptions) =>
      runs(async () => (await import('./team-create.ts')).create(options))(),
    );
}
