import type { Command, Option } from 'commander';
import type { Waiting } from '../context.ts';
import type { InjectOptions } from '../commands/inject.ts';
import type { RunOptions } from '../commands/run.ts';
import { addClassification } from './classification-option.ts';
import type { NewOptions } from '../commands/secret.ts';
import { helpTexts } from './help-texts.ts';
import { noteOf } from '../terminal/layout.ts';
import { gather, type Runs } from './runner.ts';
import { secretTexts as texts } from '../secrets/texts.ts';

/** Passed to texts as a parameter, because braces in texts are placeholders. */
const reference = "'{{ coffer://Archive/secret/db/password }}'";

/** Adds the commands for secrets. */
export function addSecretCommands(program: Command, runs: Runs, wait: () => Option): void {
  const secret = program.command('secret').description(texts.secret).helpCommand(false);
  addClassification(
    secret.command('new').description(texts.new).argument('<identifier>'),
    texts.classification,
  )
    .option('--new-version', texts.newVersion)
    .option('--store-anyway', texts.storeAnyway)
    .option('--renew-by <date>', texts.renewBy)
    .addHelpText('after', ({ command }) => noteOf(command, texts.newNote))
    .action((identifier: string, options: NewOptions) =>
      runs(async () => (await import('../commands/secret.ts')).create(identifier, options), {
        awaitsInput: true,
      })(),
    );
  secret
    .command('get')
    .description(texts.get)
    .argument('<identifier>')
    .option('--reveal', texts.reveal)
    .addOption(wait())
    .action((identifier: string, options: { reveal?: true } & Waiting) =>
      runs(async () => (await import('../commands/secret.ts')).get(identifier, options), options)(),
    );
  secret
    .command('copy')
    .description(texts.copy)
    .argument('<identifier>')
    .addOption(wait())
    .addHelpText('after', ({ command }) => noteOf(command, texts.copyNote))
    .action((identifier: string, options: Waiting) =>
      runs(async () => (await import('../commands/secret.ts')).copy(identifier), options)(),
    );
  secret
    .command('ls')
    .description(texts.ls)
    .argument('[query]')
    .action((query: string | undefined) =>
      runs(async () => (await import('../commands/list.ts')).list(query ?? '', 'secret'))(),
    );
  program
    .command('run')
    .description(texts.run)
    .argument('<command...>')
    .option('--env-file <file>', texts.envFile, gather)
    .option('--no-masking', texts.noMasking)
    .addOption(wait())
    .addHelpText('after', ({ command }) => noteOf(command, texts.runNote({ reference })))
    .action((words: string[], options: RunOptions & Waiting) =>
      runs(async () => (await import('../commands/run.ts')).run(words, options), options)(),
    );
  program
    .command('inject')
    .description(texts.inject)
    .requiredOption('-i, --input <file>', texts.input)
    .requiredOption('-o, --output <file>', texts.output)
    .option('-f, --force', helpTexts.force)
    .option('--reveal', texts.reveal)
    .addOption(wait())
    .addHelpText('after', ({ command }) => noteOf(command, texts.injectNote({ reference })))
    .action((options: InjectOptions & Waiting) =>
      runs(async () => (await import('../commands/inject.ts')).inject(options), {
        ...options,
        awaitsInput: options.input === '-',
      })(),
    );
}
