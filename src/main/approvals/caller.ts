import type { Ask, Claim, Terminal } from '../../shared/domain/approval.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import { lstatSync } from '../local-files/fs.ts';
import type { Holder } from './approval-book.ts';
import { commandName, programOf, wordsOfCommand } from './command-line.ts';
import { readProcess, startedAtMs, terminalName, type Process } from './proc.ts';
import type { Proof } from './tickets.ts';

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
 * Identifies the command that asks. Node does not provide the peer's credentials (SO_PEERCRED). On Linux the command
 * proves its process id by holding open a file whose name only it was told, and everything else is read from /proc;
 * other systems offer no proof, so the command is believed. In any case, all programs of one user can ultimately
 * act for each other: see docs/secrets-for-programs.md.
 * @param ownFiles real paths of the command's executable and script: any other caller counts as the program that gets the secrets
 * @throws AppFailure approvalRefused (unproven)
 */
export function identify(claim: Claim, proof: Proof | null, ownFiles: readonly string[]): Caller {
  const isThere = () => isRunning(claim.pid);
  if (proof === null) return { ...believe(claim), isThere };
  const process = readProcess(claim.pid);
  if (!process || !holdsOpen(process, proof)) {
    throw new AppFailure({ code: 'approvalRefused', reason: 'unproven' });
  }
  const line = [process.executable, ...process.words.slice(1)];
  const words = wordsOfCommand(process, ownFiles);
  return {
    words: line,
    program: words === null ? line : programOf(words),
    folder: process.folder,
    holder: holderOf(process),
    isProven: true,
    isThere,
  };
}

function believe({ pid, parentPid, words, folder, hasTerminal }: Claim): Omit<Caller, 'isThere'> {
  const terminal: Terminal | null = hasTerminal ? { name: '', shownBy: null, openSinceMs: null } : null;
  return {
    words: [commandName, ...words],
    program: programOf(words),
    folder,
    holder: {
      key: `believed ${String(parentPid > 1 ? parentPid : pid)}`,
      isLasting: parentPid > 1,
      terminal,
      startedBy: null,
    },
    isProven: false,
  };
}

/** Inode numbers are reused, so the file must still exist, with the same time of creation. */
function holdsOpen(process: Process, { path, created }: Proof): boolean {
  const now = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  const isSame =
    now?.dev === created.dev && now.ino === created.ino && now.birthtimeNs === created.birthtimeNs;
  return (
    isSame &&
    process.openFiles().some(({ dev, ino }) => BigInt(dev) === created.dev && BigInt(ino) === created.ino)
  );
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
