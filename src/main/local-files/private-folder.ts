import { join } from 'node:path';
import { chmodSync, mkdirSync, readdirSync, statSync } from './fs.ts';

/** Coffer's own folders in the user data folder: everything else there is the shell's. */
const ownFolders = new Set([
  'asking',
  'copies',
  'edits',
  'kept',
  'logs',
  'local-service',
  'local-service-session',
  'opened',
  'versions',
]);

/**
 * Creates the user data folder if necessary, and restricts it and Coffer's own folders in it to this user (0700),
 * also when somebody else created them.
 */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  closeToOthers(folder);
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory() && ownFolders.has(entry.name)) closeToOthers(join(folder, entry.name));
}

function closeToOthers(folder: string): void {
  const { uid, mode } = statSync(folder);
  // A folder that is shared on purpose, such as /tmp, has the sticky bit.
  const isOurs = uid === process.getuid?.() && (mode & 0o1000) === 0;
  if (!isOurs || (mode & 0o077) === 0) return;
  try {
    chmodSync(folder, mode & 0o700);
  } catch {
    return; // a file system without modes
  }
}
