import { type Command, Option } from 'commander';
import { type TeamKeep, teamKeeps, type TeamMay, teamMays } from '../../shared/domain/team-choices.ts';
import type { JoinOptions } from './team.ts';
import type { Run } from '../context.ts';
import { Usage } from '../errors/errors.ts';
import type { Runs } from '../program/runner.ts';
import { addCuratorCommands } from './curator-program.ts';
import { helpTexts } from '../program/help-texts.ts';
import { toPort } from './numbers.ts';
import { addYes } from '../program/yes-option.ts';
import { teamTexts } from './team-texts.ts';

const texts = teamTexts.help;

/** Adds the commands of `team`. */
export function addTeamCommands(program: Command, runs: Runs): void {
  const team = program.command('team').description(texts.team).helpCommand(false);
  addYes(team.command('join').description(texts.join), helpTexts.rmYes)
    .option('--list <name>', texts.list)
    .option('--only-new', texts.onlyNew)
    .option('--any-address', texts.anyAddress)
    .option('--server <host>', texts.server)
    .addOption(new Option('--port <number>', texts.port).argParser(toPort))
    .option('--database <name>', texts.database)
    .option('--role <name>', texts.role)
    .option('--ca <file>', texts.ca)
    .option('--client-certificate <file>', texts.clientCertificate)
    .option('--passphrase-file <file>', texts.passphraseFile)
    .allowExcessArguments()
    .action((options: JoinOptions, { args }: Command) =>
      runs(async () => (args.length > 0 ? noArgument : (await import('./team.ts')).join(options)))(),
    );
  team
    .command('sign-in')
    .description(texts.signIn)
    .allowExcessArguments()
    .action((_options: object, { args }: Command) =>
      runs(async () => (args.length > 0 ? noArgument : (await import('./team.ts')).signIn))(),
    );
  team
    .command('status')
    .description(texts.status)
    .action(runs(async () => (await import('./team.ts')).status));
  team
    .command('sync')
    .description(texts.sync)
    .action(runs(async () => (await import('./team.ts')).sync));
  team
    .command('leave')
    .description(texts.leave)
    .addOption(new Option('--keep <what>', texts.keep).choices(teamKeeps).default('own'))
    .option('--drop-unshared', texts.dropUnshared)
    .action((options: { keep: TeamKeep; dropUnshared?: true }) =>
      runs(async () => (await import('./team.ts')).leave(options))(),
    );
  team
    .command('people')
    .description(texts.people)
    .action(runs(async () => (await import('./team.ts')).people));
  team
    .command('invite')
    .description(texts.invite)
    .argument('<role>', texts.inviteRole)
    .option('--name <name>', texts.inviteName)
    .addOption(new Option('--may <what>', texts.may).choices(teamMays).default('contribute'))
    .action((role: string, options: { name?: string; may: TeamMay }) =>
      runs(async () => (await import('./team.ts')).invite(role, options))(),
    );
  team
    .command('invite-computer')
    .description(texts.inviteComputer)
    .action(runs(async () => (await import('./team.ts')).inviteComputer));
  addCuratorCommands(team, runs);
}

/** Refuses an argument without repeating it, as Commander would: logs would keep the invitation. */
const noArgument: Run = async () => {
  throw new Usage(teamTexts.noArgument);
};
