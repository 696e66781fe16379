import { basename } from 'node:path';
import { AppFailure } from '../../shared/errors.ts';
import { stat } from './fs.ts';
import type { ChosenFile } from '../transfers/model/store-types.ts';
import { sourceFailureOf } from './failures.ts';

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
