import { chmodSync, closeSync, openSync } from '../local-files/fs.ts';

/** From now on only this person reads it. Where files have no modes, or have another owner, it stays as it is. */
export function makePrivate(path: string): void {
  try {
    chmodSync(path, 0o600);
  } catch {
    return;
  }
}

/** SQLite gives a file, and what it puts beside it, the mode of the file that is there: so it is made first. */
export function createPrivate(path: string): void {
  closeSync(openSync(path, 'a', 0o600));
  makePrivate(path);
}
