import { toAppError } from '../../shared/app-failure.ts';
import { digestOf } from '../local-files/source.ts';
import type { FoundFile, Trouble } from './read-files.ts';
import { pathOf } from './sheet-entries.ts';

/**
 * The first 8 hexadecimal digits of a file's SHA-256, or why it cannot be read; never rejects. Opens the file like an upload:
 * without following a link in its place, and refusing a file that has changed.
 */
export async function hash8Of(
  file: FoundFile,
  signal: AbortSignal,
): Promise<{ hash8: string } | { trouble: Trouble }> {
  try {
    return { hash8: (await digestOf(pathOf(file), file.fileName, file, signal)).slice(0, 8) };
  } catch (cause) {
    const code = toAppError(cause)?.code;
    return { trouble: code === 'fileGone' ? 'gone' : code === 'fileSpecial' ? 'special' : 'unreadable' };
  }
}
