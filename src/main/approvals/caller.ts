import { basename, resolve } from 'node:path';
import type { Ask, StatedIdentity, Terminal } from '../../shared/domain/approval.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import { realpathSync, statSync } from '../local-files/fs.ts';
import { type Process, readMark, readProcess, startedAtMs, terminalName } from './proc.ts';
import type { Holder } from './approval-book.ts';

/** How every command line of `coffer` begins, as a person types it. */
const commandName = 'coffer';

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

/** Who asks for secrets. */
export interface Caller extends Pick<Ask, 'program' | 'folder' | 'isProven'> {
  /** The command line; where it is proven, it begins with the file that runs. */
  readonly words: readonly string[];
  readonly holder: Holder;
  /** Whether the command still runs. */
  isThere(): boolean;
}

/** Parents that start all programs, and so identify none. */
const starters = new Set(['init', 'systemd', 'launchd']);

/**
 * Identifies the command that asks. Node does not provide the peer's credentials (SO_PEERCRED). On Linux the command marks its process
 * (process-mark.ts), and everything else is read from /proc; other systems offer no proof, so the command is believed.
 * What programs of one user can do for each other all the same: docs/secrets-for-programs.md.
 * @param mark that the process must have; null: the system offers no proof
 * @param ownFiles paths of the command's executable and script: any other caller counts as the program that gets the secrets
 * @throws AppFailure approvalRefused (unproven)
 */
export function identify(
  statedIdentity: StatedIdentity,
  mark: string | null,
  ownFiles: readonly string[],
): Caller {
  const { pid } = statedIdentity;
  if (mark === null) return { ...believe(statedIdentity), isThere: () => isRunning(pid) };
  const process = readProcess(pid);
  // Read last: whatever the process was before it became what was read above, the mark is of what it is now.
  const marked = readMark(pid);
  if (!process || marked?.mark !== mark || marked.startTicks !== process.startTicks)
    throw new AppFailure({ code: 'approvalRefused', reason: 'unproven' });
  const line = [process.executable, ...process.words.slice(1)];
  const words = wordsOfCommand(process, ownFiles);
  return {
    words: line,
    program: words === null ? line : programOf(words),
    folder: process.folder,
    holder: holderOf(process),
    isProven: true,
    isThere: () => readMark(pid)?.startTicks === process.startTicks,
  };
}

function believe({ pid, words, folder, hasTerminal }: StatedIdentity): Omit<Caller, 'isThere'> {
  const terminal: Terminal | null = hasTerminal ? { name: '', shownBy: null, openSinceMs: null } : null;
  return {
    words: [commandName, ...words],
    program: programOf(words),
    folder,
    // Any program could say that it has the same terminal or parent.
    holder: { key: `believed ${String(pid)}`, isLasting: false, terminal, startedBy: null },
    isProven: false,
  };
}

/** Identifies a terminal by its session leader and when that started: both numbers alone are reused. */
function holderOf({ pid, parentPid, sessionPid, terminalNumber, startTicks }: Process): Holder {
  const leader = terminalNumber === 0 ? null : readProcess(sessionPid);
  if (leader) {
    return {
      key: `terminal ${String(terminalNumber)} ${String(leader.pid)} ${String(leader.startTicks)}`,
      isLasting: true,
      terminal: {
        name: terminalName(terminalNumber),
        shownBy: readProcess(leader.parentPid)?.name ?? null,
        openSinceMs: startedAtMs(leader),
      },
      startedBy: null,
    };
  }
  const parent = readProcess(parentPid);
  const startedBy = parent?.name ?? null;
  return parent && parent.pid !== 1 && !starters.has(parent.name)
    ? {
        key: `program ${String(parent.pid)} ${String(parent.startTicks)}`,
        isLasting: true,
        terminal: null,
        startedBy,
      }
    : { key: `command ${String(pid)} ${String(startTicks)}`, isLasting: false, terminal: null, startedBy };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (cause) {
    // The process runs, and belongs to another user.
    return cause instanceof Error && 'code' in cause && cause.code === 'EPERM';
  }
}
