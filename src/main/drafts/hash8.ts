import { toAppError } from '../../shared/errors.ts';
import { openSource } from '../transfers/source-file.ts';
import type { FoundFile, Trouble } from './read-files.ts';
import { pathOf } from './sheet.ts';

/**
 * The first 8 hexadecimal digits of a file's SHA-256, or why it cannot be read; never rejects. Opened as an upload opens it: no
 * link in a file's place is followed, and what changed meanwhile does not count.
 */
export async function hash8Of(
  file: FoundFile,
  signal: AbortSignal,
): Promise<{ hash8: string } | { trouble: Trouble }> {
  try {
    const source = await openSource(pathOf(file), file.fileName, file);
    try {
      const reading = source.read(() => signal.throwIfAborted());
      while (!(await reading.next()).done);
      return { hash8: source.sha256()?.slice(0, 8) ?? '' };
    } finally {
      await source.close();
    }
  } catch (cause) {
    const code = toAppError(cause)?.code;
    return { trouble: code === 'fileGone' ? 'gone' : code === 'fileSpecial' ? 'special' : 'unreadable' };
  }
}
