import { readdirSync, readFileSync } from 'node:fs';

/** Figures of a program and its processes. Main includes the stand-in's Chromium: in Electron it is one process with Node. */
export interface ByProcess {
  readonly all: number;
  readonly main: number;
  readonly page: number;
  readonly graphics: number;
}

const ticksPerSecond = 100;

/** CPU time in seconds that a process and its descendants have used, since `before` if given (Linux). */
export function cpuSeconds(pid: number, before?: ByProcess): ByProcess {
  const now = sumUp(pid, (id) => {
    // The name in parentheses may contain blanks.
    const fields = read(`/proc/${id}/stat`).split(') ').at(-1)?.split(' ') ?? [];
    return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / ticksPerSecond;
  });
  if (!before) return now;
  return {
    all: now.all - before.all,
    main: now.main - before.main,
    page: now.page - before.page,
    graphics: now.graphics - before.graphics,
  };
}

/** Memory in MB of a process and its descendants; what several of them share is divided among them (Linux). */
export function memoryMb(pid: number): ByProcess {
  return sumUp(pid, (id) => Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${id}/smaps_rollup`))?.[1] ?? 0) / 1000);
}

function sumUp(pid: number, figureOf: (id: string) => number): ByProcess {
  const sums = { all: 0, main: 0, page: 0, graphics: 0 };
  for (const [id, command] of processesOf(pid)) {
    // A display that was started for the program.
    if (/xvfb/i.test(command.split(' ', 2).join(' '))) continue;
    const figure = figureOf(String(id));
    const type = /--type=(\S+)/.exec(command)?.[1];
    sums.all += figure;
    if (type === 'renderer') sums.page += figure;
    else if (type === 'gpu-process') sums.graphics += figure;
    else if (type === undefined) sums.main += figure;
  }
  return sums;
}

/** A process and its descendants, with their command lines. */
export function processesOf(pid: number): Map<number, string> {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const parent = /^PPid:\s+(\d+)/m.exec(read(`/proc/${name}/status`))?.[1];
    if (parent !== undefined) parents.set(Number(name), Number(parent));
  }
  const isOurs = (id: number): boolean => id === pid || (parents.has(id) && isOurs(parents.get(id) ?? -1));
  const ours = [...parents.keys()].filter((id) => isOurs(id));
  return new Map(ours.map((id) => [id, read(`/proc/${String(id)}/cmdline`).replaceAll('\0', ' ')]));
}

/** Empty if the process has ended. */
export function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
