import { chmodSync, closeSync, openSync } from '../local-files/fs.ts';

/** Makes a file readable by this user only. No effect where files have no modes, or another owner. */
export function makePrivate(path: string): void {
  try {
    chmodSync(path, 0o600);
  } catch {
    return;
  }
}

/** SQLite gives a file and its companions the mode of the existing file, so it is created first. */
export function createPrivate(path: string): void {
  closeSync(openSync(path, 'a', 0o600));
  makePrivate(path);
}
