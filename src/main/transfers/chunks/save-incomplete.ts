import { basename, dirname } from 'node:path';
import { safeFileName } from '../../../shared/domain/file-name.ts';
import { AppFailure } from '../../../shared/app-failure.ts';
import { targetFailureOf } from '../../local-files/file-system.ts';
import { inodeAt, placeUnderFreeName } from '../../local-files/publish-file.ts';
import type { TransferRecord } from '../model/record.ts';
import type { ChunkPlans } from './chunk-plans.ts';

/**
 * Saves an incomplete download under a name that says so; missing bytes are zeros.
 * @param word is put before the extension: `film (incomplete).mov`
 * @throws AppFailure notFound when there is no such download, or its file is gone; diskFull, folderGone,
 * folderReadOnly
 */
export async function saveIncomplete(
  plans: ChunkPlans,
  { id, state }: TransferRecord,
  name: string,
  word: string,
): Promise<{ fileName: string }> {
  const plan = plans.ofKind(id, 'download');
  const found = plan && (await inodeAt(plan.of.temporaryPath));
  const isOurs = found?.isFile() && (plan?.of.inode === null || String(found.ino) === plan?.of.inode);
  if (!plan || !found || !isOurs || state.name !== 'failed')
    throw new AppFailure({ code: 'notFound', what: 'transfer' });
  const folder = dirname(plan.of.temporaryPath);
  const dot = name.lastIndexOf('.');
  const end = dot > 0 ? dot : name.length;
  const fileName = safeFileName(`${name.slice(0, end)} (${word})${name.slice(end)}`);
  try {
    const placed = await placeUnderFreeName(plan.of.temporaryPath, found, folder, fileName);
    await plans.end(id);
    return { fileName: basename(placed.path) };
  } catch (cause) {
    throw targetFailureOf(cause, basename(folder));
  }
}
