import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Stands in for the system's programs, which never start: what they were given to open is noted. */
export type OpenedFiles = {
  /** First in a program's PATH. */
  readonly programs: string;
  /** Paths, in their order. */
  list: () => string[];
};

/** @param programs a folder of its own; it is made */
export function noteOpenedFiles(programs: string): OpenedFiles {
  mkdirSync(programs, { recursive: true });
  const notes = join(programs, 'opened');
  const program = join(programs, 'xdg-open');
  writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "$1" >> '${notes}'\n`);
  chmodSync(program, 0o755);
  return {
    programs,
    list: () => (existsSync(notes) ? readFileSync(notes, 'utf8').trim().split('\n') : []),
  };
}
