import { basename } from 'node:path';
import { type BigIntStats, readFileSync, readlinkSync, statSync } from '../local-files/fs.ts';

/** A Linux process (proc(5)). */
export interface Process {
  readonly pid: number;
  readonly name: string;
  /** Absolute path of the file that runs, as that process sees it; empty: it belongs to another user. */
  readonly executable: string;
  /** That file itself, whatever its path: a process may have mounts of its own. */
  readonly executableFile: BigIntStats | null;
  readonly parentPid: number;
  readonly sessionPid: number;
  /** 0: no terminal. */
  readonly terminalNumber: number;
  /** Start time, in ticks since the computer started. */
  readonly startTicks: number;
  /** Its command line, beginning with its own name. */
  readonly words: readonly string[];
  readonly folder: string;
}

/** Unit of `starttime`: USER_HZ is 100 on every Linux that Coffer runs on. */
const ticksPerSecond = 100;

/** null: no such process, or it belongs to another user. */
export function readProcess(pid: number): Process | null {
  const folder = `/proc/${String(pid)}`;
  try {
    const { parentPid, sessionPid, terminalNumber, startTicks } = readStat(pid);
    const words = readFileSync(`${folder}/cmdline`, 'utf8').split('\0').slice(0, -1);
    return {
      pid,
      name: nameOf(folder),
      executable: linkedFrom(`${folder}/exe`),
      executableFile: fileOf(`${folder}/exe`),
      parentPid,
      sessionPid,
      terminalNumber,
      startTicks,
      words,
      folder: linkedFrom(`${folder}/cwd`),
    };
  } catch {
    return null;
  }
}

/** The executable; for a process of another user, the name that it reports. */
function nameOf(folder: string): string {
  try {
    return basename(readlinkSync(`${folder}/exe`));
  } catch {
    return readFileSync(`${folder}/comm`, 'utf8').trimEnd();
  }
}

/** The name that a process has given itself, and when it started; null: it has ended. */
export function readMark(pid: number): { readonly mark: string; readonly startTicks: number } | null {
  try {
    return readStat(pid);
  } catch {
    return null;
  }
}

function readStat(pid: number) {
  const stat = readFileSync(`/proc/${String(pid)}/stat`, 'latin1');
  // The name is in parentheses and may contain any character.
  const end = stat.lastIndexOf(')');
  const fields = stat
    .slice(end + 2)
    .split(' ')
    .map(Number);
  const [, parentPid = 0, , sessionPid = 0, terminalNumber = 0] = fields;
  const mark = stat.slice(stat.indexOf('(') + 1, end);
  return { mark, parentPid, sessionPid, terminalNumber, startTicks: fields[19] ?? 0 };
}

/** null, as above. */
function fileOf(link: string): BigIntStats | null {
  try {
    return statSync(link, { bigint: true });
  } catch {
    return null;
  }
}

/** Empty for processes of other users, such as a terminal emulator. */
function linkedFrom(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return '';
  }
}

export function startedAtMs({ startTicks }: Process): number | null {
  const bootSeconds = /^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'latin1'))?.[1];
  return bootSeconds === undefined
    ? null
    : Math.round((Number(bootSeconds) + startTicks / ticksPerSecond) * 1000);
}

/**
 * The name below /dev: majors 136 to 143 are pseudo terminals, 4 the consoles
 * (Documentation/admin-guide/devices.txt).
 */
export function terminalName(number: number): string {
  const major = (number >> 8) & 0xfff;
  const minor = (number & 0xff) | ((number >> 12) & 0xfff00);
  if (major >= 136 && major <= 143) return `pts/${String(minor + (major - 136) * 256)}`;
  return major === 4 ? `tty${String(minor)}` : `${String(major)}:${String(minor)}`;
}
