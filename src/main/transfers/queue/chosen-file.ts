import { basename } from 'node:path';
import { AppFailure } from '../../../shared/app-failure.ts';
import { stat } from '../../local-files/fs.ts';
import { sourceFailureOf } from '../../local-files/failures.ts';
import type { ChosenFile } from '../model/store-types.ts';

/**
 * The present state of a file that a person chose to upload. @throws AppFailure fileGone, fileUnreadable, fileSpecial
 */
export async function chosenFile(path: string): Promise<ChosenFile> {
  const fileName = basename(path);
  const found = await stat(path).catch((cause: unknown) => {
    throw sourceFailureOf(cause, fileName);
  });
  if (!found.isFile()) throw new AppFailure({ code: 'fileSpecial', fileName });
  return { path, fileName, sizeBytes: found.size, mtimeMs: found.mtimeMs };
}
