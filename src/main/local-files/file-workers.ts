import { closeDigests } from './digest.ts';
import { closeReaders } from './small-files.ts';
import { closeTemporaryFileWriters } from './small-temporary-file.ts';

let users = 0;

/**
 * The threads for files are shared by everything that runs in this process. Answers what releases them: they end with the last
 * release, so that one engine never ends what another one still asks of them.
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
