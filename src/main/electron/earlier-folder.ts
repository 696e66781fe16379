import { join } from 'node:path';
import { mainTexts } from '../texts.ts';
import { toAppError } from '../../shared/errors.ts';
import { takeLease } from '../catalogue/lease.ts';
import { existsSync, readdirSync, renameSync, statSync } from '../files/fs.ts';
import { earlierFolderName, productName } from '../identity.ts';

/**
 * The folder of user data that an earlier version kept gets the name of this one's, in one step, when this one's is not
 * there or empty; otherwise both stay as they are. Answers whether it was taken over.
 * Before anything asks Electron for `userData`: that alone makes the folder, empty.
 * @param appData absolute; where the folders of all programs lie
 * @throws Error in words, while an earlier version works in it
 */
export function takeOverEarlierFolder(appData: string): boolean {
  const earlier = join(appData, earlierFolderName);
  const present = join(appData, productName);
  if (!holdsOurs(earlier) || isSame(earlier, present)) return false;
  if (existsSync(present) && readdirSync(present).length > 0) return false;
  refuseWhenInUse(earlier);
  renameSync(earlier, present);
  return true;
}

function refuseWhenInUse(folder: string): void {
  try {
    takeLease(folder).release();
  } catch (cause) {
    if (toAppError(cause)?.code !== 'dataFolderInUse') throw cause;
    throw new Error(mainTexts.end.earlierRuns, { cause });
  }
}

/** Any program may call a folder so. */
function holdsOurs(folder: string): boolean {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return false;
  return readdirSync(folder).some((name) => name.startsWith('coffer.db'));
}

/** Windows and macOS do not tell capital letters apart. */
function isSame(one: string, other: string): boolean {
  const [first, second] = [one, other].map((path) => statSync(path, { bigint: true, throwIfNoEntry: false }));
  return first !== undefined && first.ino === second?.ino && first.dev === second.dev;
}
