import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Replaces what opens files, and records what was to be opened. */
export type OpenedFiles = {
  /** Environment of the application. */
  readonly env: { readonly PATH: string; readonly E2E_OPENED: string };
  /** Paths in order. Of a file that is shown in its folder, the folder's. */
  list: () => string[];
};

/**
 * On Linux Coffer starts xdg-open, which is found on PATH; on macOS and Windows Electron asks the system itself, so there
 * `in-main.cjs` stands in Electron's place.
 * @param programs a folder to create for the replacement
 */
export function noteOpenedFiles(programs: string): OpenedFiles {
  mkdirSync(programs, { recursive: true });
  const notes = join(programs, 'opened');
  const program = join(programs, 'xdg-open');
  writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "$1" >> '${notes}'\n`);
  chmodSync(program, 0o755);
  return {
    env: { PATH: [programs, process.env['PATH']].join(delimiter), E2E_OPENED: notes },
    // The shell creates the file before it writes the first line.
    list: () => (existsSync(notes) ? readFileSync(notes, 'utf8').split('\n').slice(0, -1) : []),
  };
}
