import type { BigIntStats } from '../local-files/fs.ts';
import { stat } from '../local-files/fs.ts';

/**
 * What tells a folder from another one in the same place, as when another drive is connected there: one of these stays the same. Its
 * number alone would not do: exFAT numbers folders anew at each connection, and keeps their time of birth.
 */
export type FolderIdentity = readonly string[];

export async function identityOf(folder: string): Promise<string[]> {
  return partsOf(await stat(folder, { bigint: true }));
}

/** @param identity of the folder that is meant; empty: it is not known */
export function isSameFolder(identity: FolderIdentity, stats: BigIntStats): boolean {
  return identity.length === 0 || partsOf(stats).some((part) => identity.includes(part));
}

function partsOf({ dev, ino, birthtimeNs }: BigIntStats): string[] {
  // Windows gives a drive a lasting number. Other systems number drives as they come.
  const drive = process.platform === 'win32' ? `${String(dev)} ` : '';
  const born = birthtimeNs > 0n ? [`born ${String(birthtimeNs)}`] : [];
  return [`number ${drive}${String(ino)}`, ...born];
}
