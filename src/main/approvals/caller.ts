import { basename } from 'node:path';
import type { Ask, Claim, Terminal } from '../../shared/domain/approval.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import { statSync } from '../local-files/fs.ts';
import type { Holder } from './approval-book.ts';
import { readProcess, startedAtMs, terminalName, type Process } from './proc.ts';

/** Who asks for secrets. */
export interface Caller extends Pick<Ask, 'program' | 'folder' | 'isProven'> {
  /** Of the command, after its name. */
  readonly words: readonly string[];
  readonly holder: Holder;
  /** Whether the command still runs. */
  isThere(): boolean;
}

/** The start of every command line of `coffer`, as a person types it. */
const name = 'coffer';
/** A parent that starts everything for everybody is not one program. */
const starters = new Set(['init', 'systemd', 'launchd']);

/**
 * Finds out who a command is. Node does not tell who is at the other end of a socket (SO_PEERCRED). On Linux the command proves
 * its process number by holding a file open whose name it alone was told, and everything else is read from /proc; other systems
 * have no such way here, and the command is believed. Either way all programs of one person may in the end act for each other:
 * docs/secrets-for-programs.md says what that means.
 * @throws AppFailure approvalRefused (unproven)
 */
export function identify(claim: Claim, proof: string | null): Caller {
  const isThere = () => isRunning(claim.pid);
  if (proof === null) return { ...believe(claim), isThere };
  const process = readProcess(claim.pid);
  if (!process || !holdsOpen(process, proof)) {
    throw new AppFailure({ code: 'approvalRefused', reason: 'unproven' });
  }
  const words = wordsOf(process.words);
  return {
    words: [name, ...words],
    program: programOf(words),
    folder: process.folder,
    holder: holderOf(process),
    isProven: true,
    isThere,
  };
}

function believe({ pid, parentPid, words, folder, hasTerminal }: Claim): Omit<Caller, 'isThere'> {
  const terminal: Terminal | null = hasTerminal ? { name: '', shownBy: null, openSinceMs: null } : null;
  return {
    words: [name, ...words],
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

/** Without what runs it; of another program that speaks as a command does, everything. */
function wordsOf(all: readonly string[]): readonly string[] {
  const at = all.findIndex((word) => /^(command\.js|index\.ts)$/.test(basename(word)));
  return at < 0 ? all : all.slice(at + 1);
}

/** What stands after the two dashes of `coffer run`; the other commands hand values on themselves. */
function programOf(words: readonly string[]): string[] {
  const dashes = words.indexOf('--');
  return dashes < 0 ? [name] : words.slice(dashes + 1);
}

function holdsOpen(process: Process, proof: string): boolean {
  const wanted = statSync(proof);
  return process.openFiles().some(({ dev, ino }) => dev === wanted.dev && ino === wanted.ino);
}

/** The terminal, by the process that leads its session and when that began: numbers of both are given again. */
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
    // It runs, and belongs to somebody else.
    return cause instanceof Error && 'code' in cause && cause.code === 'EPERM';
  }
}
