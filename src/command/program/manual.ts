import { messages } from '../../shared/i18n/messages.ts';
import type { Argument, Command, Option } from 'commander';
import { isShown } from '../completion/complete.ts';
import { exampleLines, pathOf } from './examples.ts';
import { helpTexts } from './help-texts.ts';

/** Texts only for the manual page. */
const texts = messages('commandManual', {
  title: 'User commands',
  name: 'NAME',
  summary: 'objects and secrets of your services, from the command line',
  synopsis: 'SYNOPSIS',
  description: 'DESCRIPTION',
  options: 'OPTIONS',
  commands: 'COMMANDS',
  examples: 'Examples:',
  examplesTitle: 'EXAMPLES',
  exitStatus: 'EXIT STATUS',
  codes: {
    c0: 'Everything was done.',
    c1: 'An error with no exit status of its own.',
    c2: 'The command line is wrong.',
    c3: 'Not found.',
    c4: 'The token is missing, or the service refuses it; or the team’s server refuses you.',
    c5: 'The service, the team’s server, the app or the keychain is away or busy, or the service has not yet deleted what it was asked to: try again later.',
    c6: 'The identifier exists already.',
    c7: 'Forbidden by the service, the team or a person, or too large.',
    c8: 'Some of several failed.',
    c129: 'Ended by SIGHUP: the terminal closed. Standard error says what continues, here and with the signals below.',
    c130: 'Ended by SIGINT (Ctrl+C).',
    c131: 'Ended by SIGQUIT.',
    c143: 'Ended by SIGTERM.',
  },
  environment: 'ENVIRONMENT',
  variables: {
    COFFER_ADDRESS:
      'Together with COFFER_TOKEN the one service to work with, as on build machines: the list is in memory, and nothing is kept.',
    COFFER_TOKEN: 'The token for COFFER_ADDRESS.',
    VISUAL:
      'The editor for “coffer edit” on a terminal without the app; else EDITOR. Its exit status must be 0, or nothing is stored.',
    TMPDIR: 'The folder for temporary files, and for what “coffer edit” could not store.',
    HTTPS_PROXY:
      'The proxy for services whose settings name none, when no app does the work, as http://HOST:PORT; HTTP_PROXY is that for http addresses.',
    NO_PROXY:
      'Hosts to reach without that proxy, separated by commas: example.org, .example.org, or * for all.',
    COFFER_NODE:
      'The program of Node 24 or newer, for a “coffer” that brings none; without it “node” of the PATH is used.',
    NO_COLOR: 'When it is set, no progress bar is shown.',
  },
});

/** When the page last changed; null: it does not say. */
export function dateOf(page: string): string | null {
  return /^\.TH COFFER 1 "(\d{4}-\d{2}-\d{2})"/.exec(page)?.[1] ?? null;
}

/** Generates the manual page from the texts of `--help`. @param date as YYYY-MM-DD */
export function manualOf(program: Command, date: string): string {
  const commands = leavesOf(program);
  return [
    `.TH COFFER 1 "${date}" "Coffer ${program.version()}" "${escape(texts.title)}"`,
    `.SH ${texts.name}`,
    `coffer \\- ${escape(texts.summary)}`,
    `.SH ${texts.synopsis}`,
    '.B coffer',
    '[\\fIoptions\\fR] \\fIcommand\\fR',
    `.SH ${texts.description}`,
    escape(program.description()),
    `.SH ${texts.options}`,
    ...program.options.flatMap(describeOption),
    `.SH ${texts.commands}`,
    ...commands.flatMap(describeCommand),
    `.SH ${texts.exitStatus}`,
    ...Object.entries(texts.codes).flatMap(([code, text]) => ['.TP', `.B ${code.slice(1)}`, escape(text)]),
    `.SH ${texts.environment}`,
    ...Object.entries(texts.variables).flatMap(([name, text]) => ['.TP', `.B ${name}`, escape(text)]),
    `.SH ${texts.examplesTitle}`,
    ...examplesOf(program),
    '',
  ].join('\n');
}

function leavesOf(command: Command): Command[] {
  return command.commands
    .filter(isShown)
    .flatMap((each) => (each.commands.length > 0 ? leavesOf(each) : [each]));
}

function describeCommand(command: Command): string[] {
  const usage = command.registeredArguments.map((argument) => `\\fI${escape(usageOf(argument))}\\fR`);
  const hasOptions = command.options.length > 0 ? [`[\\fI${helpTexts.optionsWord}\\fR]`] : [];
  const named = command.registeredArguments.filter(({ description }) => description !== '');
  const examples = examplesOf(command);
  return [
    `.SS coffer ${[pathOf(command), ...hasOptions, ...usage].join(' ')}`,
    escape(sentence(command.description())),
    ...named.flatMap((argument) => ['.TP', `.I ${escape(argument.name())}`, escape(argument.description)]),
    ...command.options.flatMap(describeOption),
    ...(examples.length > 0 ? ['.P', texts.examples, ...examples] : []),
  ];
}

function usageOf(argument: Argument): string {
  const name = argument.name() + (argument.variadic ? '...' : '');
  return argument.required ? name : `[${name}]`;
}

function describeOption({ flags, description, argChoices, hidden }: Option): string[] {
  if (hidden) return [];
  const choices = argChoices ? ` (${argChoices.join(', ')})` : '';
  return ['.TP', `.B ${escape(flags)}`, escape(description + choices)];
}

function examplesOf(command: Command): string[] {
  const lines = exampleLines(command);
  return lines.length === 0 ? [] : ['.P', '.nf', ...lines.map((line) => `    ${escape(line)}`), '.fi'];
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** Escapes what roff would interpret. */
function escape(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('…', '...')
    .replaceAll('’', '\\(cq')
    .replaceAll('“', '\\(lq')
    .replaceAll('”', '\\(rq')
    .replaceAll(/^[.']/gm, '\\&$&');
}
