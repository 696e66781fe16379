import { toAppError } from '../../shared/app-failure.ts';
import { digestOf } from '../local-files/source.ts';
import type { FoundFile, Trouble } from './read-files.ts';
import { pathOf } from './sheet-entry.ts';

/**
 * The first 8 hexadecimal digits of a file's SHA-256, or why it cannot be read; never rejects. Opened as an upload opens it: no
 * link in a file's place is followed, and what changed meanwhile does not count.
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
