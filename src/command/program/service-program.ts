import { InvalidArgumentError, Option, type Command } from 'commander';
import type { RemoveOptions } from '../commands/service-settings.ts';
import type { Runs } from './runner.ts';
import { helpTexts } from './help-texts.ts';
import { addYes } from './yes-option.ts';
import type { ServiceOptions } from '../services/service-options.ts';
import { serviceTexts } from '../services/service-texts.ts';

const texts = serviceTexts.help;

/** Adds the commands of `service`. */
export function addServiceCommands(program: Command, runs: Runs): void {
  const service = program.command('service').description(texts.service).helpCommand(false);
  addSettings(service.command('add').description(texts.add).argument('<name>').argument('<address>')).action(
    (name: string, address: string, options: ServiceOptions) =>
      runs(async () => (await import('../commands/service.ts')).add(name, address, options))(),
  );
  service
    .command('test')
    .description(texts.test)
    .option('--try', texts.try)
    .action((options: { try?: true }) =>
      runs(async () => (await import('../commands/service.ts')).test({ tries: options.try ?? false }))(),
    );
  service
    .command('token')
    .description(texts.token)
    .action(runs(async () => (await import('../commands/service.ts')).token));
  addSettings(
    service
      .command('set')
      .description(texts.set)
      .argument('<service>', texts.named)
      .option('--address <address>', texts.newAddress)
      .option('--cancel-transfers', texts.cancel),
  ).action((name: string, options: ServiceOptions) =>
    runs(async () => (await import('../commands/service-settings.ts')).set(name, options))(),
  );
  service
    .command('rename')
    .description(texts.rename)
    .argument('<service>', texts.named)
    .argument('<name>', texts.newName)
    .action((before: string, name: string) =>
      runs(async () => (await import('../commands/service-settings.ts')).rename(before, name))(),
    );
  service
    .command('default')
    .description(texts.default)
    .argument('<service>', texts.named)
    .action((name: string) =>
      runs(async () => (await import('../commands/service-settings.ts')).makeDefault(name))(),
    );
  addYes(service.command('rm').description(texts.rm).argument('<service>', texts.named), helpTexts.rmYes)
    .option('--forget-list', texts.forgetList)
    .option('--drop-unshared', texts.dropUnshared)
    .option('--drop-unfinished', texts.dropUnfinished)
    .action((name: string, options: RemoveOptions) =>
      runs(async () => (await import('../commands/service-settings.ts')).remove(name, options))(),
    );
}

/** Adds options for all fields of the connection form. */
function addSettings(command: Command): Command {
  return command
    .option('--no-check', texts.noCheck)
    .option('--try', texts.try)
    .option('--proxy <proxy>', texts.proxy)
    .option('--proxy-user <user>', texts.proxyUser)
    .option('--proxy-password-file <file>', texts.proxyPasswordFile)
    .option('--ca <file>', texts.ca)
    .option('--client-certificate <file>', texts.clientCertificate)
    .option('--passphrase-file <file>', texts.passphraseFile)
    .option('--download-folder <folder>', texts.downloadFolder)
    .option('--classification-address <address>', texts.classificationAddress)
    .addOption(new Option('--classification <name>', texts.classification).argParser(addTo))
    .addOption(new Option('--max-object <bytes>', texts.maxObject).argParser(toBytes))
    .addOption(new Option('--max-secret <bytes>', texts.maxSecret).argParser(toBytes))
    .option('--parts', texts.parts)
    .option('--no-parts', texts.noParts)
    .option('--identifier-template <template>', texts.identifierTemplate)
    .option('--separator <text>', texts.separator)
    .option('--version-mark <text>', texts.versionMark)
    .option('--allow-http', texts.allowHttp)
    .option('--no-allow-http', texts.noAllowHttp);
}

function addTo(name: string, before: readonly string[] | undefined): string[] {
  return [...(before ?? []), name];
}

function toBytes(given: string): number | null {
  if (given === 'default') return null;
  const bytes = /^[1-9][0-9]{0,15}$/.test(given) ? Number(given) : Number.NaN;
  if (!Number.isSafeInteger(bytes))
    throw new InvalidArgumentError(serviceTexts.notABytes({ max: Number.MAX_SAFE_INTEGER }));
  return bytes;
}
