import type { Command, Option } from 'commander';
import { pathOf } from './examples.ts';
import { helpTexts as texts } from './help-texts.ts';

/** Names that other programs use for commands. Keyed by the command's path, then by the word. */
const otherNames: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  '': {
    upload: ['put'],
    copyto: ['put'],
    cp: ['put', 'get'],
    copy: ['put', 'get'],
    download: ['get'],
    fetch: ['get'],
    cat: ['get IDENTIFIER -o -'],
    delete: ['rm'],
    remove: ['rm'],
    list: ['ls'],
    lsf: ['ls'],
    lsjson: ['ls --json'],
    stat: ['info'],
    exists: ['check'],
    verify: ['check'],
    login: ['service add'],
    auth: ['service add', 'service token'],
    config: ['service add', 'service set'],
    configure: ['service add', 'service set'],
    listremotes: ['services'],
    status: ['transfers'],
    jobs: ['transfers'],
    read: ['secret get'],
    exec: ['run'],
  },
  service: {
    ls: ['services'],
    list: ['services'],
    remove: ['service rm'],
    delete: ['service rm'],
    edit: ['service set'],
    update: ['service set'],
    use: ['service default'],
    switch: ['service default'],
    login: ['service add'],
    check: ['service test'],
  },
  secret: {
    list: ['secret ls'],
    read: ['secret get'],
    add: ['secret new'],
    create: ['secret new'],
  },
};

/** Adds advice to errors of the parser, which by itself suggests only commands and options spelled alike. */
export function adviseOn(program: Command): void {
  for (const command of withAllBelow(program)) {
    const names = otherNames[pathOf(command)];
    const isRun = command.name() === 'run';
    command.configureOutput({
      outputError(given, write) {
        const text = given.replace(/^error: /, 'Error: ');
        const other = names && otherName(text, names);
        const dashes =
          isRun && text.startsWith("Error: unknown option '") ? withDashes(program, command) : null;
        write(other ?? (dashes === null ? text : `${text.split('\n', 1).join('')}. ${dashes}\n`));
      },
    });
  }
  program.hook('preAction', (_program, command) => {
    // Otherwise Coffer would take an option meant for the program.
    if (command.name() === 'run' && command.parent === program && takesOptions(program, command))
      command.error(`error: ${withDashes(program, command)}`);
  });
}

function withAllBelow(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withAllBelow)];
}

function otherName(text: string, names: Readonly<Record<string, readonly string[]>>): string | null {
  const [, word = ''] = /^Error: unknown command '([^']*)'/.exec(text) ?? [];
  const meant = Object.hasOwn(names, word) ? names[word] : undefined;
  if (!meant) return null;
  const commands = meant.map((name) => texts.command({ name })).join(texts.or);
  return `Error: ${texts.otherName({ word, commands })}\n`;
}

/** The words after `run`: its own, and from the program on. */
function wordsOf(program: Command, run: Command): { own: string[]; passed: string[] } {
  const { rawArgs } = program as Command & { rawArgs: string[] };
  const words = rawArgs.slice(rawArgs.indexOf(run.name()) + 1);
  const options: readonly Option[] = [...run.options, ...program.options];
  let at = 0;
  while (at < words.length && /^-./.test(words[at] ?? '')) {
    const takesNext = options.some(
      ({ short, long, required }) => required && [short, long].includes(words[at]),
    );
    at += takesNext ? 2 : 1;
  }
  return { own: words.slice(0, at), passed: words.slice(at) };
}

function takesOptions(program: Command, run: Command): boolean {
  const { own, passed } = wordsOf(program, run);
  if (own.includes('--')) return false;
  const end = passed.indexOf('--');
  return passed.slice(0, end < 0 ? undefined : end).some((word) => /^-./.test(word));
}

function withDashes(program: Command, run: Command): string {
  const { own, passed } = wordsOf(program, run);
  const words = [...own, '--', ...passed].map((word) =>
    /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`,
  );
  return texts.putDashes({ words: words.join(' ') });
}
