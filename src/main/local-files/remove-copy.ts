import { basename, dirname, join } from 'node:path';
import { lstat, readdir, rename, rmdir } from './fs.ts';
import { codeOf } from './file-system.ts';
import { isUntouched } from './file-state.ts';
import { digestOf, removeFile, statOf } from './file-bytes.ts';

/** What stays, and why. changed: the copy has unknown content; inUse: it cannot be read or moved now. */
export type Removal =
  | { readonly kind: 'removed' }
  | { readonly kind: 'changed' }
  | { readonly kind: 'inUse' }
  | { readonly kind: 'filesBeside'; readonly fileNames: string[] };

/** Suffix of the folder's name while its copy is being removed. */
export const removingSuffix = '.removing';

/**
 * Removes a copy that a program may have open, and its folder. Removes the copy only if its digest is one of `known`.
 * Other files in the folder stay, and keep the folder.
 *
 * Between the digest and the removal it renames the folder, so that no program finds the copy by its path, and checks the
 * copy once more. Only a program that has it open can still write to it, after that check or to the removed file. The next
 * call repairs what a kill interrupts.
 * @param isAlone with other files in the folder the copy stays too
 */
export async function removeCopy(path: string, known: readonly string[], isAlone: boolean): Promise<Removal> {
  const folder = dirname(path);
  const away = `${folder}${removingSuffix}`;
  const isCopy = (name: string) => name.normalize() === basename(path).normalize();
  await rename(away, folder).catch(ignoreMissing);
  const names = await readdir(folder).catch(ignoreMissing);
  if (!names) return { kind: 'removed' };
  const fileNames = names.filter((name) => !isCopy(name));
  if (isAlone && fileNames.length > 0) return { kind: 'filesBeside', fileNames };
  const read = await digestOf(path);
  if (read === null && (await lstat(path).catch(ignoreMissing))) return { kind: 'inUse' };
  if (read !== null && !known.includes(read.sha256)) return { kind: 'changed' };
  try {
    await rename(folder, away);
  } catch (cause) {
    // On Windows, while a program has a file in it open.
    if (['EPERM', 'EBUSY', 'EACCES'].includes(codeOf(cause) ?? '')) return { kind: 'inUse' };
    throw cause;
  }
  const now = await statOf(join(away, basename(path)));
  const isSame = read === null ? now === null : now !== null && isUntouched(read.stats, now);
  if (isSame) await removeFile(join(away, basename(path)));
  const others = await readdir(away);
  if (others.length === 0) {
    await rmdir(away);
    return { kind: 'removed' };
  }
  await rename(away, folder);
  return isSame ? { kind: 'filesBeside', fileNames: others } : { kind: 'changed' };
}

function ignoreMissing(cause: unknown): undefined {
  if (codeOf(cause) !== 'ENOENT') throw cause;
}
