import { basename } from 'node:path';
import { readdirSync, readFileSync, readlinkSync, statSync } from '../local-files/fs.ts';

/** A process as Linux knows it (proc(5)). */
export interface Process {
  readonly pid: number;
  readonly name: string;
  readonly parentPid: number;
  readonly sessionPid: number;
  /** 0: it has no terminal. */
  readonly terminalNumber: number;
  /** When it began, in ticks since the start of the computer. */
  readonly startTicks: number;
  /** With what it was started, its own name first. */
  readonly words: readonly string[];
  readonly folder: string;
  openFiles(): { dev: number; ino: number }[];
}

/** Ticks of `starttime`: "USER_HZ" is 100 on every Linux that Coffer runs on. */
const ticksPerSecond = 100;

/** null: there is none of this number, or it is another person's. */
export function readProcess(pid: number): Process | null {
  const folder = `/proc/${String(pid)}`;
  try {
    const stat = readFileSync(`${folder}/stat`, 'latin1');
    // The name stands in brackets and may hold any character.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [, parentPid = 0, , sessionPid = 0, terminalNumber = 0] = fields;
    const words = readFileSync(`${folder}/cmdline`, 'utf8').split('\0').slice(0, -1);
    return {
      pid,
      name: nameOf(folder),
      parentPid,
      sessionPid,
      terminalNumber,
      startTicks: fields[19] ?? 0,
      words,
      folder: folderOf(folder),
      openFiles: () => openFilesOf(folder),
    };
  } catch {
    return null;
  }
}

/** Its program; of another person's process the name that it gives itself. */
function nameOf(folder: string): string {
  try {
    return basename(readlinkSync(`${folder}/exe`));
  } catch {
    return readFileSync(`${folder}/comm`, 'utf8').trimEnd();
  }
}

/** Nothing of a process that has ended meanwhile. */
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

/** Of another person's process, such as the one that shows a terminal, the folder is not told. */
function folderOf(folder: string): string {
  try {
    return readlinkSync(`${folder}/cwd`);
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

/** As it stands below /dev: majors 136 to 143 are pseudo terminals, 4 the consoles (Documentation/admin-guide/devices.txt). */
export function terminalName(number: number): string {
  const major = (number >> 8) & 0xfff;
  const minor = (number & 0xff) | ((number >> 12) & 0xfff00);
  if (major >= 136 && major <= 143) return `pts/${String(minor + (major - 136) * 256)}`;
  return major === 4 ? `tty${String(minor)}` : `${String(major)}:${String(minor)}`;
}
