import type { Command, Option } from 'commander';

/** What to complete: the shell completes `files` and `programs`, Coffer the rest. */
export type Wanted = 'files' | 'programs' | 'services' | 'identifiers' | 'secrets' | 'folders';

export interface Words {
  readonly candidates: readonly string[];
  readonly wanted: Wanted | null;
  /** Given earlier on the line with `--service`. */
  readonly service: string | undefined;
}

/** Keyed by an argument's name or an option's flags. */
const kinds: Readonly<Record<string, Wanted>> = {
  files: 'files',
  file: 'files',
  '-o, --output <path>': 'files',
  '-o, --output <file>': 'files',
  '-i, --input <file>': 'files',
  '--env-file <file>': 'files',
  '--files-from <file>': 'files',
  '--to <directory>': 'files',
  '--against <dir>': 'files',
  '--user-data-dir <folder>': 'files',
  '--ca <file>': 'files',
  '--client-certificate <file>': 'files',
  '--passphrase-file <file>': 'files',
  '--proxy-password-file <file>': 'files',
  '--download-folder <folder>': 'files',
  '-s, --service <name>': 'services',
  dir: 'files',
  to: 'folders',
  identifiers: 'identifiers',
  identifier: 'identifiers',
  service: 'services',
  query: 'folders',
  '--to <folder>': 'folders',
};

/** What may complete the last of `words`. */
export function wordsAt(program: Command, words: readonly string[]): Words {
  const before = words.slice(0, -1);
  const typed = words.at(-1) ?? '';
  let command = program;
  let service: string | undefined;
  let expecting: Option | null = null;
  let given = 0;
  let isOver = false;
  // After `help`, the following words name a command.
  let isHelp = false;
  for (const word of before) {
    if (expecting) {
      if (expecting.long === '--service') service = word;
      expecting = null;
    } else if (word === '--') isOver = true;
    else if (!isOver && word.startsWith('-') && word !== '-') {
      const option = optionsOf(command).find(({ short, long }) => word === short || word === long);
      expecting = option?.required ? option : null;
    } else {
      const sub = command.commands.find((each) => each.name() === word);
      if (sub?.name() === 'help') isHelp = true;
      else if (sub) command = sub;
      else given += 1;
    }
  }
  if (expecting) {
    const { argChoices, flags } = expecting;
    return { candidates: argChoices ?? [], wanted: kinds[flags] ?? null, service };
  }
  if (typed.startsWith('-') && typed !== '-' && !isOver) {
    const names = optionsOf(command).flatMap(({ long, hidden }) => (hidden ? [] : (long ?? [])));
    return { candidates: [...names, '--help'], wanted: null, service };
  }
  if (command.commands.length > 0)
    return { candidates: command.commands.filter(isShown).map((each) => each.name()), wanted: null, service };
  if (isHelp) return { candidates: [], wanted: null, service };
  const argument = command.registeredArguments.at(Math.min(given, command.registeredArguments.length - 1));
  if (!argument || (given >= command.registeredArguments.length && !argument.variadic))
    return { candidates: [], wanted: null, service };
  return {
    candidates: argument.argChoices ?? [],
    wanted: wantedAs(command, argument.name(), given),
    service,
  };
}

function wantedAs(command: Command, argument: string, given: number): Wanted | null {
  if (argument === 'identifier' && command.parent?.name() === 'secret') return 'secrets';
  // First the program, then its arguments.
  if (argument === 'command') return given === 0 ? 'programs' : 'files';
  return kinds[argument] ?? null;
}

/** Options of the command and of its parents. */
function optionsOf(command: Command): Option[] {
  return [...command.options, ...(command.parent ? optionsOf(command.parent) : [])];
}

/** false: an internal command, only for scripts. */
export function isShown(command: Command): boolean {
  return !command.name().startsWith('_');
}
