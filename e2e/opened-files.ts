import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Replaces the programs that open files, and records what they were asked to open. */
export type OpenedFiles = {
  /** To be put first in PATH. */
  readonly programs: string;
  /** Paths in order. */
  list: () => string[];
};

/** @param programs a folder to create for the replacements */
export function noteOpenedFiles(programs: string): OpenedFiles {
  mkdirSync(programs, { recursive: true });
  const notes = join(programs, 'opened');
  const program = join(programs, 'xdg-open');
  writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "$1" >> '${notes}'\n`);
  chmodSync(program, 0o755);
  return {
    programs,
    // The shell creates the file before it writes the first line.
    list: () => (existsSync(notes) ? readFileSync(notes, 'utf8').split('\n').slice(0, -1) : []),
  };
}
