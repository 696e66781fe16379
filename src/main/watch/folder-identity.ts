import { basename } from 'node:path';
import { AppFailure } from '../../shared/app-failure.ts';
import type { BigIntStats } from '../local-files/fs.ts';
import { stat } from '../local-files/fs.ts';

/**
 * What tells a folder from another one in the same place, as when another drive is connected there: when it was made. Its number counts
 * where the system does not tell that: exFAT numbers folders anew at each connection, and the top of every ext4 drive has the same.
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
  // Windows gives a drive a lasting number. Other systems number drives as they come.
  const drive = process.platform === 'win32' ? `${String(dev)} ` : '';
  return { number: `${drive}${String(ino)}`, born: birthtimeNs > 0n ? String(birthtimeNs) : '' };
}
