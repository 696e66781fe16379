import { basename } from 'node:path';
import { readdirSync, readFileSync, readlinkSync, statSync } from '../local-files/fs.ts';

/** A Linux process (proc(5)). */
export interface Process {
  readonly pid: number;
  readonly name: string;
  /** Absolute path of the file that runs; empty: it belongs to another user. */
  readonly executable: string;
  readonly parentPid: number;
  readonly sessionPid: number;
  /** 0: no terminal. */
  readonly terminalNumber: number;
  /** Start time, in ticks since the computer started. */
  readonly startTicks: number;
  /** Its command line, beginning with its own name. */
  readonly words: readonly string[];
  readonly folder: string;
  openFiles(): { dev: number; ino: number }[];
}

/** Unit of `starttime`: USER_HZ is 100 on every Linux that Coffer runs on. */
const ticksPerSecond = 100;

/** null: no such process, or it belongs to another user. */
export function readProcess(pid: number): Process | null {
  const folder = `/proc/${String(pid)}`;
  try {
    const stat = readFileSync(`${folder}/stat`, 'latin1');
    // The name is in parentheses and may contain any character.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [, parentPid = 0, , sessionPid = 0, terminalNumber = 0] = fields;
    const words = readFileSync(`${folder}/cmdline`, 'utf8').split('\0').slice(0, -1);
    return {
      pid,
      name: nameOf(folder),
      executable: linkedFrom(`${folder}/exe`),
      parentPid,
      sessionPid,
      terminalNumber,
      startTicks: fields[19] ?? 0,
      words,
      folder: linkedFrom(`${folder}/cwd`),
      openFiles: () => openFilesOf(folder),
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

/** Empty if the process has ended meanwhile. */
function openFilesOf(folder: string): { dev: number; ino: number }[] {
  try {
    return readdirSync(`${folder}/fd`).flatMap((name) => {
      const found = statSync(`${folder}/fd/${name}`, { throwIfNoEntry: false });
      return found ? [{ dev: found.dev, ino: found.ino }] : [];
    });
  } catch {
    return [];
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
