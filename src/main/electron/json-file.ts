import { readFileSync, renameSync, writeFileSync } from '../local-files/fs.ts';

/** The content of a small JSON file; undefined when it is missing or invalid (first start, crash). */
export function readJsonFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Atomic, readable only by the owner, and synchronous, because a closing window does not wait. */
export function writeJsonFile(path: string, value: unknown): void {
  writeFileSync(`${path}.part`, JSON.stringify(value), { mode: 0o600 });
  renameSync(`${path}.part`, path);
}
