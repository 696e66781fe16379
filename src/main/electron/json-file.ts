import { readFileSync, renameSync, writeFileSync } from '../local-files/fs.ts';

/** What a small file of the shell holds, whatever it is; undefined when it is not there or not JSON (the first start, a crash). */
export function readJsonFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Whole or not at all, for this person alone; synchronous, because a closing window does not wait. */
export function writeJsonFile(path: string, value: unknown): void {
  writeFileSync(`${path}.part`, JSON.stringify(value), { mode: 0o600 });
  renameSync(`${path}.part`, path);
}
