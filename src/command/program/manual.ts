import type { Argument, Command, Option } from 'commander';
import { isShown } from '../completion/complete.ts';
import { exampleLines, pathOf } from './examples.ts';
import { helpTexts } from './help-texts.ts';
import { manualTexts as texts } from './manual-texts.ts';

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
