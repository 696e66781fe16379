import { dirname, join } from 'node:path';
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, statSync } from './fs.ts';

/** Coffer's own folders in the user data folder: everything else there is the shell's. */
const ownFolders = new Set([
  'command-cache',
  'copies',
  'edits',
  'kept',
  'logs',
  'local-service',
  'local-service-session',
  'opened',
  'streams',
  'thumbnails',
  'versions',
]);

/** Another user can write to a folder that must be private to this user, or owns a file in it. */
export class NotPrivate extends Error {
  override readonly name = 'NotPrivate';
  readonly path: string;

  constructor(path: string) {
    super(`not private: ${path}`);
    this.path = path;
  }
}

/**
 * Creates the user data folder if necessary, and restricts it and Coffer's own folders in it to this user (0700), even if something
 * else created them. @throws NotPrivate
 */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Others may have put something into a folder that is not ours yet, and closing it would hide that.
  if (!existsSync(join(folder, 'coffer.db'))) requirePrivate(folder);
  closeToOthers(folder);
  requirePrivate(folder);
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory() && ownFolders.has(entry.name)) closeToOthers(join(folder, entry.name));
}

/**
 * Checks nothing on Windows, where a new folder inherits the rights of the user's own. @throws NotPrivate if another user could replace
 * files in this folder
 */
function requirePrivate(folder: string): void {
  const { uid, mode } = statSync(folder);
  const isOpen = (mode & 0o022) !== 0 && !isShared(mode);
  if (process.getuid && (isOpen || (uid !== process.getuid() && uid !== 0))) throw new NotPrivate(folder);
}

/** @throws NotPrivate if it is not a socket of this user, or another user could replace it */
export function requireOwnSocket(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!process.getuid || !found) return;
  if (!found.isSocket() || found.uid !== process.getuid()) throw new NotPrivate(path);
  requirePrivate(dirname(path));
}

function closeToOthers(folder: string): void {
  const { uid, mode } = statSync(folder);
  if (uid !== process.getuid?.() || isShared(mode) || (mode & 0o077) === 0) return;
  try {
    chmodSync(folder, mode & 0o700);
  } catch {
    return; // a file system without modes
  }
}

/** A folder that is shared on purpose, such as /tmp, has the sticky bit: nobody can replace another user's file there. */
function isShared(mode: number): boolean {
  return (mode & 0o1000) !== 0;
}
