import { readdirSync, readFileSync } from 'node:fs';

/** CPU time that a program and its processes have used, in seconds (Linux). */
export interface CpuSeconds {
  readonly all: number;
  readonly main: number;
  readonly page: number;
  readonly graphics: number;
}

const ticksPerSecond = 100;

/** Of a process and its descendants. */
export function cpuSeconds(pid: number, before?: CpuSeconds): CpuSeconds {
  const sums = { all: 0, main: 0, page: 0, graphics: 0 };
  for (const [id, command] of processesOf(pid)) {
    // The name in parentheses may contain blanks.
    const fields =
      read(`/proc/${String(id)}/stat`)
        .split(') ')
        .at(-1)
        ?.split(' ') ?? [];
    const seconds = (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / ticksPerSecond;
    sums.all += seconds;
    if (command.includes('--type=renderer')) sums.page += seconds;
    else if (command.includes('--type=gpu-process')) sums.graphics += seconds;
    else if (/out\/main\/index\.js/.test(command)) sums.main += seconds;
  }
  if (!before) return sums;
  return {
    all: sums.all - before.all,
    main: sums.main - before.main,
    page: sums.page - before.page,
    graphics: sums.graphics - before.graphics,
  };
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
