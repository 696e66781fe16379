import { basename } from 'node:path';
import { AppFailure } from '../../shared/app-failure.ts';
import type { BigIntStats } from '../local-files/fs.ts';
import { stat } from '../local-files/fs.ts';

/**
 * Distinguishes a folder from another one at the same path, such as on another drive mounted there: by its creation time, or
 * by its inode number where the system has none. Not by both: exFAT renumbers folders at each mount, and the root of every
 * ext4 drive has the same number.
 */
export interface FolderIdentity {
  readonly number: string;
  /** In ns; '': not known. */
  readonly born: string;
}

/** @throws AppFailure folderGone */
export async function identityOf(folder: string): Promise<FolderIdentity> {
  try {
    return describe(await stat(folder, { bigint: true }));
  } catch {
    throw new AppFailure({ code: 'folderGone', folderName: basename(folder) });
  }
}

export function isSameFolder(identity: FolderIdentity, stats: BigIntStats): boolean {
  const { number, born } = describe(stats);
  return born === '' || identity.born === '' ? number === identity.number : born === identity.born;
}

function describe({ dev, ino, birthtimeNs }: BigIntStats): FolderIdentity {
  // Windows gives a drive a permanent number; other systems number drives in the order they are mounted.
  const drive = process.platform === 'win32' ? `${String(dev)} ` : '';
  return { number: `${drive}${String(ino)}`, born: birthtimeNs > 0n ? String(birthtimeNs) : '' };
}
