import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';

import { StartProblem } from './answers.ts';

/**
 * The master key of the standalone service: 32 bytes in a file that only its owner can read. It is stored beside the
 * data, so it only protects copies of the data alone. The app stores its key in the OS keychain instead.
 */
export async function readOrCreateMasterKey(dataFolder: string): Promise<Uint8Array> {
  const file = join(dataFolder, 'master.key');
  try {
    const key = await readFile(file);
    if (key.length !== 32) throw new StartProblem('The master key file is damaged.');
    return key;
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ENOENT')) throw cause;
  }
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  const key = randomBytes(32);
  const handle = await open(`${file}.new`, 'w', 0o600);
  try {
    await handle.writeFile(key);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${file}.new`, file);
  return key;
}
