import { openSource, type SourceFile } from './files/source.ts';
import type { Work } from './record.ts';

export type UploadWork = Extract<Work, { kind: 'upload' }>;

/** What an upload sends. @throws AppFailure fileGone, fileUnreadable, fileSpecial, fileChanged */
export function openBody({ path, fileName, expected }: UploadWork): Promise<SourceFile> {
  return openSource(path, fileName, expected);
}
