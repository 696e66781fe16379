import { basename, resolve } from 'node:path';
import { realpathSync, statSync } from '../local-files/fs.ts';
import type { Process } from './proc.ts';

/** How every command line of `coffer` begins, as a person types it. */
export const commandName = 'coffer';

/** The command's options, compared with its parser in `src/command/program/program-of.test.ts`. */
export const commandOptions = {
  withValue: { ofAll: ['-s', '--service', '--user-data-dir'], ofRun: ['--env-file', '--wait'] },
  flagsOfAll: ['--json', '-q', '--quiet', '--no-progress', '--no-color', '--no-input'],
} as const;

/** Arguments that `bin/coffer` puts between Node and the script. Any other option may make Node run other code. */
const harmlessOptions = new Set([
  '--disable-warning=ExperimentalWarning',
  '--min-semi-space-size=4',
  '--max-semi-space-size=4',
  '--',
]);

/**
 * The words after the command's name; null: it is another program.
 * @param ownFiles paths of the command's executable and script
 */
export function wordsOfCommand(
  {
    executable,
    executableFile,
    words,
    folder,
  }: Pick<Process, 'executable' | 'executableFile' | 'words' | 'folder'>,
  ownFiles: readonly string[],
): readonly string[] | null {
  const isRun = (path: string) => {
    const file = statSync(path, { bigint: true, throwIfNoEntry: false });
    return file && file.dev === executableFile?.dev && file.ino === executableFile.ino;
  };
  if (ownFiles.some(isRun)) return words.slice(1);
  if (!/^node(\.exe)?$/.test(basename(executable))) return null;
  const at = words.findIndex((word, index) => index > 0 && !harmlessOptions.has(word));
  const script = words[at];
  if (script === undefined || !ownFiles.includes(realPath(resolve(folder, script)))) return null;
  return words.slice(at + 1);
}

/**
 * The program that `coffer run` starts, found as by the command's parser: it first removes the options of all commands, wherever they
 * are before `--`, then those of `run`. Other commands use the values themselves.
 */
export function programOf(words: readonly string[]): string[] {
  const { withValue, flagsOfAll } = commandOptions;
  const rest = without(without(words, withValue.ofAll, flagsOfAll), withValue.ofRun);
  const dashes = rest.indexOf('--');
  const isOperand = (word: string, at: number) =>
    dashes < 0 || at < dashes ? !word.startsWith('-') || word === '-' : at > dashes;
  const [command, ...program] = rest.filter(isOperand);
  return command === 'run' && program.length > 0 ? program : [commandName];
}

/** Removes these options and their values, which may even be `--`. */
function without(
  words: readonly string[],
  options: readonly string[],
  flags: readonly string[] = [],
): string[] {
  const rest: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === '--') return [...rest, ...words.slice(at)];
    // `-qs NAME`, `-qsNAME`: short options are written together.
    const [, short, attached] = /^-q*(s)(.*)$/.exec(word) ?? [];
    const option = short === undefined ? word : `-${short}`;
    if (!options.includes(option)) rest.push(...(flags.includes(word) ? [] : [word]));
    else if (!attached) at += 1;
  }
  return rest;
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
