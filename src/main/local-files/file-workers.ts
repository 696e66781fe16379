import { closeDigests } from './digest.ts';
import { closeReaders } from './small-files.ts';
import { closeTemporaryFileWriters } from './small-temporary-file.ts';

let users = 0;

/**
 * Retains the file threads, which everything in this process shares. @returns releases them: they end with the last
 * release, so that one engine never ends what another still uses
 */
export function retainFileWorkers(): () => Promise<void> {
  users += 1;
  let isRetained = true;
  return async () => {
    if (!isRetained) return;
    isRetained = false;
    users -= 1;
    if (users === 0) await Promise.all([closeDigests(), closeReaders(), closeTemporaryFileWriters()]);
  };
}
