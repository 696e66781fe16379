import { openSource, type SourceFile } from './files/source.ts';
import type { StepContext, WorkOf } from './step.ts';

export type UploadWork = WorkOf<'upload'>;

/**
 * What an upload sends: bytes that are kept here, or the person's file.
 * @throws AppFailure fileGone, fileUnreadable, fileSpecial, fileChanged, keptUnreadable, keychain
 */
export function openBody({ kept }: Pick<StepContext, 'kept'>, work: UploadWork): Promise<SourceFile> {
  const { path, fileName, expected, replace } = work;
  const mine = replace?.mine;
  const here = mine && mine.file !== null ? { ...mine, file: mine.file } : work.kept;
  return here ? kept.open(here) : openSource(path, fileName, expected);
}
